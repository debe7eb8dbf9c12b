#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "simulate/march/method.hpp"
#include "simulate/march/step_control.hpp"
#include "study/inverse/servo.hpp"
#include "study/linearize/linearizer.hpp"
#include "study/unused_name.hpp"

namespace dalembert {
namespace {

[[noreturn]] void refuse(const Model& model, const std::string& problem, const std::string& remedy) {
  throw InputError({model.file, {}, "inverse", problem, remedy});
}

/// |a||b| beside a b: what the terms of a product amount to.
NumberMatrix multiply(const NumberMatrix& a, const NumberMatrix& b, bool sizes) {
  NumberMatrix made(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) {
        const double term = a(i, k) * b(k, j);
        made(i, j) += sizes ? std::abs(term) : term;
      }
  return made;
}

/// Which derivative of each output is the first that contains an input, by the linear equations at the start: that of
/// order k has the slopes C A^(k-1) B. Nothing where none does.
std::vector<std::optional<std::size_t>> find_degrees(const Model& open, const InverseOptions& options,
                                                     const State& start) {
  NamedNumbers initial;
  for (std::size_t i = 0; i < start.q.size(); ++i) {
    initial.emplace_back(open.coordinates[i].name, start.q[i]);
    initial.emplace_back(open.coordinates[i].rate.name(), start.u[i]);
  }
  const LinearizeOptions plan{.inputs = options.by, .frozen = true};
  Linearizer linearizer(open, plan, {}, initial);
  const Linearization found = linearizer.describe(linearizer.look_at_start({}, initial));
  std::vector<std::optional<std::size_t>> degrees;
  for (const std::string& name : options.follow) {
    const auto row = static_cast<std::size_t>(std::ranges::find(found.outputs, name) - found.outputs.begin());
    NumberMatrix c(1, found.C.columns), size(1, found.C.columns);
    for (std::size_t j = 0; j < c.columns; ++j) {
      c(0, j) = found.C(row, j);
      size(0, j) = std::abs(c(0, j));
    }
    degrees.emplace_back();
    for (std::size_t order = 1; order <= found.A.rows && !degrees.back(); ++order) {
      const NumberMatrix slope = multiply(c, found.B, false), bound = multiply(size, found.B, true);
      for (std::size_t j = 0; j < slope.columns; ++j)
        if (std::abs(slope(0, j)) > tolerance::clear_sign * bound(0, j)) degrees.back() = order;
      c = multiply(c, found.A, false);
      size = multiply(size, found.A, true);
    }
  }
  return degrees;
}

const std::string& shown_name(const InverseOptions& options, std::size_t k) {
  return k < options.shown.size() ? options.shown[k] : options.follow[k];
}

/// Why the inputs are not determined at the start.
[[noreturn]] void explain(const Model& open, const InverseOptions& options, const State& start) {
  const std::vector<std::optional<std::size_t>> degrees = find_degrees(open, options, start);
  const std::string inputs = fmt::format("{}", fmt::join(options.by, ", "));
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    const std::string& name = shown_name(options, k);
    if (!degrees[k])
      refuse(open,
             fmt::format("no derivative of {} contains {} at the start: the inputs do not act on it", name, inputs),
             "name inputs whose forces reach it, or start where they do");
    if (*degrees[k] > 2)
      refuse(
          open,
          fmt::format("{} has index {}: its derivative of order {} is the first that contains {}, and outputs are "
                      "followed up to index 3, where the second does",
                      name, *degrees[k] + 1, *degrees[k], inputs),
          "follow an output where the input acts, put a constraint in the place of the spring between them, or let an "
          "input act on the output itself");
  }
  refuse(open,
         fmt::format("{} do not determine the outputs one by one at the start: they act on them in fewer than {} "
                     "independent ways",
                     inputs, options.by.size()),
         "name other inputs or outputs, or start in another configuration (not stretched out)");
}

/// y = (q, u) along the servo constraints: the textbook's loop, each step's end put back onto the constraints and onto
/// what is followed.
class InverseMarch {
 public:
  InverseMarch(Servo& servo, const InverseOptions& options, const SimulateSettings& own)
      : servo_(servo),
        options_(options),
        until_(options.until.value_or(own.until)),
        every_(options.every.value_or(own.every_given ? own.every : until_ / 1000)),
        tolerance_(options.tolerance.value_or(own.tolerance)),
        method_(make_method("dop853", 2 * servo.size())),
        scale_(2 * servo.size()),
        noise_(2 * servo.size()) {
    f_ = [this](double t, const double* y, double* slope) {
      MotionPoint at = point(t, {y, scale_.size()});
      ++motion_.statistics.evaluations;
      const bool fine = servo_.solve(at);
      for (std::size_t i = 0; i < servo_.size(); ++i) {
        slope[i] = at.u[i];
        slope[servo_.size() + i] = fine ? at.a[i] : std::numeric_limits<double>::quiet_NaN();
      }
    };
    motion_.columns = servo.columns();
    motion_.rows = Table(motion_.columns.size());
  }

  Trajectory run(const MotionPoint& start) {
    put(start, method_->start());
    t_ = start.t;
    f_(t_, method_->start().data(), method_->start_derivative().data());
    add_row(start);
    StepControl control(method_->order());
    double h = first_step();
    while (t_ < until_ && motion_.status == Status::finished) {
      h = std::min(h, until_ - t_);
      if (options_.stop != nullptr && options_.stop->load()) return end(Status::interrupted, "stopped");
      if (!(h > tolerance::smallest_step * std::max(until_, t_)))
        return end(
            Status::singular,
            fmt::format("from t = {:.6g} on the inputs do not determine the outputs: what is followed leads to a "
                        "singular configuration, or cannot be reached",
                        t_));
      const double error = take(h);
      if (error > 1 || !std::isfinite(error)) {
        ++motion_.statistics.rejected;
        h *= control.reject(error);
        continue;
      }
      add_rows(h);
      ++motion_.statistics.steps;
      method_->advance();
      t_ += h;
      if (until_ - t_ <= tolerance::smallest_step * until_) t_ = until_;
      h *= control.accept(error);
      if (options_.progress) options_.progress(t_);
    }
    return std::move(motion_);
  }

 private:
  MotionPoint point(double t, std::span<const double> y) const {
    const auto n = static_cast<std::ptrdiff_t>(servo_.size());
    return {t, {y.begin(), y.begin() + n}, {y.begin() + n, y.end()}, {}, {}};
  }
  static void put(const MotionPoint& at, std::span<double> y) {
    std::copy(at.q.begin(), at.q.end(), y.begin());
    std::copy(at.u.begin(), at.u.end(), y.begin() + static_cast<std::ptrdiff_t>(at.q.size()));
  }
  /// What a hundredth of the fastest change is; the control goes on from there.
  double first_step() {
    double size = 0, rate = 0;
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      size = std::max(size, std::abs(method_->start()[i]));
      rate = std::max(rate, std::abs(method_->start_derivative()[i]));
    }
    return std::min(until_ / 100, rate > 0 ? 0.01 * std::max(size, 0.01) / rate : until_);
  }
  /// A component counts as much as the largest so far of its kind does, but for a thousandth of it.
  void note_sizes(double h) {
    constexpr double part = 1e-3;
    const std::size_t n = servo_.size();
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      const double rate = std::abs(method_->start_derivative()[i]);
      size_[i / n] = std::max({size_[i / n], std::abs(method_->start()[i]), std::abs(method_->end()[i]), h * rate});
    }
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      scale_[i] = tolerance_ * std::max({std::abs(method_->start()[i]), std::abs(method_->end()[i]),
                                         part * size_[i / n], std::numeric_limits<double>::min()});
      noise_[i] = tolerance::cancelled * size_[i / n];
    }
  }
  /// Its error, infinite where it cannot be taken.
  double take(double h) {
    constexpr double none = std::numeric_limits<double>::infinity();
    method_->take(f_, t_, h, {});
    if (!is_finite(method_->end())) return none;
    note_sizes(h);
    const double error = method_->error(scale_, noise_);
    if (error > 1) return error;
    MotionPoint end = point(t_ + h, method_->end());
    if (!servo_.choose_at(end) || !servo_.settle(end)) return none;
    put(end, method_->end());
    f_(t_ + h, method_->end().data(), method_->end_derivative().data());
    return is_finite(method_->end_derivative()) ? error : none;
  }
  void add_rows(double h) {
    std::vector<double> y(scale_.size());
    const double end = until_ - (t_ + h) <= tolerance::smallest_step * until_ ? until_ : t_ + h;
    for (;;) {
      const double t = std::min(static_cast<double>(motion_.rows.size()) * every_, until_);
      if (t > end || motion_.rows[motion_.rows.size() - 1][0] >= until_) return;
      if (t >= t_ + h)
        std::ranges::copy(method_->end(), y.begin());
      else
        method_->interpolate(f_, (t - t_) / h, y);
      MotionPoint at = point(t, y);
      if (!servo_.settle(at)) return end_row(t);
      add_row(at);
    }
  }
  void end_row(double t) { end(Status::singular, fmt::format("at t = {:.6g} no state follows", t)); }
  void add_row(MotionPoint at) {
    if (!servo_.solve(at)) return end_row(at.t);
    const std::vector<double> row = servo_.row(at);
    motion_.rows.add(row);
    motion_.last = {at.t, at.q, at.u};
    motion_.summary.largest_residual = std::max(motion_.summary.largest_residual, row.back());
  }
  Trajectory& end(Status status, const std::string& message) {
    motion_.status = status;
    motion_.message = message;
    return motion_;
  }

  Servo& servo_;
  const InverseOptions& options_;
  double until_, every_, tolerance_, t_ = 0;
  std::unique_ptr<Method> method_;
  SlopeFunction f_;
  std::vector<double> scale_, noise_;
  double size_[2] = {0, 0};
  Trajectory motion_;
};

}  // namespace

std::string followed_name(const Description& description, std::size_t k) {
  return unused_name(description, fmt::format("follow{}", k + 1));
}

Description with_followed(Description description, Followed as) {
  if (description.inverse.follow.empty() || description.inverse.by.empty())
    throw ModelError({description.file,
                      {},
                      "inverse",
                      "it is not said what follows which function by which inputs",
                      "write [inverse] follow = { \"theta\" = \"0.3*sin(t)\" } and by = [\"tau\"]"});
  const auto family = [](const std::string& name) { return name.substr(0, name.find('[')); };
  for (const Text& name : description.inverse.by)
    for (const Named<Text>& parameter : description.parameters)
      if (family(parameter.name.text) == family(name.text))
        throw ModelError({description.file, name.place, "inverse.by",
                          fmt::format("{} is a parameter and no input", name.text),
                          fmt::format("name an input, or write {} = {} in [inputs] instead of [parameters]",
                                      parameter.name.text, parameter.what.text)});
  const Description written = description;
  for (std::size_t k = 0; k < written.inverse.follow.size(); ++k) {
    const Named<Text>& entry = written.inverse.follow[k];
    const Text name(followed_name(written, k), entry.name.place);
    if (as == Followed::constraints)
      description.constraint(name, Text(fmt::format("{} = {}", entry.name.text, entry.what.text), entry.name.place));
    else
      description.output(
          name, VectorText(Text(fmt::format("{} - ({})", entry.name.text, entry.what.text), entry.name.place)));
  }
  return description;
}

InverseMotion solve_inverse(const Model& bound, const Model& open, const InverseOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Servo servo(bound, options);
  const State state = servo.start();
  MotionPoint start{state.t, state.q, state.u, {}, {}};
  if (!servo.choose_at(start) || !servo.determines(start)) explain(open, options, state);
  servo.check_drives(start);
  for (const std::optional<std::size_t>& degree : find_degrees(open, options, state))
    if (!degree || *degree > 2) explain(open, options, state);
  InverseMotion made{InverseMarch(servo, options, bound.simulate).run(start), servo.index()};
  made.motion.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  made.motion.notes.insert(made.motion.notes.begin(), fmt::format("index {}", made.index));
  return made;
}

}  // namespace dalembert
