// The commands: as methods of a model, with what the command line has as options. See apps/.

#include <dalembert/report/report.hpp>
#include <dalembert/study/equilibria.hpp>
#include <dalembert/study/questions.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

CheckReport check(const LoadedModel& self) { return check_model(derive_multipliers(self.started())); }

/// The same model with further constants released, and a joint asked for.
ModelPointer with_releases(const ModelPointer& self, const std::vector<std::string>& release,
                           const std::string& joint) {
  if (release.empty() && joint.empty()) return self;
  Description description = self->description();
  for (const std::string& name : release)
    if (std::ranges::none_of(description.releases, [&](const auto& entry) { return entry.name.text == name; }))
      description.release(name);
  if (!joint.empty()) description.joint(joint);
  return self->with(description);
}

ReactionsReport reactions(const ModelPointer& given, std::optional<double> time, const std::string& by,
                          const std::vector<std::string>& release, const std::string& joint, bool at_rest, bool along,
                          py::object show) {
  Unlocked unlocked(std::move(show));
  ReactionsReport report;
  std::optional<System> system;
  unlocked.ask([&] {
    const Model model = with_releases(given, release, joint)->started();
    report = describe_reactions(
        model, {.time = time, .by = by, .at_rest = at_rest, .offers_joints = joint.empty(), .stop = unlocked.stop()});
    if (along) system.emplace(with_joint_outputs(derive_multipliers(model)));
  });
  if (system) report.along = system->simulate({.progress = [&](double t) { unlocked(t); }, .stop = unlocked.stop()});
  unlocked.finish();
  return report;
}

Verification verify_model(const LoadedModel& self, std::optional<double> time, std::size_t states, std::uint64_t seed) {
  VerifyOptions options;
  options.states = states;
  options.seed = seed;
  if (time) options.around = self.state_at(time);
  return verify(self.started(), options);
}

FrameReport frame(const LoadedModel& self, bool reciprocal) {
  FrameReport report = describe_frame(self.model());
  if (reciprocal)
    report.reciprocal = integrate_reciprocal_frame(self.started(), {.until = self.model().simulate.until});
  return report;
}

std::size_t find_coordinate(const Model& model, const std::string& name, const char* where) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(name, names);
  throw InputError({model.file,
                    {},
                    where,
                    "there is no coordinate " + name,
                    nearest.empty() ? "name a coordinate" : "did you mean " + nearest + "?"});
}

GaussReport gauss(const LoadedModel& self, const NamedNumbers& at, std::optional<double> time) {
  std::vector<ImaginedAcceleration> imagined;
  for (auto [name, value] : at) {
    if (name.ends_with("''")) name.resize(name.size() - 2);
    imagined.push_back({find_coordinate(self.model(), name, "at"), value});
  }
  return evaluate_gauss(derive_gauss(self.started()), self.state_at(time), imagined);
}

Hodograph hodograph(const LoadedModel& self, std::optional<double> until, std::optional<double> every,
                    std::optional<double> tolerance, py::object show) {
  constexpr double finest = 1e-13;  // the arc and the curve are wanted to more digits than a motion to look at
  Unlocked unlocked(std::move(show));
  SimulateOptions plan{.until = until,
                       .every = every,
                       .tolerance = tolerance.value_or(std::min(finest, self.model().simulate.tolerance)),
                       .progress = [&](double t) { unlocked(t); },
                       .stop = unlocked.stop()};
  const KineticGeometry geometry = unlocked.ask([&] { return derive_projection(self.started()); });
  Hodograph found = find_hodograph(geometry, plan);
  unlocked.finish();
  return found;
}

GeometryReport geometry(const LoadedModel& self, std::optional<double> time) {
  return evaluate_geometry(derive_projection(self.started()), self.state_at(time));
}
ExceptionalCase exceptional(const LoadedModel& self, std::optional<double> time) {
  return decide_exceptional(derive_projection(self.started()), self.state_at(time));
}

/// Values of all coordinates; those not named take `otherwise`, or are missed where that is empty.
std::vector<double> configuration(const Model& model, const NamedNumbers& given, const char* where,
                                  const std::vector<double>& otherwise) {
  std::vector<double> values = otherwise;
  values.resize(model.coordinates.size());
  std::vector<bool> is_given(values.size(), !otherwise.empty());
  for (const auto& [name, value] : given) {
    const std::size_t i = find_coordinate(model, name, where);
    values[i] = value;
    is_given[i] = true;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_given[i])
      throw InputError(
          {model.file, {}, where, "the value of " + model.coordinates[i].name + " is missing", "give all coordinates"});
  return values;
}

ActionReport action(const LoadedModel& self, std::optional<double> until, const NamedNumbers& from,
                    const NamedNumbers& to, bool check) {
  const Model model = self.started();
  ActionOptions plan{.until = until.value_or(model.simulate.until), .from = {}, .to = {}, .check = check};
  plan.from = configuration(model, from, "from", initial_state(model).q);
  if (!to.empty()) plan.to = configuration(model, to, "to", {});
  return evaluate_action(model, plan);
}

/// With what the model's [steady] calls constant, and its [inputs] where none is named: those that are constants.
LinearizeOptions plan_linear(const LoadedModel& self, const std::vector<std::string>& independent,
                             const std::vector<std::string>& inputs, const std::vector<std::string>& steady,
                             bool frozen) {
  LinearizeOptions plan{independent, inputs, steady, {}, frozen, true};
  for (const Text& constant : self.description().steady.constant) plan.constant.push_back(constant.text);
  if (inputs.empty())
    for (const Named<InputText>& input : self.description().inputs)
      if (std::ranges::find(self.model().parameters, input.name.text, &Parameter::name) !=
          self.model().parameters.end())
        plan.inputs.push_back(input.name.text);
  return plan;
}
Linearization linear(const LoadedModel& self, const std::vector<std::string>& independent,
                     const std::vector<std::string>& inputs, const std::vector<std::string>& steady, bool frozen) {
  return linearize(self.started(), plan_linear(self, independent, inputs, steady, frozen));
}
RootLocus locus(const LoadedModel& self, const std::string& name, double first, double last, double step,
                const std::vector<std::string>& independent, const std::vector<std::string>& inputs,
                const std::vector<std::string>& steady) {
  return find_root_locus(self.started(), {name, first, last, step},
                         plan_linear(self, independent, inputs, steady, false));
}

using Boxes = std::vector<std::tuple<std::string, double, double>>;

EquilibriaOptions plan_search(const Boxes& boxes, std::size_t starts, std::uint64_t seed) {
  EquilibriaOptions plan{.boxes = {}, .starts = starts, .seed = seed};
  for (const auto& [name, low, high] : boxes) plan.boxes.push_back({name, low, high});
  return plan;
}
Equilibria equilibria(const LoadedModel& self, const Boxes& boxes, std::size_t starts, std::uint64_t seed) {
  return find_equilibria(self.started(), plan_search(boxes, starts, seed));
}
Diagram diagram(const LoadedModel& self, const std::string& name, double first, double last, double step,
                const Boxes& boxes, std::size_t starts, std::uint64_t seed) {
  return follow_equilibria(self.started(), {name, first, last, step}, plan_search(boxes, starts, seed));
}

Comparison compare_with_equation(const LoadedModel& self, const std::string& equation) {
  return compare_equation(self.description(), self.overrides(), equation);
}
Comparison compare_with(const LoadedModel& self, const LoadedModel& other) {
  return compare_models(derive_multipliers(self.model()), derive_multipliers(other.model()));
}

}  // namespace

void bind_commands(py::module_&) {
  Record<LoadedModel> type;
  type.type()
      .def("check", asked(check))
      .def("reactions", reactions)
      .def("verify", asked(verify_model))
      .def("frame", asked(frame))
      .def("gauss", asked(gauss))
      .def("hodograph", hodograph)
      .def("geometry", asked(geometry))
      .def("exceptional", asked(exceptional))
      .def("action", asked(action))
      .def("linearize", asked(linear))
      .def("root_locus", asked(locus))
      .def("equilibria", asked(equilibria))
      .def("follow_equilibria", asked(diagram))
      .def("compare_equation", asked(compare_with_equation))
      .def("compare_with", asked(compare_with));
}

}  // namespace dalembert::python
