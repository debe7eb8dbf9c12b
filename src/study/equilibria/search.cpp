#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/study/equilibria.hpp>
#include <numbers>

#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/equilibria/balance.hpp"
#include "study/equilibria/large.hpp"
#include "study/linearize/linearizer.hpp"
#include "study/linearize/shape.hpp"
#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_contacts = 6;  // each set of closed ones is a system of its own

/// Newton's method from many starts; solutions that are known push the method away from them (deflation: Brown and
/// Gearhart 1971; Farrell, Birkisson and Funke 2015).
class Search {
 public:
  Search(Balance& balance, std::vector<SearchBox> boxes, std::vector<std::size_t> boxed, std::vector<double> start)
      : balance_(balance), boxes_(std::move(boxes)), boxed_(std::move(boxed)), start_(std::move(start)) {
    widths_.assign(start_.size(), 1.0);
    for (std::size_t k = 0; k < boxes_.size(); ++k) widths_[boxed_[k]] = boxes_[k].high - boxes_[k].low;
  }

  /// From a state drawn at random: what was found, whether inside the boxes or not.
  std::optional<std::vector<double>> run(Sampler& random) {
    std::vector<double> x = start_;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += random();
    for (std::size_t k = 0; k < boxes_.size(); ++k)
      x[boxed_[k]] = boxes_[k].low + (boxes_[k].high - boxes_[k].low) * (random() + 1) / 2;
    const std::vector<double> multipliers = balance_.guess_multipliers(x);
    x.insert(x.end(), multipliers.begin(), multipliers.end());
    constexpr int most = 60;
    for (int k = 0; k < most; ++k) {
      const CurveValues at = balance_.evaluate(x);
      if (!is_finite(at.residual) || !is_finite(at.slopes.values)) return std::nullopt;
      std::vector<double> step = solve_least(at.slopes, at.residual);
      const double part = std::min(deflate(x, step), longest(step));
      double size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] -= part * step[i];
        if (i < start_.size()) size = std::max(size, std::abs(step[i]) / widths_[i]);
      }
      if (!(size < tolerance::assembled)) continue;
      clear_rounding(x);
      return is_known(x) || !is_balanced(x) ? std::nullopt : std::optional(remember(x));
    }
    return std::nullopt;
  }

  /// low < q <= high, but for rounding.
  bool is_inside(const std::vector<double>& x) const {
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      const double room = tolerance::consistent * widths_[boxed_[k]];
      if (!(x[boxed_[k]] > boxes_[k].low + room && x[boxed_[k]] <= boxes_[k].high + room)) return false;
    }
    return true;
  }

 private:
  double distance(const std::vector<double>& a, const std::vector<double>& b) const {
    double square = 0;
    for (std::size_t i = 0; i < start_.size(); ++i) square += std::pow((a[i] - b[i]) / widths_[i], 2);
    return std::sqrt(square);
  }
  bool is_known(const std::vector<double>& x) const {
    return std::ranges::any_of(known_,
                               [&](const auto& each) { return distance(x, each) < tolerance::clearly_nonzero; });
  }
  /// Newton's method also stops where a force has no slope: what is left must be small beside what the boxes allow.
  bool is_balanced(const std::vector<double>& x) {
    const CurveValues at = balance_.evaluate(x);
    double left = 0, scale = 0;
    for (std::size_t i = 0; i < at.residual.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        sum += std::abs(at.slopes(i, j)) * (j < widths_.size() ? widths_[j] : std::abs(x[j]));
      scale = std::max(scale, sum);
      left = std::max(left, std::abs(at.residual[i]));
    }
    return left <= tolerance::consistent * scale;
  }
  /// What is below the last step beside its box is zero: where all coordinates are, a residual of 1e-27 would be judged
  /// by lengths of 1e-18.
  void clear_rounding(std::vector<double>& x) const {
    for (std::size_t i = 0; i < widths_.size(); ++i)
      if (std::abs(x[i]) < tolerance::assembled * widths_[i]) x[i] = 0;
  }
  std::vector<double> remember(const std::vector<double>& x) { return known_.emplace_back(x); }

  /// The step of the residual times the product of (1 + 1/d^2) is Newton's own times 1/(1 - s), s the relative change
  /// of that product along it.
  double deflate(const std::vector<double>& x, const std::vector<double>& step) const {
    double change = 0;
    for (const std::vector<double>& each : known_) {
      const double d = distance(x, each);
      double along = 0;
      for (std::size_t i = 0; i < start_.size(); ++i) along += (x[i] - each[i]) * -step[i] / (widths_[i] * widths_[i]);
      change += -2 * along / (d * d * (d * d + 1));
    }
    const double factor = 1 / (1 - change);
    return std::isfinite(factor) ? factor : 1;
  }
  /// No further than a part of the boxes at once.
  double longest(const std::vector<double>& step) const {
    constexpr double most = 0.25;
    double size = 0;
    for (std::size_t i = 0; i < start_.size(); ++i) size = std::max(size, std::abs(step[i]) / widths_[i]);
    return size > most ? most / size : INFINITY;
  }

  Balance& balance_;
  std::vector<SearchBox> boxes_;
  std::vector<std::size_t> boxed_;
  std::vector<double> start_, widths_;
  std::vector<std::vector<double>> known_;
};

std::vector<std::size_t> find_boxed(const Model& model, const std::vector<SearchBox>& boxes) {
  std::vector<std::string> known;
  for (const Coordinate& coordinate : model.coordinates) known.push_back(coordinate.name);
  std::vector<std::size_t> found;
  for (const SearchBox& box : boxes) {
    const auto at = std::ranges::find(known, box.coordinate);
    if (at == known.end()) {
      const std::string nearest = nearest_name(box.coordinate, known);
      throw InputError({model.file,
                        {},
                        "--box",
                        fmt::format("there is no coordinate {}", box.coordinate),
                        nearest.empty() ? fmt::format("the coordinates are {}", fmt::join(known, ", "))
                                        : fmt::format("did you mean {}?", nearest)});
    }
    if (!(box.low < box.high))
      throw InputError({model.file,
                        {},
                        "--box",
                        fmt::format("{} has no place between {} and {}", box.coordinate, box.low, box.high),
                        "write NAME=LOW:HIGH with LOW < HIGH"});
    found.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  return found;
}

/// Coordinates that matter and are independent get a box from -pi to pi where they have none.
void complete_boxes(const Model& model, const Linearizer& linearizer, Equilibria& result,
                    std::vector<std::size_t>& boxed) {
  std::vector<std::string> added;
  for (const std::size_t k : linearizer.state().coordinates) {
    const std::size_t i = linearizer.choice().free_q[k];
    if (std::ranges::find(boxed, i) != boxed.end()) continue;
    boxed.push_back(i);
    result.boxes.push_back({model.coordinates[i].name, -std::numbers::pi, std::numbers::pi});
    added.push_back(model.coordinates[i].name);
  }
  if (!added.empty())
    result.notes.push_back(
        fmt::format("{} searched from -pi to pi; --box NAME=LOW:HIGH says otherwise", fmt::join(added, ", ")));
}

/// Stability by the linear equations at the state itself.
void judge_equilibrium(Linearizer& linearizer, const Model& model, Equilibrium& found) {
  NamedNumbers initial;
  for (std::size_t i = 0; i < found.q.size(); ++i) {
    initial.emplace_back(model.coordinates[i].name, found.q[i]);
    initial.emplace_back(model.coordinates[i].rate.name(), 0.0);
  }
  try {
    linearizer.choose_at({}, initial);
    const Linearizer::Look look = linearizer.look_at_start({}, initial);
    Linearization result = linearizer.describe(look);
    judge(linearizer, look, result);
    found.stable = result.stable;
    found.verdict = result.verdict;
    const double margin = tolerance::clear_sign * find_spectrum(result.A, result.coordinate_count).size;
    for (const Mode& mode : result.modes) {
      found.unstable += mode.eigenvalue.real() > margin ? 1 : 0;
      found.eigenvalues.push_back(mode.eigenvalue);
    }
    for (std::size_t k = result.zero_blocks; k < result.zero_roots; ++k) found.eigenvalues.emplace_back(0);
  } catch (const InputError& error) {
    found.verdict = "not decided: " + error.complaint().problem;
  }
}

double sign_of(const ConstraintRow& contact) { return contact.relation == Relation::less_equal ? -1 : 1; }

/// The equilibria while these contacts hold and the others are open.
class Case {
 public:
  Case(const Equations& all, std::vector<std::size_t> closed, const EquilibriaOptions& options)
      : model_(*all.model),
        contacts_(all.contacts),
        closed_(std::move(closed)),
        row_count_(all.rows.size()),
        options_(options),
        equations_(hold_contacts(all, closed_)),
        linearizer_(equations_, {}),
        balance_(equations_, {}) {
    balance_.set_parameters(parameter_values(model_));
  }

  void run(Equilibria& result) {
    const ModelState start = initial_state(model_);
    std::vector<std::size_t> boxed = find_boxed(model_, result.boxes);
    complete(result, boxed);
    Search search(balance_, result.boxes, boxed, start.q);
    Sampler random(options_.seed);
    for (std::size_t k = 0; k < options_.starts; ++k) {
      const std::optional<std::vector<double>> x = search.run(random);
      if (!x || !search.is_inside(*x) || !is_admissible(*x)) continue;
      Equilibrium found;
      found.q.assign(x->begin(), x->begin() + static_cast<std::ptrdiff_t>(start.q.size()));
      add_reactions(*x, found);
      judge_equilibrium(linearizer_, model_, found);
      result.found.push_back(std::move(found));
    }
  }

 private:
  /// Which coordinates matter is seen where the start lies on the constraints, which it need not on those of contacts.
  void complete(Equilibria& result, std::vector<std::size_t>& boxed) {
    try {
      linearizer_.choose_at({}, {});
      complete_boxes(model_, linearizer_, result, boxed);
    } catch (const InputError&) {
      if (boxed.empty() && closed_.empty()) throw;
    }
  }

  /// Contacts that hold push; those that do not are not violated.
  bool is_admissible(const std::vector<double>& x) const {
    std::vector<Binding> at;
    const std::vector<double> parameters = parameter_values(model_);
    for (std::size_t i = 0; i < parameters.size(); ++i) at.push_back({model_.parameters[i].symbol, parameters[i]});
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) at.push_back({model_.coordinates[i].q, x[i]});
    at.push_back({model_.time, 0});
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const auto place = std::ranges::find(closed_, c);
      const double value =
          place == closed_.end()
              ? evaluate(contacts_[c].position, at)
              : x[model_.coordinates.size() + row_count_ + static_cast<std::size_t>(place - closed_.begin())];
      if (!(sign_of(contacts_[c]) * value > (place == closed_.end() ? tolerance::consistent : 0))) return false;
    }
    return true;
  }

  void add_reactions(const std::vector<double>& x, Equilibrium& found) const {
    for (const std::size_t c : closed_) found.closed.push_back(contacts_[c].name);
    for (const Constraint& constraint : model_.constraints) {
      found.reactions.push_back(0);
      for (std::size_t r = 0; r < equations_.rows.size(); ++r)
        if (equations_.rows[r].name == constraint.name) found.reactions.back() = x[found.q.size() + r];
    }
  }

  const Model& model_;
  const std::vector<ConstraintRow>& contacts_;
  std::vector<std::size_t> closed_;
  std::size_t row_count_;
  const EquilibriaOptions& options_;
  Equations equations_;
  Linearizer linearizer_;
  Balance balance_;
};

}  // namespace

Equilibria find_equilibria(const Model& model, const EquilibriaOptions& options) {
  const Equations equations = derive_multipliers(model);
  if (equations.contacts.size() > most_contacts)
    throw ModelError({model.file,
                      {},
                      "constraints",
                      fmt::format("{} one-sided constraints can be closed in too many ways", equations.contacts.size()),
                      fmt::format("leave at most {}, or make those that hold equations", most_contacts)});
  if (model.coordinates.size() > most_dense && equations.contacts.empty()) return find_large_equilibrium(equations);
  Equilibria result;
  for (const Coordinate& coordinate : model.coordinates) result.coordinates.push_back(coordinate.name);
  for (const Constraint& constraint : model.constraints) result.constraints.push_back(constraint.name);
  result.boxes = options.boxes;
  result.starts = options.starts;
  for (std::size_t set = 0; set < (std::size_t{1} << equations.contacts.size()); ++set) {
    std::vector<std::size_t> closed;
    for (std::size_t c = 0; c < equations.contacts.size(); ++c)
      if ((set >> c & 1) != 0) closed.push_back(c);
    Case(equations, std::move(closed), options).run(result);
  }
  std::ranges::stable_sort(result.found, {}, &Equilibrium::q);
  return result;
}

}  // namespace dalembert
