#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/failure.hpp>

#include "base/tolerances.hpp"
#include "study/continuation.hpp"
#include "study/periodic/problem.hpp"

// Branches of periodic motions by the machine of equilibria: the unknowns are what is free, and the parameter.

namespace dalembert {
namespace {

using Complexes = std::vector<std::complex<double>>;

constexpr double longest_step = 0.05;  // in parts of what is free, and of the range

double product_of(const Complexes& values, double shift) {
  std::complex<double> all = 1;
  for (const auto& value : values) all *= value + shift;
  return all.real();
}

/// Zero where two multipliers are inverse to each other, as those of a pair on the circle are.
double product_of_pairs(const Complexes& values) {
  std::complex<double> all = 1;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) all *= values[i] * values[j] - 1.0;
  return all.real();
}

class BranchFollower {
 public:
  BranchFollower(const Model& model, const LocusRange& range, const PeriodicOptions& options)
      : range_(range), options_(options), problem_(model, options), margin_(multiplier_margin(problem_.precision())) {
    const Eigen::VectorXd start = problem_.start();
    weights_ = problem_.find_weights(start);
    weights_.back() = 1 / (range.last - range.first);
    start_.y.assign(start.data(), start.data() + start.size());
    arc_.emplace([this](const std::vector<double>& y) { return evaluate(y); },
                 ContinuationPlan{.weights = weights_,
                                  .longest = std::min(longest_step, range.step / (range.last - range.first)),
                                  .settled = tolerance::settled});
  }

  void trace(PeriodicDiagram& diagram) {
    look(start_.y);
    if (!shot_.ok) throw ComputationError("the motion cannot be followed: " + shot_.problem);
    diagram.points = join_both_ways(start_, *arc_, [&](const Knot& start, bool& closed) {
      std::vector<SpecialPeriodic> special;
      std::vector<PeriodicPoint> points = walk(start, special, diagram, closed);
      if (start.tangent.back() < 0) std::ranges::reverse(special);
      diagram.special.insert(diagram.special.end(), special.begin(), special.end());
      return points;
    });
  }

 private:
  /// The last shot is kept: what a place is asked for comes after it was found.
  const PeriodShot& look(const std::vector<double>& y) {
    if (y != seen_) {
      shot_ = problem_.shoot(Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size())));
      seen_ = y;
      if (!shot_.ok) problem_text_ = shot_.problem;
    }
    return shot_;
  }

  std::optional<CurveValues> evaluate(const std::vector<double>& y) {
    const PeriodShot& shot = look(y);
    if (!shot.ok) return std::nullopt;
    const Eigen::VectorXd residual = problem_.residual(shot);
    const Eigen::MatrixXd slopes = problem_.slopes(shot);
    CurveValues made{{residual.begin(), residual.end()},
                     NumberMatrix(static_cast<std::size_t>(slopes.rows()), static_cast<std::size_t>(slopes.cols()))};
    for (std::size_t i = 0; i < made.slopes.rows; ++i)
      for (std::size_t j = 0; j < made.slopes.columns; ++j)
        made.slopes(i, j) = slopes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    return made;
  }

  Complexes others(const Knot& knot) { return leave_own_out(find_multipliers(look(knot.y)), problem_.period_free()); }
  std::size_t count(const Complexes& multipliers) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(multipliers, [&](const auto& value) { return std::abs(value) > 1 + margin_; }));
  }

  PeriodicPoint point(const Knot& knot) {
    const PeriodShot& shot = look(knot.y);
    const Eigen::Map<const Eigen::VectorXd> z(knot.y.data(), static_cast<Eigen::Index>(knot.y.size()));
    return {knot.y.back(),
            problem_.period(z),
            {shot.start.t, shot.start.q, shot.start.u},
            find_multipliers(shot),
            count(others(knot))};
  }

  double outside(const Knot& knot) const {
    return std::max(range_.first - knot.y.back(), knot.y.back() - range_.last) / (range_.last - range_.first);
  }

  std::vector<PeriodicPoint> walk(const Knot& start, std::vector<SpecialPeriodic>& special, PeriodicDiagram& diagram,
                                  bool& closed) {
    std::vector<PeriodicPoint> points{point(start)};
    std::string why;
    const auto pass = [&](const Knot& from, const Knot& to, double size) {
      if (!returns(to)) {
        why = "the state does not return there any more: let more be free";
        return false;
      }
      if (problem_.period_free() && ahead(from, to) < 0) {
        const auto test = [&](const Knot& knot) { return ahead(from, knot); };
        special.push_back({"hopf", point(arc_->find_zero(from, to, size, test).knot)});
        points.push_back(special.back().at);
        return false;
      }
      points.push_back(point(to));
      mark(from, to, size, points[points.size() - 2].unstable, points.back().unstable, special);
      grow(to);
      return true;
    };
    problem_text_.clear();
    const Continuation::Ending end = arc_->walk(start, {[&](const Knot& knot) { return outside(knot); }, pass});
    closed = end == Continuation::Ending::closed;
    if (end == Continuation::Ending::stuck)
      why = problem_text_.empty() ? "no motion was found beside the last" : problem_text_;
    if (end == Continuation::Ending::long_enough) why = "it has as many points as are made";
    if (options_.stop != nullptr && *options_.stop) why = "stopped";
    if (!why.empty())
      diagram.notes.push_back(
          fmt::format("the branch is not followed beyond {} = {:.6g}: {}", range_.name, points.back().value, why));
    return points;
  }

  /// A motion that has become larger is measured by its new size.
  void grow(const Knot& knot) {
    double growth = 1;
    for (std::size_t i = 0; i < problem_.period_index(); ++i)
      growth = std::max(growth, std::abs(knot.y[i]) * weights_[i]);
    for (std::size_t i = 0; i < problem_.period_index(); ++i) weights_[i] /= growth;
    if (growth > 1) arc_->set_weights(weights_);
  }

  bool returns(const Knot& knot) {
    const PeriodShot& shot = look(knot.y);
    return problem_.residual(shot).lpNorm<Eigen::Infinity>() <= problem_.allowed(shot);
  }

  /// A motion that shrinks to rest and beyond is the same one half a period later: its rates have turned round.
  double ahead(const Knot& from, const Knot& to) {
    const Eigen::VectorXd before = look(from.y).rate;
    return before.dot(look(to.y).rate);
  }

  /// As of equilibria: a fold turns back and changes stability, a branch point does one of both by a multiplier 1.
  void mark(const Knot& from, const Knot& to, double size, std::size_t before, std::size_t after,
            std::vector<SpecialPeriodic>& special) {
    const bool turned = from.tangent.back() * to.tangent.back() < 0;
    if (!turned && before == after) return;
    std::string kind = turned && before != after ? "fold" : "branch";
    std::function<double(const Knot&)> test = [](const Knot& knot) { return knot.tangent.back(); };
    if (!turned) {
      const std::complex<double> crossing = others(after > before ? to : from)[std::min(before, after)];
      if (crossing.imag() != 0) {
        kind = "Neimark-Sacker";
        test = [this](const Knot& knot) { return product_of_pairs(others(knot)); };
      } else {
        if (crossing.real() < 0) kind = "period doubling";
        const double shift = crossing.real() < 0 ? 1 : -1;
        test = [this, shift](const Knot& knot) { return product_of(others(knot), shift); };
      }
    }
    // Where the test is zero all along one side, as of pairs that stay on the circle, the count decides.
    const bool is_smooth = test(from) * test(to) < 0;
    const auto is_beyond = [&](const Knot& knot) { return count(others(knot)) != before; };
    special.push_back(
        {kind, point(is_smooth ? arc_->find_zero(from, to, size, test).knot : arc_->bisect(from, size, is_beyond))});
  }

  LocusRange range_;
  PeriodicOptions options_;
  PeriodicProblem problem_;
  double margin_;
  Knot start_;
  std::vector<double> weights_;
  std::optional<Continuation> arc_;
  std::vector<double> seen_;
  PeriodShot shot_;
  std::string problem_text_;
};

/// The model's numbers with those of a motion.
Model with_motion(const Model& model, const PeriodicMotion& motion) {
  NamedNumbers given;
  for (const auto& [name, value] : motion.found)
    if (std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end())
      given.emplace_back(name, value);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    given.emplace_back(model.coordinates[i].name, motion.start.q[i]);
    given.emplace_back(model.coordinates[i].rate.name(), motion.start.rates[i]);
  }
  return with_values(fork(model), given);
}

}  // namespace

PeriodicDiagram follow_periodic(const Model& model, const LocusRange& range, const PeriodicOptions& options) {
  check_range(range);
  const double own = parameter_values(model)[find_parameter(model, range.name)];
  if (std::ranges::find(options.free, range.name) != options.free.end())
    throw InputError(
        {model.file, {}, "--over", range.name + " is free", "follow another parameter, or do not free it"});
  const double first = own >= range.first && own <= range.last ? own : range.first;
  const Model at_first = with_values(fork(model), {{range.name, first}});
  const PeriodicMotion motion = find_periodic(at_first, options);
  PeriodicOptions over = options;
  over.free.push_back(range.name);
  if (motion.has_own) over.period = motion.period;
  PeriodicDiagram diagram;
  diagram.name = range.name;
  diagram.coordinates = motion.coordinates;
  BranchFollower(with_motion(at_first, motion), range, over).trace(diagram);
  return diagram;
}

}  // namespace dalembert
