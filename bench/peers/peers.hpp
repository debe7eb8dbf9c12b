#pragma once
// The same mechanics in other engines. Everything but the arm is in the plane x, y, hinges about z, gravity along -y;
// SI units.

#include <functional>
#include <memory>
#include <vector>

namespace dalembert::bench {

/// A state of a model in some engine, ready to be asked for its accelerations again and again.
struct Asked {
  std::function<void()> ask;  ///< everything from the state on, nothing kept from the last time
  std::function<std::vector<double>()> accelerations;  ///< of the coordinates, after `ask`
};

/// The chain of make_chain; `start` has the angles, then the rates.
Asked mujoco_chain(const std::vector<double>& start);
Asked simbody_chain(const std::vector<double>& start);
Asked dart_chain(const std::vector<double>& start);
/// The arm of spatial_arm at its start.
Asked mujoco_arm(int joints);
Asked simbody_arm(int joints);
Asked dart_arm(int joints);
/// models:iftomm_A02_fourbar with its cranks tilted, turning with 1: N loops of uniform rods. MuJoCo's loops are
/// springs.
constexpr double fourbar_tilt = 0.4;
Asked mujoco_fourbars(int count);
Asked simbody_fourbars(int count);
/// models:chaplygin_sleigh_offset at its start.
Asked simbody_sleigh();
/// models:rolling_disk_tilted at its start.
Asked simbody_disk();
/// One step of Runge and Kutta's fourth order of models:double_pendulum.
std::function<void()> mujoco_double_pendulum_step();

/// A motion in some engine, from its start as often as it is asked for: the coordinates at its end.
using Moving = std::function<std::vector<double>(double accuracy)>;
constexpr double motion_time = 10;
/// models:iftomm_A02_fourbar with N = 1, its cranks tilted so far that it hangs and swings.
constexpr double hanging_tilt = 2.2;
Moving simbody_fourbar_motion();
/// models:rolling_disk_tilted from its own start.
Moving simbody_disk_motion();
/// From the coordinates of these hinges to ours.
std::vector<double> to_fourbar_angles(const std::vector<double>& hinges);
std::vector<double> to_disk(std::vector<double> all);
/// Prints the table of motions beside each other.
void run_motions();

}  // namespace dalembert::bench
