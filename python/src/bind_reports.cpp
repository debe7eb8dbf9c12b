// What check, reactions, verify, frame and compare found.

#include <dalembert/report/report.hpp>

#include "bindings.hpp"
#include "record.hpp"

namespace dalembert::python {

std::string name_of(ConstraintKind kind) {
  return kind == ConstraintKind::geometric      ? "geometric"
         : kind == ConstraintKind::differential ? "differential"
                                                : "one-sided";
}
std::string name_of(Verdict verdict) {
  return verdict == Verdict::zero ? "zero" : verdict == Verdict::nonzero ? "nonzero" : "undecided";
}
std::string name_of(EulerKind kind) {
  return kind == EulerKind::none ? "none" : kind == EulerKind::broad ? "broad" : "restricted";
}

namespace {

void declare_check(py::module_& m) {
  Record<RankReport>::declare(m, "RankReport", "What the constraints are at a state.");
  Record<RankReport::Redundant>::declare(m, "Redundant", "A constraint that follows from others.");
  Record<CheckedConstraint>::declare(m, "CheckedConstraint", "A constraint and its kind.");
  Record<CheckedIntegral>::declare(m, "CheckedIntegral", "A first integral with its value.");
  Record<CheckReport>::declare(m, "CheckReport", "What a system is, before it moves.");
}

void bind_check() {
  Record<RankReport::Redundant>()
      .field("name", &RankReport::Redundant::name)
      .field("depends_on", &RankReport::Redundant::depends_on)
      .field("consistent", &RankReport::Redundant::consistent);
  Record<RankReport>()
      .field("rank", &RankReport::rank)
      .field("condition", &RankReport::condition)
      .field("redundant", &RankReport::redundant)
      .field("names", &RankReport::names)
      .field("unique", &RankReport::unique)
      .field("warning", &RankReport::warning);
  Record<CheckedConstraint>()
      .field("name", &CheckedConstraint::name)
      .field("kind", &CheckedConstraint::kind)
      .field("is_rheonomic", &CheckedConstraint::is_rheonomic)
      .field("is_integrable", &CheckedConstraint::is_integrable)
      .field("residual", &CheckedConstraint::residual)
      .field("is_unit", &CheckedConstraint::is_unit)
      .field("is_unique", &CheckedConstraint::is_unique)
      .field("integral", &CheckedConstraint::integral);
  Record<CheckedIntegral>()
      .field("name", &CheckedIntegral::name)
      .formula("formula", &CheckedIntegral::formula)
      .field("value", &CheckedIntegral::value);
  Record<CheckReport>()
      .field("name", &CheckReport::name)
      .field("about", &CheckReport::about)
      .field("coordinates", &CheckReport::coordinates)
      .field("degrees_of_freedom", &CheckReport::degrees_of_freedom)
      .field("rank", &CheckReport::rank)
      .field("is_natural", &CheckReport::is_natural)
      .field("constraints", &CheckReport::constraints)
      .field("integrals", &CheckReport::integrals)
      .field("remarks", &CheckReport::remarks)
      .property("refused", "str | None",
                [](const CheckReport& self, py::handle) -> py::object {
                  return self.refused ? py::object(py::str(to_text(*self.refused))) : py::none();
                })
      .reported(write_text, write_json)
      .typeset(write_latex);
}

void declare_reactions(py::module_& m) {
  Record<ForceOn>::declare(m, "ForceOn", "The force or couple of a reaction on a point or body.");
  Record<OverRange>::declare(m, "OverRange", "The largest size over the range of the motion.");
  Record<PositionText::Constant>::declare(m, "IntegralConstant", "The constant of a first integral.");
  Record<PositionText>::declare(m, "OfPosition", "A reaction as a function of position alone.");
  Record<ReleasedText>::declare(m, "Released", "What a released constant tells besides its multiplier.");
  Record<Reaction>::declare(m, "Reaction", "A constraint's reaction: formula, value, forces on points.");
  Record<JointVector>::declare(m, "JointVector", "A vector in world axes and in the parent's.");
  Record<JointReport>::declare(m, "JointReport", "What the parent exerts on a frame at its origin.");
  Record<ReactionsReport>::declare(m, "ReactionsReport", "Every reaction at a state; report[name] is one of them.");
}

void bind_reactions() {
  Record<ForceOn>()
      .field("on", &ForceOn::on)
      .field("is_couple", &ForceOn::is_couple)
      .field("is_known", &ForceOn::is_known)
      .formulas("formula", &ForceOn::formula)
      .field("value", &ForceOn::value);
  Record<OverRange>()
      .field("coordinate", &OverRange::coordinate)
      .field("from_", &OverRange::from)
      .field("to", &OverRange::to)
      .field("is_full_turn", &OverRange::is_full_turn)
      .field("largest", &OverRange::largest)
      .field("at", &OverRange::at);
  Record<PositionText::Constant>()
      .field("name", &PositionText::Constant::name)
      .field("integral", &PositionText::Constant::integral)
      .formula("formula", &PositionText::Constant::formula)
      .field("value", &PositionText::Constant::value);
  Record<PositionText>()
      .formula("formula", &PositionText::formula)
      .formula("general", &PositionText::general)
      .field("constants", &PositionText::constants)
      .field("remaining", &PositionText::remaining)
      .field("remark", &PositionText::remark)
      .field("over_range", &PositionText::over_range);
  Record<ReleasedText>()
      .formula("rho_formula", &ReleasedText::rho_formula)
      .field("rho", &ReleasedText::rho)
      .field("power", &ReleasedText::power)
      .formula("power_formula", &ReleasedText::power_formula)
      .field("orthogonal", &ReleasedText::orthogonal)
      .field("remark", &ReleasedText::remark);
  Record<Reaction>()
      .field("name", &Reaction::name)
      .field("by", &Reaction::by)
      .formula("formula", &Reaction::formula)
      .field("formula_by", &Reaction::formula_by)
      .field("remark", &Reaction::remark)
      .field("value", &Reaction::value)
      .field("unique", &Reaction::unique)
      .field("generalized", &Reaction::generalized)
      .field("on", &Reaction::on)
      .field("of_position", &Reaction::of_position)
      .field("released", &Reaction::released)
      .field("theta", &Reaction::theta);
  Record<JointVector>()
      .formulas("world_formula", &JointVector::world_formula)
      .formulas("parent_formula", &JointVector::parent_formula)
      .field("world", &JointVector::world)
      .field("parent", &JointVector::parent);
  Record<JointReport>()
      .field("name", &JointReport::name)
      .field("parent", &JointReport::parent)
      .field("force", &JointReport::force)
      .field("couple", &JointReport::couple)
      .field("unique", &JointReport::unique)
      .field("remark", &JointReport::remark);
}

const Reaction& find_reaction(const ReactionsReport& report, const std::string& name) {
  std::vector<std::string> names;
  for (const Reaction& each : report.reactions) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  const std::string nearest = nearest_name(name, names);
  std::string remedy = "did you mean " + nearest + "?";
  if (nearest.empty()) {
    remedy = "the reactions are";
    for (const std::string& each : names) remedy += " " + each;
  }
  throw py::key_error("there is no reaction " + name + "; " + remedy);
}

void bind_reactions_report() {
  Record<ReactionsReport> report;
  report.field("state", &ReactionsReport::state)
      .field("at_rest", &ReactionsReport::at_rest)
      .field("reactions", &ReactionsReport::reactions)
      .field("joints", &ReactionsReport::joints)
      .field("releasable", &ReactionsReport::releasable)
      .field("hung", &ReactionsReport::hung)
      .field("accelerations", &ReactionsReport::accelerations)
      .field("along", &ReactionsReport::along)
      .field("remarks", &ReactionsReport::remarks)
      .reported(write_text, write_json)
      .typeset(write_latex);
  report.type()
      .def("__getitem__", find_reaction, py::return_value_policy::reference_internal, py::arg("name"))
      .def("__len__", [](const ReactionsReport& self) { return self.reactions.size(); })
      .def("keys",
           [](const ReactionsReport& self) {
             std::vector<std::string> names;
             for (const Reaction& each : self.reactions) names.push_back(each.name);
             return names;
           })
      .def("__iter__", [](py::object self) { return py::iter(self.attr("keys")()); });
}

void declare_agreements(py::module_& m) {
  Record<Agreement>::declare(m, "Agreement", "One quantity by two routes.");
  Record<Verification>::declare(m, "Verification", "All routes to the same numbers against each other.");
  Record<Comparison::Counterexample>::declare(m, "Counterexample", "A state where two sides differ.");
  Record<Comparison>::declare(m, "Comparison", "Proved equal, refuted at a state, or neither.");
}

void bind_agreements() {
  Record<Agreement>()
      .field("quantity", &Agreement::quantity)
      .field("between", &Agreement::between)
      .field("largest", &Agreement::largest)
      .field("bound", &Agreement::bound)
      .field("ok", &Agreement::ok)
      .field("where", &Agreement::where);
  Record<Verification>()
      .field("ok", &Verification::ok)
      .field("seed", &Verification::seed)
      .field("states", &Verification::states)
      .field("skipped", &Verification::skipped)
      .field("agreements", &Verification::agreements)
      .field("notes", &Verification::notes)
      .reported(write_text, write_json)
      .type()
      .def("__bool__", [](const Verification& self) { return self.ok; });
  Record<Comparison::Counterexample>()
      .field("state", &Comparison::Counterexample::state)
      .field("left", &Comparison::Counterexample::left)
      .field("right", &Comparison::Counterexample::right);
  Record<Comparison>()
      .field("equal", &Comparison::equal)
      .field("evidence", &Comparison::evidence)
      .field("counterexample", &Comparison::counterexample)
      .field("conditions", &Comparison::conditions)
      .reported(write_text, write_json)
      .type()
      .def("__bool__", [](const Comparison& self) { return self.equal == std::optional(true); });
}

}  // namespace

void declare_reports(py::module_& module) {
  declare_check(module);
  declare_reactions(module);
  declare_agreements(module);
}

void bind_reports(py::module_&) {
  bind_check();
  bind_reactions();
  bind_reactions_report();
  bind_agreements();
}

}  // namespace dalembert::python
