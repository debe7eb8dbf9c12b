#include <fmt/format.h>

#include <dalembert/base/failure.hpp>
#include <dalembert/study/questions.hpp>

namespace dalembert {

State state_at(const System& system, const std::optional<double>& time, const std::atomic<bool>* stop,
               const std::string& key) {
  State start = system.make_initial_start().state;
  if (!time || *time == start.t) return start;
  if (*time < start.t)
    throw InputError({"",
                      {},
                      key,
                      fmt::format("{} lies before the start at t = {}", *time, start.t),
                      "motions are followed forwards: give a later time"});
  const Trajectory run = system.simulate({.until = time, .every = time, .stop = stop});
  if (run.status != Status::finished)
    throw ComputationError(fmt::format("the motion does not reach t = {:.6g}: {}", *time, run.message));
  return run.last;
}

}  // namespace dalembert
