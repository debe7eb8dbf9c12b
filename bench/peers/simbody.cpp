#include <Simbody.h>

#include <cmath>
#include <stdexcept>

#include "models.hpp"
#include "peers/peers.hpp"

namespace dalembert::bench {
namespace {

using namespace SimTK;

/// A model of Simbody with a state; all its coordinates are hinges or a plane.
struct World {
  World() : matter(system), forces(system), gravity(forces, matter, Vec3(0, -9.81, 0)) {}

  static Body::Rigid rod(const Vec3& centre, double mass = 1, double inertia = 1.0 / 12) {
    return Body::Rigid(MassProperties(mass, centre, Inertia(inertia).shiftFromMassCenter(centre, mass)));
  }

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::UniformGravity gravity;
  State state;
};

Asked make_asked(const std::shared_ptr<World>& world) {
  return {[world] {
            world->state.updQ();  // what depends on positions counts as unknown
            world->system.realize(world->state, Stage::Acceleration);
          },
          [world] {
            const Vector& found = world->state.getUDot();
            std::vector<double> accelerations;
            for (int k = 0; k < found.size(); ++k) accelerations.push_back(found[k]);
            return accelerations;
          }};
}

std::shared_ptr<World> make_fourbars(int count, double tilt) {
  auto world = std::make_shared<World>();
  const Body::Rigid crank_body = World::rod(Vec3(0, 0.5, 0)), coupler_body = World::rod(Vec3(0.5, 0, 0));
  MobilizedBody coupler;
  for (int i = 0; i <= count; ++i) {
    MobilizedBody::Pin crank(world->matter.Ground(), Transform(Vec3(i, 0, 0)), crank_body, Transform());
    // The end of the coupler on the line through the crank's tip along the hinge: the two equations of a plane joint.
    if (i > 0) Constraint::PointOnLine(crank, UnitVec3(0, 0, 1), Vec3(0, 1, 0), coupler, Vec3(1, 0, 0));
    if (i < count) coupler = MobilizedBody::Pin(crank, Transform(Vec3(0, 1, 0)), coupler_body, Transform());
  }
  world->state = world->system.realizeTopology();
  for (int v = 0; v < world->state.getNU(); ++v) {
    world->state.updQ()[v] = v % 2 == 0 ? -tilt : tilt;
    world->state.updU()[v] = v % 2 == 0 ? -1 : 1;
  }
  return world;
}

/// The contact's velocity across the heading, of X', Y', the lean's rate, heading and lean. NoSlip1D has another
/// acceleration there: it does not count how the contact moves on the rim.
class Across : public Function {
 public:
  explicit Across(double radius) : r_(radius) {}
  Real calcValue(const Vector& x) const override {
    return -x[0] * std::sin(x[3]) + x[1] * std::cos(x[3]) + r_ * x[2] * std::cos(x[4]);
  }
  Real calcDerivative(const Array_<int>& by, const Vector& x) const override {
    const Real partial[] = {-std::sin(x[3]), std::cos(x[3]), r_ * std::cos(x[4]),
                            -x[0] * std::cos(x[3]) - x[1] * std::sin(x[3]), -r_ * x[2] * std::sin(x[4])};
    if (by.size() != 1) throw std::logic_error("a second derivative is asked for");
    return partial[by[0]];
  }
  int getArgumentSize() const override { return 5; }
  int getMaxDerivativeOrder() const override { return 2; }  // is demanded, though only the first are asked for

 private:
  double r_;
};

/// The place of the centre, then heading about z, lean about the heading x, spin about the axle y: the point that
/// touches stays below the centre in the frame that leans, and rests there.
std::shared_ptr<World> make_disk() {
  constexpr double m = 2, r = 0.3, heading = 0.2, lean = 0.3, turning = 1, leaning = -0.2, spin = 8;
  auto world = std::make_shared<World>();
  world->gravity.setGravity(Vec3(0, 0, -9.81));
  const Transform about_x(Rotation(Pi / 2, YAxis)), about_y(Rotation(-Pi / 2, XAxis));
  const double across = m * r * r / 4, along = m * r * r / 2;
  const Body::Rigid thin(MassProperties(m, Vec3(0), Inertia(across, along, across)));
  MobilizedBody::Translation place(world->matter.Ground(), Body::Massless());
  MobilizedBody::Pin turned(place, Body::Massless());
  MobilizedBody::Pin leant(turned, about_x, Body::Massless(), about_x);
  MobilizedBody::Pin disk(leant, about_y, thin, about_y);
  Constraint::PointInPlane(world->matter.Ground(), UnitVec3(ZAxis), 0, leant, Vec3(0, 0, -r));
  Constraint::NoSlip1D(leant, Vec3(0, 0, -r), UnitVec3(XAxis), world->matter.Ground(), disk);
  Array_<MobilizedBodyIndex> moving, placed;
  Array_<MobilizerUIndex> speeds;
  Array_<MobilizerQIndex> coordinates;
  for (const auto& [body, speed] : {std::pair(place.getMobilizedBodyIndex(), 0),
                                    {place.getMobilizedBodyIndex(), 1},
                                    {leant.getMobilizedBodyIndex(), 0}}) {
    moving.push_back(body);
    speeds.push_back(MobilizerUIndex(speed));
  }
  for (const MobilizedBodyIndex body : {turned.getMobilizedBodyIndex(), leant.getMobilizedBodyIndex()}) {
    placed.push_back(body);
    coordinates.push_back(MobilizerQIndex(0));
  }
  Constraint::SpeedCoupler(world->matter, new Across(r), moving, speeds, placed, coordinates);
  world->state = world->system.realizeTopology();
  const double forward = r * (spin + turning * std::sin(lean)), left = -r * leaning * std::cos(lean);
  const double q[] = {0, 0, r * std::cos(lean), heading, lean, 0};
  const double u[] = {forward * std::cos(heading) - left * std::sin(heading),
                      forward * std::sin(heading) + left * std::cos(heading),
                      -r * std::sin(lean) * leaning,
                      turning,
                      leaning,
                      spin};
  for (int k = 0; k < 6; ++k) {
    world->state.updQ()[k] = q[k];
    world->state.updU()[k] = u[k];
  }
  return world;
}

/// By the integrator that Simbody's examples take for what is not stiff; constraints are kept by projection.
Moving make_moving(const std::shared_ptr<World>& world) {
  return [world](double accuracy) {
    RungeKuttaMersonIntegrator method(world->system);
    method.setAccuracy(accuracy);
    TimeStepper stepper(world->system, method);
    stepper.initialize(world->state);
    stepper.stepTo(motion_time);
    const Vector& reached = method.getState().getQ();
    std::vector<double> coordinates;
    for (int k = 0; k < reached.size(); ++k) coordinates.push_back(reached[k]);
    return coordinates;
  };
}

}  // namespace

Asked simbody_chain(const std::vector<double>& start) {
  const int links = static_cast<int>(start.size() / 2);
  auto world = std::make_shared<World>();
  const Body::Rigid rod = World::rod(Vec3(0, -0.5, 0));
  MobilizedBody last = world->matter.Ground();
  for (int k = 1; k <= links; ++k)
    last = MobilizedBody::Pin(last, Transform(k == 1 ? Vec3(0) : Vec3(0, -1, 0)), rod, Transform());
  world->state = world->system.realizeTopology();
  for (int k = 1; k <= links; ++k) {
    world->state.updQ()[k - 1] = start[static_cast<std::size_t>(k - 1)];
    world->state.updU()[k - 1] = start[static_cast<std::size_t>(links + k - 1)];
  }
  return make_asked(world);
}

Asked simbody_arm(int joints) {
  auto world = std::make_shared<World>();
  world->gravity.setGravity(Vec3(0, 0, -9.81));
  const Vec3 centre(arm_centre[0], arm_centre[1], arm_centre[2]), offset(arm_offset[0], arm_offset[1], arm_offset[2]);
  const double* i = arm_inertia;
  MobilizedBody last = world->matter.Ground();
  for (int k = 1; k <= joints; ++k) {
    const ArmJoint joint = arm_joint(k);
    const Inertia about_joint = Inertia(i[0], i[1], i[2], i[3], i[5], i[4]).shiftFromMassCenter(centre, joint.mass);
    const Rotation incline(arm_incline, CoordinateAxis(joint.inclined_about == 'x' ? 0 : 1));
    last = MobilizedBody::Pin(last, Transform(incline, k == 1 ? Vec3(0) : offset),
                              Body::Rigid(MassProperties(joint.mass, centre, about_joint)), Transform());
  }
  world->state = world->system.realizeTopology();
  for (int k = 1; k <= joints; ++k) {
    world->state.updQ()[k - 1] = arm_joint(k).angle;
    world->state.updU()[k - 1] = arm_joint(k).rate;
  }
  return make_asked(world);
}

Asked simbody_fourbars(int count) { return make_asked(make_fourbars(count, fourbar_tilt)); }
Asked simbody_disk() { return make_asked(make_disk()); }
Moving simbody_fourbar_motion() { return make_moving(make_fourbars(1, hanging_tilt)); }
Moving simbody_disk_motion() { return make_moving(make_disk()); }

Asked simbody_sleigh() {
  auto world = std::make_shared<World>();
  world->gravity.setGravity(Vec3(0));
  MobilizedBody::Planar sleigh(world->matter.Ground(), Transform(), World::rod(Vec3(0.4, 0, 0), 2, 0.6), Transform());
  Constraint::NoSlip1D(sleigh, Vec3(0), UnitVec3(0, 1, 0), world->matter.Ground(), sleigh);
  world->state = world->system.realizeTopology();
  const double heading = 0.3, speed = 0.5, turning = 2;
  world->state.updQ()[0] = heading;
  world->state.updU()[0] = turning;
  world->state.updU()[1] = speed * std::cos(heading);
  world->state.updU()[2] = speed * std::sin(heading);
  return make_asked(world);
}

}  // namespace dalembert::bench
