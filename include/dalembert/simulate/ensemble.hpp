#pragma once
// Many motions of one system, four at a time in the lanes of a processor.

#include <dalembert/simulate/system.hpp>
#include <exception>

namespace dalembert {

/// Steps are chosen lane by lane; the right-hand sides of a step are evaluated for all lanes at once. Rows, events and
/// decisions are each motion's own, and so is the way back onto the constraints, so that a member is the motion that
/// System::simulate gives, to the last bit. A motion that needs a decision (a singular configuration, another choice of
/// rows) leaves the pack and goes on alone. Systems whose every step asks for more than a formula of accelerations
/// (contacts, quasi-velocities, impulses) are left to System::simulate.
class Ensemble {
 public:
  /// Motions of these equations can go in lanes, and the processor has them.
  static bool applies(const Equations& equations);
  explicit Ensemble(const System& system);

  /// A motion, or why it could not be begun.
  struct Outcome {
    std::size_t member = 0;  ///< counted as `next` gave them
    Trajectory motion;
    std::exception_ptr failure;
  };
  /// On the calling thread: asks for members until there is none, hands over each when it has ended, in the order of
  /// their ends. Any number of threads may do so at once.
  void run(const std::function<std::optional<SimulateOptions>()>& next, const std::function<void(Outcome)>& done) const;

 private:
  std::shared_ptr<const CompiledSystem> system_;
  struct Lanes;
  std::shared_ptr<const Lanes> lanes_;
};

}  // namespace dalembert
