#include <dart/dynamics/dynamics.hpp>

#include "models.hpp"
#include "peers/peers.hpp"

namespace dalembert::bench {
namespace {

using namespace dart::dynamics;

/// A tree of hinges with its state.
struct World {
  /// A body on the last one, by a hinge about z.
  void add(const Eigen::Isometry3d& from_parent, double mass, const Eigen::Vector3d& centre,
           const Eigen::Matrix3d& inertia) {
    RevoluteJoint::Properties hinge;
    hinge.mName = "hinge" + std::to_string(skeleton->getNumBodyNodes());
    hinge.mAxis = Eigen::Vector3d::UnitZ();
    hinge.mT_ParentBodyToJoint = from_parent;
    BodyNode::Properties body;
    body.mName = "body" + std::to_string(skeleton->getNumBodyNodes());
    body.mInertia = Inertia(mass, centre, inertia);
    last = skeleton->createJointAndBodyNodePair<RevoluteJoint>(last, hinge, body).second;
  }
  void ask() {
    skeleton->setPositions(q);  // what depends on positions counts as unknown
    skeleton->setVelocities(rates);
    skeleton->computeForwardDynamics();
  }

  SkeletonPtr skeleton = Skeleton::create();
  BodyNode* last = nullptr;
  Eigen::VectorXd q, rates;
};

Asked make_asked(const std::shared_ptr<World>& world) {
  return {[world] { world->ask(); },
          [world] {
            const Eigen::VectorXd found = world->skeleton->getAccelerations();
            return std::vector<double>(found.data(), found.data() + found.size());
          }};
}

}  // namespace

Asked dart_chain(const std::vector<double>& start) {
  const Eigen::Index links = static_cast<Eigen::Index>(start.size() / 2);
  auto world = std::make_shared<World>();
  for (Eigen::Index k = 0; k < links; ++k) {
    Eigen::Isometry3d hinge = Eigen::Isometry3d::Identity();
    if (k > 0) hinge.translation() = Eigen::Vector3d(0, -1, 0);
    world->add(hinge, 1, Eigen::Vector3d(0, -0.5, 0), Eigen::Matrix3d::Identity() / 12);
  }
  world->skeleton->setGravity(Eigen::Vector3d(0, -9.81, 0));
  world->q = Eigen::Map<const Eigen::VectorXd>(start.data(), links);
  world->rates = Eigen::Map<const Eigen::VectorXd>(start.data() + links, links);
  return make_asked(world);
}

Asked dart_arm(int joints) {
  auto world = std::make_shared<World>();
  world->q.resize(joints);
  world->rates.resize(joints);
  const double* i = arm_inertia;
  Eigen::Matrix3d inertia;
  inertia << i[0], i[3], i[5], i[3], i[1], i[4], i[5], i[4], i[2];
  for (int k = 1; k <= joints; ++k) {
    const ArmJoint joint = arm_joint(k);
    Eigen::Isometry3d hinge = Eigen::Isometry3d::Identity();
    if (k > 1) hinge.translation() = Eigen::Map<const Eigen::Vector3d>(arm_offset);
    hinge.rotate(Eigen::AngleAxisd(arm_incline,
                                   joint.inclined_about == 'x' ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY()));
    world->add(hinge, joint.mass, Eigen::Map<const Eigen::Vector3d>(arm_centre), inertia);
    world->q[k - 1] = joint.angle;
    world->rates[k - 1] = joint.rate;
  }
  world->skeleton->setGravity(Eigen::Vector3d(0, 0, -9.81));
  return make_asked(world);
}

}  // namespace dalembert::bench
