// What frame, gauss, derive --by projection, hodograph, action, linearize and equilibria found.

#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "bindings.hpp"
#include "record.hpp"

namespace dalembert::python {

std::string name_of(ExceptionalCase::Kind kind) {
  switch (kind) {
    case ExceptionalCase::Kind::no: return "no";
    case ExceptionalCase::Kind::general: return "general";
    case ExceptionalCase::Kind::killing: return "killing";
    case ExceptionalCase::Kind::undecided: break;
  }
  return "undecided";
}

namespace {

void bind_group() {
  Record<Group>()
      .field("dimension", &Group::dimension)
      .field("kind", &Group::kind)
      .field("name", &Group::name)
      .field("satisfies_jacobi", &Group::satisfies_jacobi)
      .field("is_compact", &Group::is_compact)
      .field("derived", &Group::derived)
      .field("lower_central", &Group::lower_central)
      .field("centre", &Group::centre)
      .field("signature", &Group::signature);
  Record<Integrability::Entry>()
      .field("name", &Integrability::Entry::name)
      .field("in_system", &Integrability::Entry::in_system)
      .field("by_itself", &Integrability::Entry::by_itself);
  Record<Integrability>()
      .field("constraints", &Integrability::constraints)
      .field("integrals", &Integrability::integrals)
      .field("remark", &Integrability::remark);
  Record<ReciprocalFrame>()
      .field("velocities", &ReciprocalFrame::velocities)
      .field("t", &ReciprocalFrame::t)
      .field("e", &ReciprocalFrame::e)
      .field("defect", &ReciprocalFrame::defect);
}

void bind_frame() {
  Record<FrameReport::Velocity>()
      .field("name", &FrameReport::Velocity::name)
      .formula("formula", &FrameReport::Velocity::formula)
      .field("constraint", &FrameReport::Velocity::constraint);
  Record<FrameReport::Coefficient>()
      .field("mu", &FrameReport::Coefficient::mu)
      .field("nu", &FrameReport::Coefficient::nu)
      .field("rho", &FrameReport::Coefficient::rho)
      .formula("formula", &FrameReport::Coefficient::formula)
      .field("value", &FrameReport::Coefficient::value);
  Record<FrameReport::Momentum>()
      .field("velocity", &FrameReport::Momentum::velocity)
      .formula("formula", &FrameReport::Momentum::formula)
      .field("is_admitted", &FrameReport::Momentum::is_admitted)
      .field("is_conserved", &FrameReport::Momentum::is_conserved)
      .field("value", &FrameReport::Momentum::value);
  Record<FrameReport::Integral>()
      .field("constraint", &FrameReport::Integral::constraint)
      .formula("formula", &FrameReport::Integral::formula)
      .field("geometric", &FrameReport::Integral::geometric);
  Record<FrameReport>()
      .field("name", &FrameReport::name)
      .field("velocities", &FrameReport::velocities)
      .field("beta", &FrameReport::beta)
      .field("is_constant", &FrameReport::is_constant)
      .field("group", &FrameReport::group)
      .field("integrability", &FrameReport::integrability)
      .field("integrals", &FrameReport::integrals)
      .field("momenta", &FrameReport::momenta)
      .field("euler", &FrameReport::euler)
      .field("reciprocal", &FrameReport::reciprocal)
      .field("remarks", &FrameReport::remarks)
      .reported(write_text, write_json)
      .typeset(write_latex);
}

void bind_geometry() {
  Record<GaussReport>()
      .field("state", &GaussReport::state)
      .field("coordinates", &GaussReport::coordinates)
      .field("accelerations", &GaussReport::accelerations)
      .field("actual", &GaussReport::actual)
      .field("Q", &GaussReport::Q)
      .field("constraints", &GaussReport::constraints)
      .field("multipliers", &GaussReport::multipliers)
      .field("excess", &GaussReport::excess)
      .field("Z", &GaussReport::Z)
      .field("phi", &GaussReport::phi)
      .field("loose", &GaussReport::loose)
      .reported(write_text, write_json)
      .typeset(write_latex);
  Record<GeometryReport>()
      .field("state", &GeometryReport::state)
      .field("coordinates", &GeometryReport::coordinates)
      .field("constraints", &GeometryReport::constraints)
      .field("basis", &GeometryReport::basis)
      .field("Phi", &GeometryReport::Phi)
      .field("Phi_raised", &GeometryReport::Phi_raised)
      .field("G", &GeometryReport::G)
      .field("theta", &GeometryReport::theta)
      .field("lambda_", &GeometryReport::lambda)
      .field("f", &GeometryReport::f)
      .field("X", &GeometryReport::X)
      .field("f_raised", &GeometryReport::f_raised)
      .field("X_raised", &GeometryReport::X_raised)
      .field("cos_phi", &GeometryReport::cos_phi)
      .field("cos_psi", &GeometryReport::cos_psi)
      .field("relation_f", &GeometryReport::relation_f)
      .field("relation_X", &GeometryReport::relation_X)
      .field("accelerations", &GeometryReport::accelerations)
      .field("geodesic", &GeometryReport::geodesic)
      .field("christoffel", &GeometryReport::christoffel)
      .field("affine", &GeometryReport::affine)
      .field("remarks", &GeometryReport::remarks);
  Record<ExceptionalCase>()
      .field("kind", &ExceptionalCase::kind)
      .field("evidence", &ExceptionalCase::evidence)
      .formulas("kA", &ExceptionalCase::kA);
}

void bind_hodograph() {
  Record<Hodograph>()
      .field("coordinates", &Hodograph::coordinates)
      .field("t", &Hodograph::t)
      .field("arc", &Hodograph::arc)
      .field("curve", &Hodograph::curve)
      .field("invariant", &Hodograph::invariant)
      .field("affine_curve", &Hodograph::affine_curve)
      .field("affine_invariant", &Hodograph::affine_invariant)
      .field("f", &Hodograph::f)
      .field("X", &Hodograph::X)
      .field("cos_phi", &Hodograph::cos_phi)
      .field("cos_psi", &Hodograph::cos_psi)
      .field("relation", &Hodograph::relation)
      .field("geodesic", &Hodograph::geodesic)
      .field("transport", &Hodograph::transport)
      .field("affine_transport", &Hodograph::affine_transport)
      .field("exceptional", &Hodograph::exceptional)
      .field("status", &Hodograph::status)
      .field("message", &Hodograph::message)
      .field("notes", &Hodograph::notes)
      .reported(write_summary, nullptr);
  Record<ActionMomentum>()
      .field("velocity", &ActionMomentum::velocity)
      .field("start", &ActionMomentum::start)
      .field("end", &ActionMomentum::end)
      .field("slope_start", &ActionMomentum::slope_start)
      .field("slope_end", &ActionMomentum::slope_end)
      .field("bound_start", &ActionMomentum::bound_start)
      .field("bound_end", &ActionMomentum::bound_end);
  Record<ActionReport>()
      .field("name", &ActionReport::name)
      .field("from_time", &ActionReport::from_time)
      .field("to_time", &ActionReport::to_time)
      .field("action", &ActionReport::action)
      .field("coordinates", &ActionReport::coordinates)
      .field("from_", &ActionReport::from)
      .field("to", &ActionReport::to)
      .field("rates_from", &ActionReport::rates_from)
      .field("rates_to", &ActionReport::rates_to)
      .field("is_principal", &ActionReport::is_principal)
      .field("is_checked", &ActionReport::is_checked)
      .field("unchecked", &ActionReport::unchecked)
      .field("momenta", &ActionReport::momenta)
      .field("jacobi", &ActionReport::jacobi)
      .field("slope_time", &ActionReport::slope_time)
      .field("bound_time", &ActionReport::bound_time)
      .field("miss", &ActionReport::miss)
      .field("motions", &ActionReport::motions)
      .field("ok", &ActionReport::ok)
      .reported(write_text, write_json);
}

void bind_linear() {
  Record<Mode>().field("eigenvalue", &Mode::eigenvalue).field("components", &Mode::components);
  Record<SecondOrder>()
      .field("coordinates", &SecondOrder::coordinates)
      .field("mass", &SecondOrder::mass)
      .field("damping", &SecondOrder::damping)
      .field("stiffness", &SecondOrder::stiffness);
  Record<Linearization> linear;
  linear.field("about", &Linearization::about)
      .field("coordinates", &Linearization::coordinates)
      .field("state", &Linearization::state)
      .field("coordinate_count", &Linearization::coordinate_count)
      .field("dependent", &Linearization::dependent)
      .field("carried", &Linearization::carried)
      .field("left_out", &Linearization::left_out)
      .field("inputs", &Linearization::inputs)
      .field("outputs", &Linearization::outputs)
      .field("A", &Linearization::A)
      .field("B", &Linearization::B)
      .field("C", &Linearization::C)
      .field("D", &Linearization::D)
      .field("second_order", &Linearization::second_order)
      .field("modes_left_out", &Linearization::modes_left_out)
      .field("modes", &Linearization::modes)
      .field("zero_roots", &Linearization::zero_roots)
      .field("zero_blocks", &Linearization::zero_blocks)
      .field("family", &Linearization::family)
      .field("stable", &Linearization::stable)
      .field("verdict", &Linearization::verdict)
      .field("notes", &Linearization::notes)
      .property("eigenvalues", "NDArray[np.complex128]",
                [](const Linearization& self, py::handle) -> py::object {
                  py::array_t<std::complex<double>> roots(self.modes.size());
                  for (std::size_t k = 0; k < self.modes.size(); ++k) roots.mutable_at(k) = self.modes[k].eigenvalue;
                  return roots;
                })
      .reported(write_text, write_json)
      .typeset([](const Linearization& self) { return write_latex(self); });
  Record<StabilityChange>()
      .field("value", &StabilityChange::value)
      .field("kind", &StabilityChange::kind)
      .field("before", &StabilityChange::before)
      .field("after", &StabilityChange::after)
      .field("root", &StabilityChange::root);
  Record<RootLocus>()
      .field("name", &RootLocus::name)
      .field("values", &RootLocus::values)
      .field("roots", &RootLocus::roots)
      .field("state", &RootLocus::state)
      .field("changes", &RootLocus::changes)
      .field("notes", &RootLocus::notes)
      .reported(write_summary, write_json);
}

void bind_equilibria() {
  Record<SearchBox>()
      .field("coordinate", &SearchBox::coordinate)
      .field("low", &SearchBox::low)
      .field("high", &SearchBox::high);
  Record<Equilibrium>()
      .field("q", &Equilibrium::q)
      .field("reactions", &Equilibrium::reactions)
      .field("closed", &Equilibrium::closed)
      .field("stable", &Equilibrium::stable)
      .field("verdict", &Equilibrium::verdict)
      .field("unstable", &Equilibrium::unstable);
  Record<Equilibria>()
      .field("coordinates", &Equilibria::coordinates)
      .field("constraints", &Equilibria::constraints)
      .field("boxes", &Equilibria::boxes)
      .field("starts", &Equilibria::starts)
      .field("found", &Equilibria::found)
      .field("notes", &Equilibria::notes)
      .reported(write_text, write_json);
  Record<BranchPoint>()
      .field("value", &BranchPoint::value)
      .field("q", &BranchPoint::q)
      .field("unstable", &BranchPoint::unstable);
  Record<Branch>().field("points", &Branch::points);
  Record<SpecialPoint>()
      .field("kind", &SpecialPoint::kind)
      .field("value", &SpecialPoint::value)
      .field("q", &SpecialPoint::q);
  Record<Diagram>()
      .field("name", &Diagram::name)
      .field("coordinates", &Diagram::coordinates)
      .field("branches", &Diagram::branches)
      .field("special", &Diagram::special)
      .field("notes", &Diagram::notes)
      .reported(write_summary, write_json);
}

}  // namespace

void declare_studies(py::module_& m) {
  Record<Group>::declare(m, "Group", "What can be said of a Lie algebra.");
  Record<Integrability::Entry>::declare(m, "IntegrableConstraint", "Is a constraint a geometric one in disguise?");
  Record<Integrability>::declare(m, "Integrability", "Which constraints are geometric ones in disguise.");
  Record<ReciprocalFrame>::declare(m, "ReciprocalFrame", "The reciprocal frame along a motion.");
  Record<FrameReport::Velocity>::declare(m, "FrameVelocity", "A quasi-velocity.");
  Record<FrameReport::Coefficient>::declare(m, "TransitionCoefficient", "One of Hamel's coefficients.");
  Record<FrameReport::Momentum>::declare(m, "FrameMomentum", "The momentum of a quasi-velocity.");
  Record<FrameReport::Integral>::declare(m, "ConstraintIntegral", "The integral of an integrable constraint.");
  Record<FrameReport>::declare(m, "FrameReport", "What a frame of quasi-velocities tells (Hamel 1904).");
  Record<GaussReport>::declare(m, "GaussReport", "Gauss's measure of constraint at imagined accelerations.");
  Record<GeometryReport>::declare(m, "GeometryReport", "The geometry of the kinetic metric at a state (Spain 1940).");
  Record<ExceptionalCase>::declare(m, "ExceptionalCase", "Spain's exceptional case.");
  Record<Hodograph>::declare(m, "Hodograph", "The velocity carried back along the path to its beginning.");
  Record<ActionMomentum>::declare(m, "ActionMomentum", "A momentum and the slope of S that it must equal.");
  Record<ActionReport>::declare(m, "ActionReport", "The action along a motion, or Hamilton's principal function.");
  Record<Mode>::declare(m, "Mode", "A small motion exp(eigenvalue t) times its components.");
  Record<SecondOrder>::declare(m, "SecondOrder", "M x'' + C x' + K x = 0.");
  Record<Linearization>::declare(m, "Linearization", "x' = A x + B w, y = C x + D w about a steady motion.");
  Record<StabilityChange>::declare(m, "StabilityChange", "Where stability changes along a locus.");
  Record<RootLocus>::declare(m, "RootLocus", "Eigenvalues over a parameter, a start or a rate.");
  Record<SearchBox>::declare(m, "SearchBox", "Where a coordinate is looked for.");
  Record<Equilibrium>::declare(m, "Equilibrium", "A state of rest, with its stability.");
  Record<Equilibria>::declare(m, "Equilibria", "Static equilibria under constraints.");
  Record<BranchPoint>::declare(m, "BranchPoint", "An equilibrium of a branch.");
  Record<Branch>::declare(m, "Branch", "Neighbouring equilibria.");
  Record<SpecialPoint>::declare(m, "SpecialPoint", "A fold, branch point or Hopf point.");
  Record<Diagram>::declare(m, "Diagram", "Branches of equilibria over a parameter.");
}

void bind_studies(py::module_&) {
  bind_group();
  bind_frame();
  bind_geometry();
  bind_hodograph();
  bind_linear();
  bind_equilibria();
}

}  // namespace dalembert::python
