#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/release/released_row.hpp"

namespace dalembert {
namespace {

JointLoad derive_one(const Model& model, const Joint& joint) {
  const Frame& parent = model.frames[model.frames[joint.frame].parent];
  JointLoad load;
  load.name = joint.name;
  load.parent = parent.name;
  for (std::size_t i = 0; i < 6; ++i) {
    ReleasedRow row = derive_released_row(joint.variation, i);
    (i < 3 ? load.force_parent[i] : load.couple_parent[i - 3]) = row.rho;
    for (std::string& name : row.carried)
      if (std::ranges::find(load.carried, name) == load.carried.end()) load.carried.push_back(std::move(name));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    load.force[i] = dot(parent.rotation[i], load.force_parent);
    load.couple[i] = dot(parent.rotation[i], load.couple_parent);
  }
  return load;
}

}  // namespace

std::vector<JointLoad> derive_joints(const std::shared_ptr<const Model>& own) {
  std::vector<JointLoad> loads;
  for (const Joint& joint : own->joints) loads.push_back(derive_one(*own, joint));
  return loads;
}

JointLoads derive_joints(const Model& model) {
  const auto own = std::make_shared<const Model>(fork(model));
  return {own, derive_joints(own)};
}

}  // namespace dalembert
