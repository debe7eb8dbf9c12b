#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "mechanics/hamel/certain.hpp"
#include "mechanics/hamel/manifold.hpp"
#include "mechanics/hamel/rows.hpp"

// The derived flag at one configuration. Fields that the constraints allow are X_j = d/dx_j - (A^-1 a_j) d/dy with the
// columns A of as many coordinates y as there are forms, their brackets are sums of d/dy, and none of it is simplified:
// what a bracket is at the configuration is a question for numbers, first to choose, then in ranges to prove.

namespace dalembert {
namespace {

using Field = std::vector<Expr>;

class FlagAt {
 public:
  FlagAt(const Model& model, std::span<const Binding> point)
      : graph_(*model.graph), variables_(configuration_symbols(model)), point_(point) {
    for (ConstraintKind kind : {ConstraintKind::geometric, ConstraintKind::differential})
      for (const Constraint& constraint : model.constraints)
        if (constraint.kind == kind) {
          forms_.push_back(constraint_form(model, constraint));
          missing_ += kind == ConstraintKind::differential ? 1 : 0;
        }
  }

  /// As many brackets as there are differential constraints, by their components along y: independent as numbers at the
  /// configuration. Empty where there are none, or more of them would have to be formed than there is room for.
  std::vector<Field> find_brackets() {
    if (!solve_forms()) return {};
    const std::size_t generators = fields_.size();
    OrthonormalBasis basis(solved_.size());
    // A step of the flag: brackets with the generators of what the last step has brought.
    for (std::size_t begin = 0, end = fields_.size(); begin < end; begin = end, end = fields_.size())
      for (std::size_t i = 0; i < generators; ++i)
        for (std::size_t j = std::max(begin, i + 1); j < end; ++j) {
          if (graph_.size() > room) return {};
          Field field = bracket(fields_[i], fields_[j]);
          const Field along = components(field);
          if (!basis.add(evaluate(along, point_), tolerance::independent)) continue;
          found_.push_back(along);
          fields_.push_back(std::move(field));
          if (found_.size() == missing_) return found_;
        }
    return {};
  }

 private:
  static constexpr std::size_t room = 1'000'000;  // nodes

  /// Gauss-Jordan elimination with the largest pivot at the configuration; time is no coordinate to solve for.
  bool solve_forms() {
    const Unflattened shared(graph_);
    for (std::size_t a = 0; a < forms_.size(); ++a) {
      std::size_t row = a, column = 0;
      double largest = 0;
      for (std::size_t b = a; b < forms_.size(); ++b) {
        const std::vector<double> values = evaluate(forms_[b], point_);
        for (std::size_t l = 0; l + 1 < values.size(); ++l)
          if (std::fabs(values[l]) > largest) row = b, column = l, largest = std::fabs(values[l]);
      }
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      std::swap(forms_[a], forms_[row]);
      eliminate(a, column);
      solved_.push_back(column);
    }
    for (std::size_t l = 0; l < variables_.size(); ++l) {
      if (std::ranges::find(solved_, l) != solved_.end()) continue;
      Field field(variables_.size(), graph_.constant(0));
      field[l] = graph_.constant(1);
      for (std::size_t a = 0; a < solved_.size(); ++a) field[solved_[a]] = -forms_[a][l];
      fields_.push_back(std::move(field));
    }
    return true;
  }

  void eliminate(std::size_t row, std::size_t column) {
    const Expr scale = pow(forms_[row][column], -1);
    for (Expr& entry : forms_[row]) entry = entry * scale;
    forms_[row][column] = graph_.constant(1);
    for (std::size_t b = 0; b < forms_.size(); ++b) {
      const Expr factor = forms_[b][column];
      if (b == row || factor.is_zero()) continue;
      for (std::size_t l = 0; l < variables_.size(); ++l) forms_[b][l] = forms_[b][l] - factor * forms_[row][l];
      forms_[b][column] = graph_.constant(0);
    }
  }

  Field bracket(const Field& x, const Field& y) const {
    const Field along_x = derivative_along(y, x), along_y = derivative_along(x, y);
    Field result;
    for (std::size_t l = 0; l < x.size(); ++l) result.push_back(along_x[l] - along_y[l]);
    return result;
  }
  Field derivative_along(const Field& field, const Field& direction) const {
    std::vector<Replacement> seeds;
    for (std::size_t s = 0; s < variables_.size(); ++s) seeds.push_back({variables_[s], direction[s]});
    return directional_derivative(field, seeds);
  }
  Field components(const Field& field) const {
    Field result;
    for (std::size_t column : solved_) result.push_back(field[column]);
    return result;
  }

  Graph& graph_;
  std::vector<Expr> variables_;
  std::span<const Binding> point_;
  std::vector<Field> forms_, fields_, found_;  // fields of the flag so far; brackets by components
  std::vector<std::size_t> solved_;            // the variable of each form
  std::size_t missing_ = 0;
};

}  // namespace

bool are_proved_unintegrable(const Model& model) {
  const Model own = fork(model);  // in a graph of its own: nobody reads these formulas
  const Manifold manifold(own);
  for (std::size_t k = 0; k < manifold.points().size(); ++k) {
    const std::vector<Around> box = manifold.find_box(k);
    if (box.empty()) continue;
    const std::vector<Field> brackets = FlagAt(own, manifold.points()[k]).find_brackets();
    if (brackets.empty()) continue;
    std::vector<Expr> entries;
    for (const Field& row : brackets) entries.insert(entries.end(), row.begin(), row.end());
    if (has_independent_rows({brackets.size(), brackets[0].size(), enclose(entries, box)})) return true;
  }
  return false;
}

bool is_proved_unintegrable(const Model& model, const Constraint& constraint, const Manifold& manifold) {
  const Field form = constraint_form(model, constraint);
  const auto slope = jacobian(form, configuration_symbols(model));
  auto curl = [&](std::size_t i, std::size_t j) { return slope[j][i] - slope[i][j]; };
  std::vector<Expr> wedge;
  for (std::size_t i = 0; i < form.size(); ++i)
    for (std::size_t j = i + 1; j < form.size(); ++j)
      for (std::size_t k = j + 1; k < form.size(); ++k)
        wedge.push_back(form[i] * curl(j, k) + form[j] * curl(k, i) + form[k] * curl(i, j));
  std::erase_if(wedge, [](Expr entry) { return entry.is_zero(); });
  for (std::size_t k = 0; k < manifold.points().size() && !wedge.empty(); ++k)
    if (std::ranges::any_of(enclose(wedge, manifold.around(k)), &Range::excludes_zero)) return true;
  return false;
}

}  // namespace dalembert
