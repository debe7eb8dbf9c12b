#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/hamel.hpp>

#include "mechanics/hamel/manifold.hpp"
#include "mechanics/simplify.hpp"

// Dually to the derived flag of the constraint forms: the distribution D of the free velocities and of time is enlarged
// by brackets until it stops growing; a constraint integrates in the system exactly when its form vanishes on what D
// has become (theory 3.6; Hamel 1904, section 3; Frobenius).

namespace dalembert {
namespace {

using Field = std::vector<Expr>;  // components along (q, t); also the coefficients of a form

/// Decides whether an expression vanishes on the geometric constraints.
class Decide {
 public:
  explicit Decide(const Manifold& manifold) : is_everywhere_(manifold.is_everything()) {
    for (std::size_t k = 0; k < manifold.points().size() && !is_everywhere_; ++k)
      if (std::vector<Around> box = manifold.find_box(k); !box.empty()) boxes_.push_back(std::move(box));
  }

  /// Proved zero everywhere; proved not zero, on the manifold by its range where there is a point of it; or neither.
  Verdict operator()(Expr expression) const {
    if (expression.is_zero()) return Verdict::zero;
    const Verdict verdict = test_zero(expression).verdict;
    if (verdict != Verdict::nonzero || is_everywhere_) return verdict;
    auto excludes = [&](const auto& box) { return enclose({&expression, 1}, box)[0].excludes_zero(); };
    return std::ranges::any_of(boxes_, excludes) ? Verdict::nonzero : Verdict::undecided;
  }

 private:
  bool is_everywhere_;
  std::vector<std::vector<Around>> boxes_;  // in each there is a point of the manifold
};

class DerivedFlag {
 public:
  DerivedFlag(const Model& model, const QuasiFrame& frame, const Manifold& manifold, double work)
      : graph_(*model.graph), decide_(manifold), simplify_(work) {
    for (const Coordinate& coordinate : model.coordinates) variables_.push_back(coordinate.q);
    variables_.push_back(model.time);
    for (std::size_t r = 0; r <= frame.size(); ++r) {
      Field field = frame.xi[r];
      field.push_back(graph_.constant(r == frame.size() ? 1 : 0));
      bool forbidden = r < frame.size() && frame.velocities[r].row;
      (forbidden ? duals_ : fields_).push_back(field);
      if (forbidden) {
        forms_.push_back(frame.pi[r]);
        names_.push_back(*frame.velocities[r].row);
      }
    }
  }

  /// Enlarges D by brackets until it closes. False where something could not be decided.
  bool close() {
    std::size_t done = 0;  // pairs among the first `done` fields have been bracketed
    while (done < fields_.size() && reduced_.size() < forms_.size()) {
      std::size_t known = fields_.size();
      for (std::size_t i = 0; i < known; ++i)
        for (std::size_t j = std::max(i + 1, done); j < known; ++j)
          if (!absorb(bracket(fields_[i], fields_[j]))) return false;
      done = known;
    }
    return !simplify_.is_exhausted();
  }

  std::size_t integral_count() const { return forms_.size() - reduced_.size(); }
  /// The forms' indices among the model's constraints.
  const std::vector<std::size_t>& names() const { return names_; }
  /// Does form a vanish on all of D?
  bool is_annihilated(std::size_t a) const {
    return std::ranges::all_of(reduced_, [&](const Field& row) { return row[a].is_zero(); });
  }

 private:
  Field bracket(const Field& x, const Field& y) {
    Field along_x = derivative_along(y, x), along_y = derivative_along(x, y), result;
    for (std::size_t l = 0; l < x.size(); ++l) result.push_back(simplify_(along_x[l] - along_y[l]));
    return result;
  }

  Field derivative_along(const Field& field, const Field& direction) const {
    std::vector<Replacement> seeds;
    for (std::size_t s = 0; s < variables_.size(); ++s) seeds.push_back({variables_[s], direction[s]});
    return directional_derivative(field, seeds);
  }

  /// Adds what the bracket has outside D. Its components there are the values of the forms, reduced by rows known.
  bool absorb(const Field& field) {
    Field row;
    for (const Field& form : forms_) {
      std::vector<Expr> terms;
      for (std::size_t l = 0; l < form.size(); ++l) terms.push_back(form[l] * field[l]);
      row.push_back(simplify_(graph_.sum(terms)));
    }
    for (std::size_t k = 0; k < reduced_.size(); ++k) {
      Expr factor = row[pivots_[k]];
      if (factor.is_zero()) continue;
      for (std::size_t a = 0; a < row.size(); ++a) row[a] = simplify_(row[a] - factor * reduced_[k][a]);
    }
    std::size_t pivot = row.size();
    for (std::size_t a = 0; a < row.size(); ++a) {
      Verdict verdict = decide_(row[a]);
      if (verdict == Verdict::undecided) return false;
      if (verdict == Verdict::zero) row[a] = graph_.constant(0);
      if (verdict == Verdict::nonzero && pivot == row.size()) pivot = a;
    }
    if (pivot != row.size()) add_row(row, pivot);
    return true;
  }

  void add_row(Field row, std::size_t pivot) {
    Expr scale = pow(row[pivot], -1);
    for (Expr& entry : row) entry = simplify_(entry * scale);
    for (Field& other : reduced_) {
      Expr factor = other[pivot];
      if (factor.is_zero()) continue;
      for (std::size_t a = 0; a < row.size(); ++a) other[a] = simplify_(other[a] - factor * row[a]);
    }
    Field field(variables_.size(), graph_.constant(0));
    for (std::size_t a = 0; a < row.size(); ++a)
      for (std::size_t l = 0; l < field.size(); ++l) field[l] = simplify_(field[l] + row[a] * duals_[a][l]);
    fields_.push_back(std::move(field));
    reduced_.push_back(std::move(row));
    pivots_.push_back(pivot);
  }

  Graph& graph_;
  Decide decide_;
  Simplifier simplify_;
  std::vector<Expr> variables_;
  std::vector<Field> fields_;   // of D so far
  std::vector<Field> forms_;    // the constraints'
  std::vector<Field> duals_;    // forms_[a](duals_[b]) = (a == b)
  std::vector<Field> reduced_;  // row echelon form of D modulo the first D, in the duals
  std::vector<std::size_t> pivots_, names_;
};

/// theta ^ dtheta = 0, component by component.
std::optional<bool> integrates_by_itself(const Model& model, const Constraint& constraint, const Manifold& manifold) {
  if (constraint.kind == ConstraintKind::geometric) return true;
  if (is_proved_unintegrable(model, constraint, manifold)) return false;
  const std::vector<Expr> variables = configuration_symbols(model);
  const Field form = constraint_form(model, constraint);
  auto slope = jacobian(form, variables);
  auto curl = [&](std::size_t i, std::size_t j) { return slope[j][i] - slope[i][j]; };
  bool undecided = false;
  for (std::size_t i = 0; i < form.size(); ++i)
    for (std::size_t j = i + 1; j < form.size(); ++j)
      for (std::size_t k = j + 1; k < form.size(); ++k) {
        Verdict verdict = test_zero(form[i] * curl(j, k) + form[j] * curl(k, i) + form[k] * curl(i, j)).verdict;
        if (verdict == Verdict::nonzero) return false;
        undecided |= verdict == Verdict::undecided;
      }
  if (undecided) return std::nullopt;
  return true;
}

/// Constraints that follow from others leave the system as it is: it is decided without them. One that integrates by
/// itself does so in every system.
void decide_without(const std::vector<std::size_t>& left_out, const Model& model, double work, Integrability& result) {
  Model smaller = model;
  for (std::size_t dependent : left_out)
    std::erase_if(smaller.constraints,
                  [&](const Constraint& constraint) { return constraint.name == model.constraints[dependent].name; });
  Integrability part = decide_integrability(smaller, work);
  for (Integrability::Entry& entry : result.constraints) {
    auto same = std::ranges::find(part.constraints, entry.name, &Integrability::Entry::name);
    if (same != part.constraints.end())
      entry.in_system = same->in_system;
    else if (entry.by_itself == true)
      entry.in_system = true;
  }
  result.integrals = part.integrals;
  result.remark = part.remark;
}

}  // namespace

Integrability decide_integrability(const Model& given, double work) {
  Integrability result;
  constexpr std::size_t largest = 30;  // coordinates; brackets of more take longer than anyone waits
  std::vector<std::size_t> entry_of(given.constraints.size());
  bool any_differential = false;
  for (std::size_t a = 0; a < given.constraints.size(); ++a) {
    const Constraint& constraint = given.constraints[a];
    if (constraint.kind == ConstraintKind::one_sided) continue;
    entry_of[a] = result.constraints.size();
    const bool geometric = constraint.kind == ConstraintKind::geometric;
    any_differential |= !geometric;
    const std::optional<bool> by_nature = geometric ? std::optional(true) : std::nullopt;
    result.constraints.push_back({constraint.name, by_nature, by_nature});
  }
  if (!any_differential) {
    result.integrals = result.constraints.size();
    return result;
  }
  if (given.coordinates.size() > largest) {
    result.remark = "too many coordinates to decide integrability";
    return result;
  }
  const Model model = fork(given);
  const Manifold manifold(model);
  for (std::size_t a = 0; a < model.constraints.size(); ++a)
    if (model.constraints[a].kind == ConstraintKind::differential)
      result.constraints[entry_of[a]].by_itself = integrates_by_itself(model, model.constraints[a], manifold);
  if (are_proved_unintegrable(model)) {
    result.integrals = std::ranges::count(model.constraints, ConstraintKind::geometric, &Constraint::kind);
    for (std::size_t a = 0; a < model.constraints.size(); ++a)
      if (model.constraints[a].kind == ConstraintKind::differential) result.constraints[entry_of[a]].in_system = false;
    return result;
  }
  const QuasiFrame frame = make_frame(model);
  if (!frame.dependent.empty()) {
    decide_without(frame.dependent, model, work, result);
    return result;
  }
  DerivedFlag flag(model, frame, manifold, work);
  if (!flag.close()) {
    result.remark = "the zero test could not decide whether a bracket leaves the distribution";
    return result;
  }
  for (std::size_t a = 0; a < flag.names().size(); ++a)
    result.constraints[entry_of[flag.names()[a]]].in_system = flag.is_annihilated(a);
  result.integrals = flag.integral_count();
  return result;
}

}  // namespace dalembert
