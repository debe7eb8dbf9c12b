// A model that is built by calls: every part is named, every formula a text.

#include "bindings.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

VectorText to_vector(const std::vector<std::string>& parts) {
  VectorText vector;
  for (const std::string& part : parts) vector.parts.emplace_back(part);
  return vector;
}
using Texts = std::vector<std::string>;

void add_coordinate(Description& self, const std::string& name, const std::string& value, const std::string& rate,
                    bool is_guess, bool is_rate_guess) {
  self.coordinate(name, {value, rate, is_guess, is_rate_guess});
}

void add_frame(Description& self, const std::string& name, const std::string& parent, const Texts& origin,
               const std::vector<Texts>& rotate) {
  FrameText frame{.parent = parent, .origin = to_vector(origin)};
  for (const Texts& turn : rotate) {
    RotationText rotation;
    rotation.kind = turn.empty() ? "" : turn[0];
    for (std::size_t i = 1; i < turn.size(); ++i) rotation.arguments.emplace_back(turn[i]);
    frame.rotate.push_back(std::move(rotation));
  }
  self.frame(name, std::move(frame));
}

void add_point(Description& self, const std::string& name, const std::string& frame, const Texts& position,
               const std::string& mass, const Texts& force) {
  self.point(name, {frame, to_vector(position), mass, to_vector(force)});
}

void add_body(Description& self, const std::string& name, const std::string& frame, const Texts& centre,
              const std::string& mass, const Texts& inertia, const Texts& force, const Texts& torque) {
  self.body(name, {frame, to_vector(centre), mass, to_vector(inertia), to_vector(force), to_vector(torque)});
}

void add_energy(Description& self, const std::string& kinetic, const std::string& potential,
                const std::string& dissipation, const std::string& lagrangian) {
  const auto put = [](Text& into, const std::string& text) {
    if (!text.empty()) into = text;
  };
  put(self.energy.kinetic, kinetic);
  put(self.energy.potential, potential);
  put(self.energy.dissipation, dissipation);
  put(self.energy.lagrangian, lagrangian);
}

void set_simulate(Description& self, const std::string& until, const std::string& every, const std::string& tolerance) {
  const auto put = [](Text& into, const std::string& text) {
    if (!text.empty()) into = text;
  };
  put(self.simulate.until, until);
  put(self.simulate.every, every);
  put(self.simulate.tolerance, tolerance);
}

}  // namespace

void declare_description(py::module_& module) {
  py::class_<Description>(module, "Description", "A model as it is written.");
}

void bind_description(py::module_&) {
  py::class_<Description>(py::reinterpret_borrow<py::object>(py::type::of<Description>()))
      .def(py::init<std::string>(), py::arg("name"))
      .def("copy", [](const Description& self) { return self; })
      .def_readwrite("about", &Description::about)
      .def("gravity", [](Description& self, const Texts& g) { self.gravity = to_vector(g); })
      .def("parameter",
           [](Description& self, const std::string& name, const std::string& value) { self.parameter(name, value); })
      .def("coordinate", add_coordinate)
      .def("definition",
           [](Description& self, const std::string& name, const Texts& f) { self.definition(name, to_vector(f)); })
      .def("frame", add_frame)
      .def("point", add_point)
      .def("body", add_body)
      .def("energy", add_energy)
      .def("force", [](Description& self, const std::string& name, const std::string& f) { self.force(name, f); })
      .def("constraint", [](Description& self, const std::string& name, const std::string& relation,
                            const std::string& restitution) { self.constraint(name, relation, restitution); })
      .def("initially",
           [](Description& self, const std::string& name, const std::string& f) { self.initially(name, f); })
      .def("quasi_velocity",
           [](Description& self, const std::string& name, const std::string& f) { self.quasi_velocity(name, f); })
      .def("release",
           [](Description& self, const std::string& name, const std::string& constraint, const Texts& points) {
             ReleaseText release;
             release.constraint = constraint;
             for (const std::string& point : points) release.points.emplace_back(point);
             self.release(name, release);
           })
      .def("joint", [](Description& self, const std::string& name) { self.joint(name); })
      .def("output",
           [](Description& self, const std::string& name, const Texts& f) { self.output(name, to_vector(f)); })
      .def("event",
           [](Description& self, const std::string& name, const std::string& when, const std::string& direction,
              const std::string& action) {
             self.event(name, {when, direction, action});
           })
      .def("simulate", set_simulate)
      .def("to_toml", [](const Description& self) { return write_toml(self); })
      .def(
          "form", [](const Description& self) { return std::make_shared<LoadedModel>(self, StartOptions{}); },
          Unlock());
}

}  // namespace dalembert::python
