// Our accelerations at a state, and whole motions, beside those of other engines, in one run on one core: medians of
// nine rounds, each with all engines in turn. `bench_peers` prints the table that bench/RESULTS.md keeps.

#include <sched.h>

#include "models.hpp"
#include "peers/peers.hpp"
#include "prepared.hpp"

namespace dalembert::bench {

/// Hinges of cranks and couplers about z in turn, couplers on cranks -> th of all cranks, be of all couplers.
std::vector<double> to_fourbar_angles(const std::vector<double>& hinges) {
  std::vector<double> cranks, couplers;
  for (std::size_t k = 0; k < hinges.size(); ++k) {
    if (k % 2 == 0)
      cranks.push_back(-hinges[k]);
    else
      couplers.push_back(hinges[k] + hinges[k - 1]);
  }
  cranks.insert(cranks.end(), couplers.begin(), couplers.end());
  return cranks;
}

/// X, Y, height, heading, lean, spin -> without the height.
std::vector<double> to_disk(std::vector<double> all) {
  all.erase(all.begin() + 2);
  return all;
}

namespace {

Asked our_model(const Model& model) {
  auto prepared = std::make_shared<Prepared>(model);
  return {[prepared] { prepared->ask(); }, [prepared] { return prepared->accelerations(); }};
}

std::vector<double> chain_start(int links) {
  std::vector<double> start;
  for (int k = 1; k <= links; ++k) start.push_back(chain_angle(k));
  for (int k = 1; k <= links; ++k) start.push_back(chain_rate(k));
  return start;
}

struct Peer {
  const char* name;
  const char* how;  // how it keeps constraints
  Asked asked;
  double goal;  // how many times faster we want to be
  /// Its accelerations in our coordinates.
  std::function<std::vector<double>(std::vector<double>)> translate = {};
};

/// One line a peer: times, ratio, goal, and whether it is the same mechanics.
void row(const std::string& work, const Asked& ours, std::vector<Peer> peers) {
  std::vector<std::function<void()>> all = {ours.ask};
  for (const Peer& peer : peers) all.push_back(peer.asked.ask);
  const std::vector<double> times = measure_in_turn(all);
  ours.ask();
  for (std::size_t k = 0; k < peers.size(); ++k) {
    std::vector<double> theirs = peers[k].asked.accelerations();
    if (peers[k].translate) theirs = peers[k].translate(theirs);
    fmt::print("| {} | {:.3f} | {} ({}) | {:.3f} | {:.1f} | {:.0f} | {:.1e} |\n", work, 1e6 * times[0], peers[k].name,
               peers[k].how, 1e6 * times[k + 1], times[k + 1] / times[0], peers[k].goal,
               largest_difference(ours.accelerations(), theirs));
  }
  std::fflush(stdout);
}

/// Angle, x, y -> x, y, angle.
std::vector<double> to_sleigh(const std::vector<double>& planar) { return {planar[1], planar[2], planar[0]}; }

void pin() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);
}

void run_all() {
  fmt::print("| work | ours, µs | peer | peer, µs | ratio | goal | difference |\n|---|---|---|---|---|---|---|\n");
  // MuJoCo reads no files of more than about ninety bodies in each other.
  for (const int links : {1, 10, 50, 90})
    row(fmt::format("chain of {}, relative angles", links), our_model(make_chain(links)),
        {{"MuJoCo", "no constraints", mujoco_chain(chain_start(links)), links < 10 ? 8.0 : 20.0},
         {"Simbody", "no constraints", simbody_chain(chain_start(links)), links < 10 ? 8.0 : 20.0},
         {"DART", "no constraints", dart_chain(chain_start(links)), links < 10 ? 8.0 : 20.0}});
  for (const int joints : {7, 20})
    row(fmt::format("spatial arm of {} joints, generic inertia", joints),
        our_model(make_model(parse_description(spatial_arm(joints)))),
        {{"MuJoCo", "no constraints", mujoco_arm(joints), 6},
         {"Simbody", "no constraints", simbody_arm(joints), 6},
         {"DART", "no constraints", dart_arm(joints), 6}});
  for (const int count : {1, 10, 40}) {
    Overrides tilted;  // at the model's own start nothing accelerates
    tilted.push_back({"N", std::to_string(count)});
    for (int i = 0; i <= count; ++i) tilted.push_back({fmt::format("th{}", i), fmt::format("{}", fourbar_tilt)});
    row(fmt::format("{} four-bars", count), our_model(load_model("models:iftomm_A02_fourbar", tilted)),
        {{"MuJoCo", "soft", mujoco_fourbars(count), 25, to_fourbar_angles},
         {"Simbody", "exact", simbody_fourbars(count), 500, to_fourbar_angles}});
  }
  row("Chaplygin sleigh", our_model(load_model("models:chaplygin_sleigh_offset")),
      {{"Simbody", "exact", simbody_sleigh(), 500, to_sleigh}});
  row("leaning disk", our_model(load_model("models:rolling_disk_tilted")),
      {{"Simbody", "exact", simbody_disk(), 500, to_disk}});
  fmt::print("\nMuJoCo, double pendulum, Runge-Kutta 4: {:.3g} instance-steps a second\n",
             1 / measure_in_turn({mujoco_double_pendulum_step()})[0]);
  run_motions();
}

}  // namespace
}  // namespace dalembert::bench

int main() {
  dalembert::bench::pin();
  dalembert::bench::run_all();
}
