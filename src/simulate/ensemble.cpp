#include <array>
#include <cmath>
#include <dalembert/simulate/ensemble.hpp>

#include "simulate/march/motion.hpp"

namespace dalembert {
namespace {

constexpr std::size_t lane_count = Pack::lanes;
static_assert(lane_count == Function::lane_count);

}  // namespace

/// The straight-line code of the right-hand side, for lanes: the very program that a motion alone runs.
struct Ensemble::Lanes {
  Function function;
};

bool Ensemble::applies(const Equations& equations) {
  return is_native_available() && equations.contacts.empty() && !equations.quasi && equations.impulses.empty() &&
         equations.velocities.size() == equations.coordinates.size();
}

Ensemble::Ensemble(const System& system) : system_(system.compiled_) {
  const Kernel fast = system_->fast({});
  if (!fast || !system_->rates_are_velocities) return;
  lanes_ = std::make_shared<const Lanes>(
      Lanes{compile(fast.function().program(), {.native = true, .scalar = false, .lanes = true})});
}

namespace {

/// Whose derivative is the straight-line code without further parameters.
bool goes_along(March& march) {
  const Selection& selection = *march.course().selection();
  return march.is_plain() && selection.is_whole() && selection.mending().empty();
}

}  // namespace

/// A lane's motion, while there is one.
struct Lane {
  explicit Lane(const std::shared_ptr<const CompiledSystem>& system) : evaluator(system) {}
  SystemEvaluator evaluator;
  std::optional<Motion> motion;
  std::size_t member = 0;
  double h = 0;
};

/// Four lanes on one thread.
class LaneCrew {
 public:
  LaneCrew(const std::shared_ptr<const CompiledSystem>& system, const Function& function,
           const std::function<std::optional<SimulateOptions>()>& next,
           const std::function<void(Ensemble::Outcome)>& done)
      : system_(*system), function_(function), next_(next), done_(done) {
    for (std::size_t l = 0; l < lane_count; ++l) lanes_.push_back(std::make_unique<Lane>(system));
    pack_ = make_pack("dop853", system->size());
    if (!function_) return;
    scratch_ = function_.make_scratch();
    parameters_.assign(lane_count * function_.parameter_count(), 0.0);
    inputs_.assign(lane_count * function_.input_count(), 0.0);
  }

  void run() {
    const LaneSlopeFunction f = [this](const std::array<double, lane_count>& t, const double* y, double* dy) {
      evaluate(t, y, dy);
    };
    while (true) {
      std::array<Method*, lane_count> methods{};
      std::array<double, lane_count> t{}, h{};
      std::size_t together = 0;
      for (std::size_t l = 0; l < lane_count; ++l) {
        if (!plan(l)) continue;
        March& march = *lanes_[l]->motion->march();
        if (!function_ || !goes_along(march)) {
          march.take(lanes_[l]->h);
          march.finish(lanes_[l]->h);
          continue;
        }
        methods[l] = &march.course().method();
        t[l] = march.course().t();
        h[l] = lanes_[l]->h;
        ++together;
      }
      if (is_over()) return;
      if (together == 0) continue;
      take(f, methods, t, h, together);
    }
  }

 private:
  bool is_over() const {
    return std::ranges::none_of(lanes_, [](const auto& lane) { return lane->motion.has_value(); });
  }

  /// The next step of a lane; a motion that has ended makes room for the next member. False where there is none.
  bool plan(std::size_t l) {
    Lane& lane = *lanes_[l];
    while (true) {
      if (!lane.motion && !begin(l)) return false;
      March* march = lane.motion->march();
      if (march != nullptr) {
        if (const std::optional<double> h = march->plan()) {
          lane.h = *h;
          return true;
        }
      }
      done_({lane.member, lane.motion->take(), nullptr});
      lane.motion.reset();
    }
  }

  bool begin(std::size_t l) {
    Lane& lane = *lanes_[l];
    while (const std::optional<SimulateOptions> options = next_()) {
      lane.member = members_++;
      try {
        const MarchOptions plan = settle_options(*options, system_.model(), options->start ? options->start->t : 0.0);
        lane.evaluator.set_parameters(options->parameters);
        lane.motion.emplace(lane.evaluator, *options, plan);
        set_parameters(l);
        return true;
      } catch (const std::exception&) {
        lane.motion.reset();
        done_({lane.member, {}, std::current_exception()});
      }
    }
    return false;
  }

  void set_parameters(std::size_t l) {
    if (!function_) return;
    const std::span<const double> own = lanes_[l]->evaluator.all_parameters();
    for (std::size_t i = 0; i < function_.parameter_count(); ++i) parameters_[lane_count * i + l] = own[i];
    stale_ = true;
  }

  void take(const LaneSlopeFunction& f, const std::array<Method*, lane_count>& methods,
            std::array<double, lane_count> t, std::array<double, lane_count> h, std::size_t together) {
    if (together == 1) {  // alone, a lane is not worth four
      for (std::size_t l = 0; l < lane_count; ++l) {
        if (methods[l] == nullptr) continue;
        lanes_[l]->motion->march()->take(h[l]);
        lanes_[l]->motion->march()->finish(h[l]);
      }
      return;
    }
    if (std::exchange(stale_, false)) function_.set_lane_parameters(scratch_, parameters_);
    pack_->take(f, methods, t, h);
    for (std::size_t l = 0; l < lane_count; ++l)
      if (methods[l] != nullptr) lanes_[l]->motion->march()->finish(h[l], true);
  }

  /// (t, q, u) of all lanes; the rates are the velocities.
  void evaluate(const std::array<double, lane_count>& t, const double* y, double* dy) {
    const std::size_t q = lane_count * system_.q_count(), u = lane_count * system_.u_count();
    std::copy(t.begin(), t.end(), inputs_.begin());
    std::copy_n(y, q + u, inputs_.begin() + lane_count);
    function_.evaluate_lanes(scratch_, inputs_, {dy + q, lane_count * function_.output_count()});
    std::copy_n(y + q, q, dy);
  }

  const CompiledSystem& system_;
  Function function_;
  const std::function<std::optional<SimulateOptions>()>& next_;
  const std::function<void(Ensemble::Outcome)>& done_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<Pack> pack_;
  Scratch scratch_;
  std::vector<double> parameters_, inputs_;
  bool stale_ = true;
  std::size_t members_ = 0;
};

void Ensemble::run(const std::function<std::optional<SimulateOptions>()>& next,
                   const std::function<void(Outcome)>& done) const {
  LaneCrew(system_, lanes_ ? lanes_->function : Function(), next, done).run();
}

}  // namespace dalembert
