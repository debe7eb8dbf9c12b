#include <fmt/format.h>

#include <dalembert/model/description.hpp>

namespace dalembert {

Text::Text(double number) : text(fmt::format("{}", number)) {}

Description& Description::repeat(Text index, Text first, Text last) {
  repeats.push_back({std::move(index), {std::move(first), std::move(last)}});
  return *this;
}

Description& Description::parameter(Text entry, Text value) {
  parameters.push_back({std::move(entry), std::move(value)});
  return *this;
}

Description& Description::positive_parameter(Text entry, Text value) {
  positive.push_back(entry);
  return parameter(std::move(entry), std::move(value));
}

Description& Description::input(Text entry, InputText signal) {
  inputs.push_back({std::move(entry), std::move(signal)});
  return *this;
}

Description& Description::coordinate(Text entry, CoordinateText start) {
  coordinates.push_back({std::move(entry), std::move(start)});
  return *this;
}

Description& Description::definition(Text entry, VectorText formula) {
  definitions.push_back({std::move(entry), std::move(formula)});
  return *this;
}

Description& Description::frame(Text entry, FrameText what) {
  frames.push_back({std::move(entry), std::move(what)});
  return *this;
}

Description& Description::point(Text entry, PointText what) {
  points.push_back({std::move(entry), std::move(what)});
  return *this;
}

Description& Description::body(Text entry, BodyText what) {
  bodies.push_back({std::move(entry), std::move(what)});
  return *this;
}

Description& Description::force(Text coordinate_name, Text formula) {
  forces.push_back({std::move(coordinate_name), std::move(formula)});
  return *this;
}

Description& Description::constraint(Text entry, Text relation, Text restitution) {
  constraints.push_back({std::move(entry), {std::move(relation), std::move(restitution)}});
  return *this;
}

Description& Description::initially(Text entry, Text equation) {
  initial.push_back({std::move(entry), std::move(equation)});
  return *this;
}

Description& Description::quasi_velocity(Text entry, Text formula) {
  quasi_velocities.push_back({std::move(entry), std::move(formula)});
  return *this;
}

Description& Description::release(Text entry, ReleaseText what) {
  releases.push_back({std::move(entry), std::move(what)});
  return *this;
}

Description& Description::joint(Text frame_or_body) {
  joints.push_back(std::move(frame_or_body));
  return *this;
}

Description& Description::output(Text entry, VectorText formula) {
  outputs.push_back({std::move(entry), std::move(formula)});
  return *this;
}

Description& Description::event(Text entry, EventText what) {
  events.push_back({std::move(entry), std::move(what)});
  return *this;
}

Description& Description::shape(Text entry, ShapeText what) {
  shapes.push_back({std::move(entry), std::move(what)});
  return *this;
}

}  // namespace dalembert
