// Ten seconds of a motion, ours beside Simbody's: whole runs from the start, without rows, each at the loosest accuracy
// by which it ends where it should.

#include <dalembert/simulate/system.hpp>

#include "peers/peers.hpp"
#include "prepared.hpp"

namespace dalembert::bench {
namespace {

constexpr double finest = 1e-13;

Moving our_motion(const Model& model) {
  struct Ours {
    explicit Ours(const Model& model) : system(derive_multipliers(model)), workspace(system.make_workspace()) {}
    System system;
    Workspace workspace;
  };
  return [ours = std::make_shared<Ours>(model)](double accuracy) {
    return ours->system.simulate(ours->workspace, {.until = motion_time, .every = motion_time, .tolerance = accuracy})
        .last.q;
  };
}

struct Met {
  double accuracy, off;
};

/// The loosest accuracy, by decades, that ends no more than `most` from `right`.
Met find_accuracy(const Moving& moving, const std::vector<double>& right, double most) {
  for (double accuracy = 1e-2; accuracy > finest / 2; accuracy /= 10)
    if (const double off = largest_difference(right, moving(accuracy)); off <= most) return {accuracy, off};
  return {NAN, NAN};
}

void row(const char* work, const Moving& ours, const Moving& theirs) {
  const std::vector<double> right = ours(finest);
  for (const double most : {1e-3, 1e-6}) {
    const Met our = find_accuracy(ours, right, most), their = find_accuracy(theirs, right, most);
    const std::vector<double> times = measure_in_turn({[&] { ours(our.accuracy); }, [&] { theirs(their.accuracy); }});
    fmt::print("| {}, to {:.0e} | {:.3f} | {:.0e} | {:.0e} | {:.1f} | {:.0e} | {:.0e} | {:.0f} | 50 |\n", work, most,
               1e3 * times[0], our.accuracy, our.off, 1e3 * times[1], their.accuracy, their.off, times[1] / times[0]);
    std::fflush(stdout);
  }
}

}  // namespace

void run_motions() {
  fmt::print(
      "\n| {:.0f} s of | ours, ms | tolerance | error | Simbody, ms | accuracy | error | ratio | goal |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      motion_time);
  const std::string tilt = fmt::format("{}", hanging_tilt);
  row("four-bar, hanging",
      our_motion(load_model("models:iftomm_A02_fourbar", {{"N", "1"}, {"th0", tilt}, {"th1", tilt}})),
      [theirs = simbody_fourbar_motion()](double accuracy) { return to_fourbar_angles(theirs(accuracy)); });
  row("leaning disk", our_motion(load_model("models:rolling_disk_tilted")),
      [theirs = simbody_disk_motion()](double accuracy) { return to_disk(theirs(accuracy)); });
}

}  // namespace dalembert::bench
