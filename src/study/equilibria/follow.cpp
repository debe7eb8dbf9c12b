#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/study/equilibria.hpp>

#include "base/tolerances.hpp"
#include "study/equilibria/balance.hpp"
#include "study/linearize/linearizer.hpp"

namespace dalembert {
namespace {

constexpr double longest_step = 0.02;  // in parts of boxes and range

class Follower {
 public:
  Follower(const Model& model, const Equations& equations, const LocusRange& range, std::size_t parameter,
           const std::vector<SearchBox>& boxes)
      : model_(model), range_(range), balance_(equations, {&parameter, 1}), linearizer_(equations, {}) {
    weights_.assign(balance_.size() + balance_.row_count() + 1, 0.0);
    for (std::size_t i = 0; i < balance_.size(); ++i) weights_[i] = 1;
    for (const SearchBox& box : boxes)
      for (std::size_t i = 0; i < balance_.size(); ++i)
        if (model.coordinates[i].name == box.coordinate) {
          weights_[i] = 1 / (box.high - box.low);
          limits_.push_back({i, box});
        }
    weights_.back() = 1 / (range.last - range.first);
    arc_.emplace([this](const std::vector<double>& y) { return std::optional(evaluate(y)); },
                 ContinuationPlan{.weights = weights_,
                                  .longest = std::min(longest_step, range.step * weights_.back()),
                                  .settled = tolerance::assembled});
  }

  /// Both ways from an equilibrium at a value.
  Branch trace(const Equilibrium& from, const std::vector<double>& multipliers, double value,
               std::vector<SpecialPoint>& special) {
    Knot knot{from.q, {}};
    knot.y.insert(knot.y.end(), multipliers.begin(), multipliers.end());
    knot.y.push_back(value);
    chosen_ = false;
    return {join_both_ways(knot, *arc_, [&](const Knot& start, bool& closed) { return walk(start, special, closed); })};
  }

  std::vector<double> multipliers(const Equilibrium& at, double value) {
    set_value(value);
    return balance_.guess_multipliers(at.q);
  }

  /// Branch points seen from a branch that turns back there, unless they are known.
  void add_rough(std::vector<SpecialPoint>& special) const {
    constexpr double near = 1e-2;
    for (const SpecialPoint& each : rough_) {
      const auto is_same = [&](const SpecialPoint& other) {
        if (other.kind != "branch" || std::abs(other.value - each.value) * weights_.back() > near) return false;
        for (std::size_t i = 0; i < each.q.size(); ++i)
          if (std::abs(other.q[i] - each.q[i]) * weights_[i] > near) return false;
        return true;
      };
      if (std::ranges::none_of(special, is_same)) special.push_back(each);
    }
  }

 private:
  void set_value(double value) { balance_.set_parameters(parameter_values(model_, {{range_.name, value}})); }

  CurveValues evaluate(const std::vector<double>& y) {
    set_value(y.back());
    return balance_.evaluate(std::span(y).first(y.size() - 1));
  }

  /// The roots of small motions there.
  Spectrum look(const Knot& knot) {
    NamedNumbers initial;
    for (std::size_t i = 0; i < balance_.size(); ++i) {
      initial.emplace_back(model_.coordinates[i].name, knot.y[i]);
      initial.emplace_back(model_.coordinates[i].rate.name(), 0.0);
    }
    const NamedNumbers parameters{{range_.name, knot.y.back()}};
    if (!chosen_) linearizer_.choose_at(parameters, initial);
    chosen_ = true;
    const Linearizer::Look found = linearizer_.look_at_start(parameters, initial);
    return find_spectrum(linearizer_.system_matrix(found.reduced), linearizer_.coordinate_count());
  }
  static std::size_t count(const Spectrum& spectrum) {
    return spectrum.count_right(tolerance::clear_sign * spectrum.size);
  }

  BranchPoint point(const Knot& knot) {
    BranchPoint made;
    made.value = knot.y.back();
    made.q.assign(knot.y.begin(), knot.y.begin() + static_cast<std::ptrdiff_t>(balance_.size()));
    made.unstable = count(look(knot));
    return made;
  }

  /// In parts of range and boxes. What is at an end of the range but for rounding is not outside: a branch that comes
  /// there passes there.
  double outside(const Knot& knot) const {
    const double p = knot.y.back();
    double most = std::max(range_.first - p, p - range_.last) * weights_.back() - tolerance::consistent;
    for (const auto& [i, box] : limits_)
      most = std::max({most, (box.low - knot.y[i]) * weights_[i], (knot.y[i] - box.high) * weights_[i]});
    return most;
  }

  std::vector<BranchPoint> walk(const Knot& start, std::vector<SpecialPoint>& special, bool& closed) {
    std::vector<BranchPoint> points{point(start)};
    const auto pass = [&](const Knot& from, const Knot& to, double size) {
      points.push_back(point(to));
      mark(from, to, size, points[points.size() - 2].unstable, points.back().unstable, special);
      return true;
    };
    closed = arc_->walk(start, {[&](const Knot& knot) { return outside(knot); }, pass}) == Continuation::Ending::closed;
    return points;
  }

  /// A fold turns back in the parameter and changes stability; a branch point does one of both by a real root.
  void mark(const Knot& from, const Knot& to, double size, std::size_t before, std::size_t after,
            std::vector<SpecialPoint>& special) {
    const bool turned = from.tangent.back() * to.tangent.back() < 0;
    if (!turned && before == after) return;
    const double sense = from.tangent.back();
    const auto is_beyond = [&](const Knot& k) {
      return turned ? k.tangent.back() * sense < 0 : count(look(k)) != before;
    };
    const Knot at = arc_->bisect(from, size, is_beyond);
    std::string kind = turned && before != after ? "fold" : "branch";
    if (!turned) {
      const Spectrum unstable = look(after > before ? to : from);
      if (unstable.modes[std::min(before, after)].eigenvalue.imag() != 0) kind = "hopf";
    }
    SpecialPoint found{kind, at.y.back(), {}};
    found.q.assign(at.y.begin(), at.y.begin() + static_cast<std::ptrdiff_t>(balance_.size()));
    // Where a branch turns back at another, the tangent is not well determined: the other knows the place better.
    (turned && before == after ? rough_ : special).push_back(std::move(found));
  }

  const Model& model_;
  LocusRange range_;
  Balance balance_;
  Linearizer linearizer_;
  std::optional<Continuation> arc_;
  bool chosen_ = false;
  std::vector<SpecialPoint> rough_;
  std::vector<double> weights_;
  std::vector<std::pair<std::size_t, SearchBox>> limits_;
};

/// A branch that is known passes there.
bool is_known(const Diagram& diagram, double value, const std::vector<double>& q, const std::vector<SearchBox>& boxes) {
  constexpr double near = 1e-3;
  const auto passes = [&](const BranchPoint& a, const BranchPoint& b) {
    if ((a.value - value) * (b.value - value) > 0 || a.value == b.value) return false;
    const double part = (value - a.value) / (b.value - a.value);
    for (std::size_t i = 0; i < q.size(); ++i) {
      double width = 1;
      for (const SearchBox& box : boxes)
        if (box.coordinate == diagram.coordinates[i]) width = box.high - box.low;
      if (std::abs(a.q[i] + part * (b.q[i] - a.q[i]) - q[i]) > near * width) return false;
    }
    return true;
  };
  for (const Branch& branch : diagram.branches)
    for (std::size_t k = 1; k < branch.points.size(); ++k)
      if (passes(branch.points[k - 1], branch.points[k])) return true;
  return false;
}

void check_contacts(const Model& model, const Equations& equations) {
  if (!equations.contacts.empty())
    throw ModelError({model.file,
                      {},
                      "constraints." + equations.contacts[0].name,
                      "equilibria with one-sided constraints are not followed over a parameter",
                      "make those that hold equations and leave the others out"});
}

}  // namespace

Diagram follow_equilibria(const Model& model, const LocusRange& range, const EquilibriaOptions& options) {
  const Equations equations = derive_multipliers(model);
  check_range(range);
  check_contacts(model, equations);
  const std::size_t parameter = find_parameter(model, range.name);
  Diagram diagram;
  diagram.name = range.name;
  std::optional<Follower> follower;
  for (const double value : {range.first, (range.first + range.last) / 2, range.last}) {
    const Equilibria seeds = find_equilibria(with_values(model, {{range.name, value}}), options);
    if (!follower) {
      diagram.coordinates = seeds.coordinates;
      diagram.notes = seeds.notes;
      follower.emplace(model, equations, range, parameter, seeds.boxes);
    }
    for (const Equilibrium& seed : seeds.found)
      if (!is_known(diagram, value, seed.q, seeds.boxes))
        diagram.branches.push_back(follower->trace(seed, follower->multipliers(seed, value), value, diagram.special));
  }
  follower->add_rough(diagram.special);
  std::ranges::stable_sort(diagram.special, {}, &SpecialPoint::value);
  return diagram;
}

}  // namespace dalembert
