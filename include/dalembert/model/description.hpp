#pragma once
// A model as it is written: names and formulas as texts with their places, in the order written, families not yet
// expanded. Read from a file, or built in C++:
//
//   Description d("pendulum");
//   d.parameter("l", 1).parameter("m", 1);
//   d.coordinate("phi", {.value = "0.3"});
//   d.point("P", {.position = {"l*sin(phi)", 0, "-l*cos(phi)"}, .mass = "m"});
//   Model model = make_model(d);

#include <concepts>
#include <dalembert/base/error.hpp>
#include <dalembert/model/model.hpp>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace dalembert {

/// A name or formula as written; numbers as their digits, so that 0.1 stays 1/10.
struct Text {
  std::string text;
  Place place;  ///< of its first character

  Text() = default;
  Text(std::string written, Place where = {}) : text(std::move(written)), place(where) {}
  Text(const char* written) : text(written) {}
  Text(std::integral auto number) : text(std::to_string(number)) {}
  Text(double number);  ///< the shortest decimal that reads back as this double

  bool empty() const { return text.empty(); }
};

/// Three components, or one formula whose value is a vector; inertias have three or six. Empty means not given.
struct VectorText {
  std::vector<Text> parts;
  Place place;

  VectorText() = default;
  VectorText(Text whole) : parts{std::move(whole)}, place(parts[0].place) {}
  VectorText(const char* whole) : parts{Text(whole)} {}
  VectorText(std::initializer_list<Text> components) : parts(components) {}

  bool empty() const { return parts.empty(); }
};

struct CoordinateText {
  Text value = 0, rate = 0;
  bool is_guess = false, is_rate_guess = false;  ///< what is a guess is solved for at t = 0

  /// The keys that they are written under.
  const char* value_key() const { return is_guess ? "guess" : "value"; }
  const char* rate_key() const { return is_rate_guess ? "rate_guess" : "rate"; }
};

/// {"z", "theta"}: about an axis; {"quaternion", "e0", "e1", "e2", "e3"}.
struct RotationText {
  Text kind;
  std::vector<Text> arguments;

  RotationText() = default;
  template <std::convertible_to<Text>... Arguments>
  RotationText(Text about, Arguments... given) : kind(std::move(about)), arguments{Text(given)...} {}
};

struct FrameText {
  Text parent = "world";
  VectorText origin = {};  ///< in the parent's axes
  std::vector<RotationText> rotate = {};
};

struct PointText {
  Text frame = "world";
  VectorText position = {};
  Text mass = {};
  VectorText force = {};
};

struct BodyText {
  Text frame = {};
  VectorText centre = {};
  Text mass = {};
  VectorText inertia = {};  ///< xx yy zz, or xx yy zz xy yz zx
  VectorText force = {}, torque = {};
};

struct EnergyText {
  Text kinetic = {}, potential = {}, dissipation = {}, lagrangian = {};
};

struct ConstraintText {
  Text relation = {};
  Text restitution = {};
};

struct ReleaseText {
  Text constraint = {};
  std::vector<Text> points = {};
};

struct EventText {
  Text when = {};
  Text direction = "either";
  Text action = "stop";
};

/// A signal that loads and drives read: a number or a formula of t and parameters, or a column of a CSV file with a
/// column t, beside the model file. One that is constant is a parameter of the model, one that varies with time a
/// definition, both of the same name.
struct InputText {
  Text value = 0;
  Text file = {}, column = {};

  InputText() = default;
  InputText(Text number_or_formula) : value(std::move(number_or_formula)) {}
  InputText(Text csv_file, Text csv_column) : file(std::move(csv_file)), column(std::move(csv_column)) {}
};

struct ShapeText {
  Text kind = {};
  Text frame = "world";            ///< of a body too
  std::vector<Text> size = {};     ///< numbers of the kind (ShapeKind)
  VectorText at = {};              ///< in the frame's axes
  Text axis = "z";                 ///< of the frame
  std::vector<Text> between = {};  ///< two points, frames or bodies, in place of `frame` and `at`
  Text colour = {};                ///< "#rrggbb" or a name
  Text file = {};                  ///< of a mesh, beside the model file
};

struct RangeText {
  Text first, last;
};

/// One entry of a table.
template <class T>
struct Named {
  Text name;
  T what;
};

struct ReductionText {
  std::vector<Named<CoordinateText>> coordinates;
  std::vector<Named<Text>> embedding;
  Place place;

  bool empty() const { return coordinates.empty() && embedding.empty(); }
};

struct SimulateText {
  Text until, every, tolerance, principle;
  std::vector<Named<Text>> multipliers;
};

/// [steady]: coordinates and rates that a steady motion keeps constant. `linearize` solves guesses for it.
struct SteadyText {
  std::vector<Text> constant;
};

/// [inverse]: what follows which functions of t, by which inputs. For `inverse`.
struct InverseText {
  std::vector<Named<Text>> follow;
  std::vector<Text> by;

  bool empty() const { return follow.empty() && by.empty(); }
};

/// [periodic]: the start lies on the section; what is free (T: the period) is solved for. For `periodic`.
struct PeriodicText {
  Text section, period;
  std::vector<Text> free;

  bool empty() const { return section.empty() && period.empty() && free.empty(); }
};

struct Description {
  std::string name, about, file;
  VectorText gravity;
  std::vector<Named<RangeText>> repeats;
  std::vector<Named<Text>> parameters;
  std::vector<Text> positive;  ///< parameters, by their names as written, that are declared positive
  std::vector<Named<InputText>> inputs;
  std::vector<Named<CoordinateText>> coordinates;
  std::vector<Named<VectorText>> definitions;
  std::vector<Named<FrameText>> frames;
  std::vector<Named<PointText>> points;
  std::vector<Named<BodyText>> bodies;
  EnergyText energy;
  std::vector<Named<Text>> forces;
  std::vector<Named<ConstraintText>> constraints;
  std::vector<Named<Text>> initial;  ///< further conditions at t = 0
  std::vector<Named<Text>> quasi_velocities;
  std::vector<Named<ReleaseText>> releases;
  std::vector<Text> joints;  ///< frames or bodies whose loads are asked for
  ReductionText reduction;
  std::vector<Named<VectorText>> outputs;
  std::vector<Named<EventText>> events;
  std::vector<Named<ShapeText>> shapes;
  SimulateText simulate;
  SteadyText steady;
  InverseText inverse;
  PeriodicText periodic;

  explicit Description(std::string model_name = {}) : name(std::move(model_name)) {}

  Description& repeat(Text index, Text first, Text last);
  Description& parameter(Text name, Text value);
  /// Other values are refused, and abs(l) is l.
  Description& positive_parameter(Text name, Text value);
  Description& input(Text name, InputText signal = {});
  Description& coordinate(Text name, CoordinateText start = {});
  Description& definition(Text name, VectorText formula);
  Description& frame(Text name, FrameText frame);
  Description& point(Text name, PointText point);
  Description& body(Text name, BodyText body);
  Description& force(Text coordinate, Text formula);
  Description& constraint(Text name, Text relation, Text restitution = {});
  Description& initially(Text name, Text equation);
  Description& quasi_velocity(Text name, Text formula);
  Description& release(Text name, ReleaseText release = {});
  Description& joint(Text frame_or_body);
  Description& output(Text name, VectorText formula);
  Description& event(Text name, EventText event);
  Description& shape(Text name, ShapeText shape);
};

/// One `--set name=value`: a parameter ("l"), an input, an initial value ("theta") or rate ("theta'").
struct Override {
  std::string name;
  std::string value;  ///< a number, or a formula of parameters; of an input also of t
};
using Overrides = std::vector<Override>;

/// The model file as written. Throws ModelError.
Description read_description(const std::string& path);
/// The same of a text; `file` is what errors call it.
Description parse_description(std::string_view text, const std::string& file = {});
/// A model file that says the same.
std::string write_toml(const Description& description);

/// Gives a description its meaning. Throws ModelError.
Model make_model(const Description& description, const Overrides& overrides = {});

// --- bundled models. They are looked for in the folder that the environment variable DALEMBERT_MODELS names, if it is
// set; then beside the running program, as share/dalembert/models in its folder or the one above; then in `package`,
// where the package lies that the calling program was built with: CMake says so to whatever links dalembert.
#ifndef DALEMBERT_PACKAGE_MODELS
#define DALEMBERT_PACKAGE_MODELS ""
#endif

struct ModelFile {
  std::string name, about, path;
};
/// The bundled models, by name.
std::vector<ModelFile> list_models(const std::string& package = DALEMBERT_PACKAGE_MODELS);
/// The path that `models:NAME` stands for; any other text is a path already.
std::string find_model(const std::string& name_or_path, const std::string& package = DALEMBERT_PACKAGE_MODELS);
/// The model of a file, or of `models:NAME`.
Model load_model(const std::string& name_or_path, const Overrides& overrides = {},
                 const std::string& package = DALEMBERT_PACKAGE_MODELS);

}  // namespace dalembert
