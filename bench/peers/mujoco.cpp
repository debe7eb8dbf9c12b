#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "models.hpp"
#include "peers/peers.hpp"

namespace dalembert::bench {
namespace {

/// A model of MuJoCo with its data. No contacts, no actuators: what is measured is the mechanics.
struct World {
  explicit World(const std::string& bodies, const std::string& more = "",
                 const std::string& options = "gravity=\"0 -9.81 0\"") {
    const std::string file = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                             fmt::format("/dalembert_bench_{}.xml", static_cast<const void*>(this));
    std::ofstream(file) << fmt::format(
        "<mujoco><compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\"/>"
        "<option {}><flag contact=\"disable\"/></option><size nconmax=\"0\" njmax=\"4000\"/>"
        "<worldbody>{}</worldbody>{}</mujoco>",
        options, bodies, more);
    char error[1000] = "";
    model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::remove(file.c_str());
    if (model == nullptr) {
      fmt::print(stderr, "MuJoCo: {}\n", error);
      std::exit(2);
    }
    data = mj_makeData(model);
  }
  ~World() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  mjModel* model = nullptr;
  mjData* data = nullptr;
};

Asked make_asked(std::shared_ptr<World> world) {
  return {[world] { mj_forward(world->model, world->data); },
          [world] { return std::vector<double>(world->data->qacc, world->data->qacc + world->model->nv); }};
}

std::string rod(const std::string& name, const std::string& at, const std::string& centre, const std::string& inside) {
  return fmt::format(
      "<body name=\"{}\" pos=\"{}\"><joint type=\"hinge\" axis=\"0 0 1\"/>"
      "<inertial pos=\"{}\" mass=\"1\" diaginertia=\"0.0833333333333333 0.0833333333333333 "
      "0.0833333333333333\"/>{}</body>",
      name, at, centre, inside);
}

}  // namespace

Asked mujoco_chain(const std::vector<double>& start) {
  const int links = static_cast<int>(start.size() / 2);
  std::string inside;
  for (int k = links; k >= 1; --k)
    inside = rod(fmt::format("link{}", k), k == 1 ? "0 0 0" : "0 -1 0", "0 -0.5 0", inside);
  auto world = std::make_shared<World>(inside);
  for (int k = 1; k <= links; ++k) {
    world->data->qpos[k - 1] = start[static_cast<std::size_t>(k - 1)];
    world->data->qvel[k - 1] = start[static_cast<std::size_t>(links + k - 1)];
  }
  return make_asked(world);
}

Asked mujoco_arm(int joints) {
  const double* i = arm_inertia;
  const std::string inertia = fmt::format("{} {} {} {} {} {}", i[0], i[1], i[2], i[3], i[5], i[4]);
  std::string inside;
  for (int k = joints; k >= 1; --k)
    inside = fmt::format(
        "<body pos=\"{}\" axisangle=\"{} {}\"><joint type=\"hinge\" axis=\"0 0 1\"/>"
        "<inertial pos=\"{}\" mass=\"{:.17g}\" fullinertia=\"{}\"/>{}</body>",
        k == 1 ? "0 0 0" : fmt::format("{}", fmt::join(arm_offset, " ")),
        arm_joint(k).inclined_about == 'x' ? "1 0 0" : "0 1 0", arm_incline, fmt::join(arm_centre, " "),
        arm_joint(k).mass, inertia, inside);
  auto world = std::make_shared<World>(inside, "", "gravity=\"0 0 -9.81\"");
  for (int k = 1; k <= joints; ++k) {
    world->data->qpos[k - 1] = arm_joint(k).angle;
    world->data->qvel[k - 1] = arm_joint(k).rate;
  }
  return make_asked(world);
}

Asked mujoco_fourbars(int count) {
  std::string bodies, joints;
  for (int i = 0; i <= count; ++i) {
    const std::string coupler = i == count ? "" : rod(fmt::format("coupler{}", i + 1), "0 1 0", "0.5 0 0", "");
    bodies += rod(fmt::format("crank{}", i), fmt::format("{} 0 0", i), "0 0.5 0", coupler);
    if (i > 0) joints += fmt::format("<connect body1=\"coupler{0}\" body2=\"crank{0}\" anchor=\"1 0 0\"/>", i);
  }
  auto world = std::make_shared<World>(bodies, "<equality>" + joints + "</equality>");
  // Cranks turn with -1 about z; couplers, which are on cranks, turn back.
  for (int v = 0; v < world->model->nv; ++v) {
    world->data->qpos[v] = v % 2 == 0 ? -fourbar_tilt : fourbar_tilt;
    world->data->qvel[v] = v % 2 == 0 ? -1 : 1;
  }
  return make_asked(world);
}

std::function<void()> mujoco_double_pendulum_step() {
  const auto bob = [](const std::string& at, double length, double mass, const std::string& inside) {
    return fmt::format(
        "<body pos=\"{}\"><joint type=\"hinge\" axis=\"0 0 1\"/>"
        "<inertial pos=\"0 {} 0\" mass=\"{}\" diaginertia=\"1e-9 1e-9 1e-9\"/>{}</body>",
        at, -length, mass, inside);
  };
  auto world = std::make_shared<World>(bob("0 0 0", 0.8, 1.5, bob("0 -0.8 0", 1.1, 0.7, "")), "",
                                       "gravity=\"0 -9.81 0\" integrator=\"RK4\" timestep=\"0.001\"");
  world->data->qpos[0] = 0.7;
  world->data->qpos[1] = -1.1;
  return [world] { mj_step(world->model, world->data); };
}

}  // namespace dalembert::bench
