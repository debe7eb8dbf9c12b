// A model: what it has, its motions, its accelerations.

#include <dalembert/expr/print.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/study/gradient.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

Overrides to_overrides(const std::vector<std::pair<std::string, std::string>>& set) {
  Overrides overrides;
  for (const auto& [name, value] : set) overrides.push_back({name, value});
  return overrides;
}

/// Parameters apart from initial values and rates, by the model's names.
void sort_values(const Model& model, const NamedNumbers& values, SimulateOptions& options) {
  for (const auto& value : values) {
    const bool is_parameter = std::ranges::any_of(
        model.parameters, [&](const Parameter& parameter) { return parameter.name == value.first; });
    (is_parameter ? options.parameters : options.initial).push_back(value);
  }
}

Trajectory simulate(const ModelPointer& self, const std::string& by, std::optional<double> until,
                    std::optional<double> every, std::optional<double> tolerance, const NamedNumbers& values,
                    const std::optional<State>& start, bool project_initial, bool estimate_error,
                    const std::string& method, bool with_joints, py::object show) {
  Unlocked unlocked(std::move(show));
  const System system = unlocked.ask([&] { return self->system(by, with_joints); });
  SimulateOptions options{.until = until,
                          .every = every,
                          .tolerance = tolerance,
                          .start = start,
                          .method = method,
                          .project_initial = project_initial,
                          .estimate_error = estimate_error};
  sort_values(system.model(), values, options);
  options.progress = [&unlocked](double t) { unlocked(t); };
  options.stop = unlocked.stop();
  Trajectory run = system.simulate(options);
  unlocked.finish();
  return run;
}

GradientMotion simulate_gradient(const LoadedModel& self, const std::vector<std::string>& by,
                                 std::optional<double> until, std::optional<double> every,
                                 std::optional<double> tolerance, py::object show) {
  Unlocked unlocked(std::move(show));
  GradientSystem system = unlocked.ask([&] { return GradientSystem(self.started(), by); });
  GradientMotion found = system.simulate({.until = until,
                                          .every = every,
                                          .tolerance = tolerance,
                                          .progress = [&](double t) { unlocked(t); },
                                          .stop = unlocked.stop()});
  unlocked.finish();
  return found;
}

// --- what is asked without the lock

ModelPointer with_values(const LoadedModel& self, const std::vector<std::pair<std::string, std::string>>& set,
                         const std::vector<std::string>& solve, bool project_initial) {
  return self.with({to_overrides(set), solve, project_initial});
}
ModelPointer with_joints(const LoadedModel& self, const std::vector<std::string>& names) {
  Description description = self.description();
  for (const std::string& name : names) description.joint(name);
  return self.with(description);
}
std::vector<std::string> columns(const LoadedModel& self, const std::string& by) { return self.system(by).columns(); }
State initial_state(const LoadedModel& self, std::optional<double> time) { return self.state_at(time); }
OwnEquations equations(const ModelPointer& self, const std::string& by) { return {self, self->equations(by)}; }

// --- accelerations at a state

/// q'' of (t, q, q') under one set of parameters: native code where the equations can be unrolled, else the system.
/// What the code cannot solve (a singular matrix) is asked of the system.
struct Accelerations {
  ModelPointer model;
  System system;
  NamedNumbers parameters;
  Function function;  ///< of t, q, u; may be empty
  std::vector<double> values;

  std::size_t size() const { return system.equations().velocities.size(); }
  std::size_t coordinates() const { return system.equations().coordinates.size(); }
};

Accelerations make_accelerations(const ModelPointer& model, const NamedNumbers& parameters) {
  Accelerations made{model, model->system("multipliers"), parameters, {}, {}};
  made.values = parameter_values(made.system.model(), parameters);
  Equations own = fork(made.system.equations());
  if (own.coordinates.size() != own.velocities.size())
    throw InputError({own.model->file,
                      {},
                      "accelerations",
                      "its velocities are not the rates of its coordinates",
                      "ask a model without a variational principle"});
  std::vector<Expr> solved;
  if (own.contacts.empty()) solved = solve_unrolled(own);
  if (solved.empty()) return made;
  solved.resize(own.velocities.size());
  std::vector<Expr> inputs{own.time}, symbols;
  inputs.insert(inputs.end(), own.coordinates.begin(), own.coordinates.end());
  inputs.insert(inputs.end(), own.velocities.begin(), own.velocities.end());
  for (const Parameter& parameter : own.model->parameters) symbols.push_back(parameter.symbol);
  made.function = compile(make_program(inputs, symbols, solved));
  return made;
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// `points`: rows of t, q, q'. Gives rows of q''.
py::array_t<double> evaluate_rows(const Accelerations& self, const Numbers& points) {
  const std::size_t n = self.coordinates(), m = self.size(), width = 1 + n + m;
  if (points.ndim() != 2 || static_cast<std::size_t>(points.shape(1)) != width)
    throw InputError({"",
                      {},
                      "accelerations",
                      "a state has one time, a value of each coordinate and of each rate",
                      "give t, q, qd with " + std::to_string(n) + " coordinates"});
  const auto count = static_cast<std::size_t>(points.shape(0));
  py::array_t<double> result({count, m});
  const double* in = points.data();
  double* out = result.mutable_data();
  py::gil_scoped_release release;
  Scratch scratch;
  if (self.function) {
    scratch = self.function.make_scratch();
    self.function.set_parameters(scratch, self.values);
  }
  std::optional<Workspace> workspace;
  for (std::size_t k = 0; k < count; ++k, in += width, out += m) {
    if (self.function) {
      self.function.evaluate(scratch, {in, width}, {out, m});
      if (std::all_of(out, out + m, [](double value) { return std::isfinite(value); })) continue;
    }
    if (!workspace) workspace = self.system.make_workspace(self.parameters);
    const State state{in[0], {in + 1, in + 1 + n}, {in + 1 + n, in + width}};
    const Response response = self.system.evaluate_motion(*workspace, state);
    std::copy(response.acceleration.begin(), response.acceleration.end(), out);
  }
  return result;
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  return names;
}

/// Python has no constant objects: what is shared is not changed by any of its methods.
template <class... Arguments>
auto as_own(ModelPointer (*make)(const LoadedModel&, Arguments...)) {
  return [make](const LoadedModel& self, Arguments... arguments) {
    return std::const_pointer_cast<LoadedModel>(make(self, arguments...));
  };
}

bool needs_forming(const LoadedModel& self, const std::vector<std::string>& names) {
  return std::ranges::any_of(self.model().parameters, [&](const Parameter& parameter) {
    return parameter.shapes && std::ranges::find(names, parameter.name) != names.end();
  });
}

void bind_contents(Record<LoadedModel>& type) {
  const auto text = [&](const char* name, std::string Model::*member) {
    type.property(name, "str", [member](const LoadedModel& self, py::handle) { return py::str(self.model().*member); });
  };
  text("name", &Model::name);
  text("about", &Model::about);
  text("file", &Model::file);
  const auto names = [&](const char* name, auto member) {
    type.property(name, "list[str]",
                  [member](const LoadedModel& self, py::handle) { return py::cast(names_of(self.model().*member)); });
  };
  names("coordinates", &Model::coordinates);
  names("constraints", &Model::constraints);
  names("frames", &Model::frames);
  names("points", &Model::points);
  names("bodies", &Model::bodies);
  names("outputs", &Model::outputs);
  names("events", &Model::events);
  type.property("parameters", "dict[str, float]", [](const LoadedModel& self, py::handle) {
    const std::vector<double> values = parameter_values(self.model());
    py::dict dict;
    for (std::size_t i = 0; i < values.size(); ++i) dict[py::str(self.model().parameters[i].name)] = values[i];
    return py::object(dict);
  });
  type.property("until", "float",
                [](const LoadedModel& self, py::handle) { return py::float_(self.model().simulate.until); });
  type.property("every", "float",
                [](const LoadedModel& self, py::handle) { return py::float_(self.model().simulate.every); });
}

}  // namespace

void declare_model(py::module_& module) {
  Record<GradientMotion>::declare(module, "GradientMotion", "A motion and its derivatives by what it starts from.");
  Record<LoadedModel>::declare(module, "Model", "A model with what was made of it.");
  py::class_<Accelerations>(module, "Accelerations", "q'' of (t, q, q') as compiled code.");
}

void bind_model(py::module_& module) {
  Record<GradientMotion>().field("motion", &GradientMotion::motion).field("event_times", &GradientMotion::event_times);
  Record<LoadedModel> type;
  bind_contents(type);
  type.type()
      .def("with_", as_own(with_values), Unlock())
      .def("with_joints", as_own(with_joints), Unlock())
      .def("needs_forming", needs_forming)
      .def(
          "with_description",
          [](const LoadedModel& self, const Description& description) {
            return std::const_pointer_cast<LoadedModel>(self.with(description));
          },
          Unlock())
      .def("description", [](const LoadedModel& self) { return self.description(); })
      .def("to_toml", [](const LoadedModel& self) { return write_toml(self.description()); })
      .def("columns", asked(columns))
      .def("initial_state", asked(initial_state))
      .def("equations", asked(equations))
      .def("simulate", simulate)
      .def("simulate_gradient", simulate_gradient)
      .def("accelerations", asked(make_accelerations));
  py::class_<Accelerations> accelerations(py::reinterpret_borrow<py::object>(py::type::of<Accelerations>()));
  accelerations.def("_evaluate", evaluate_rows);
  add_property(accelerations, "is_native", "bool", [](py::handle self) {
    const auto& own = self.cast<const Accelerations&>();
    return py::cast(own.function && own.function.is_native());
  });
  add_property(accelerations, "coordinates", "list[str]", [](py::handle self) {
    return py::cast(names_of(self.cast<const Accelerations&>().system.model().coordinates));
  });
  module.def(
      "_load",
      [](const std::string& path, const std::string& package,
         const std::vector<std::pair<std::string, std::string>>& set) {
        return std::make_shared<LoadedModel>(read_description(find_model(path, package)),
                                             StartOptions{to_overrides(set)});
      },
      Unlock());
  module.def(
      "_parse_model",
      [](const std::string& text, const std::string& file) {
        return std::make_shared<LoadedModel>(parse_description(text, file), StartOptions{});
      },
      Unlock());
  module.def(
      "_list_models",
      [](const std::string& package) {
        std::vector<std::array<std::string, 3>> list;
        for (const ModelFile& file : list_models(package)) list.push_back({file.name, file.about, file.path});
        return list;
      },
      Unlock());
}

}  // namespace dalembert::python
