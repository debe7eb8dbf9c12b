#pragma once
// What the user described, given a meaning: names resolved, vectors expanded, every formula an expression of
// the symbols t, q, q', q'' and the parameters. How it is written is in description.hpp.

#include <array>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/expr.hpp>
#include <dalembert/expr/formula.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

using Matrix3 = std::array<Vector3, 3>;  ///< rows

struct Parameter {
  std::string name;
  Expr symbol;
  Expr value;  ///< a constant, or a formula of other parameters
  Place place;
  bool shapes = false;       ///< its value went into how the model was formed, as the size of a family does
  bool is_positive = false;  ///< declared so: other values are refused
};

struct Coordinate {
  std::string name;
  Expr q, rate, acceleration;  ///< the symbols q, q', q''
  Expr value, rate_value;      ///< at t = 0: formulas of parameters
  Place place;
  bool is_guess = false, is_rate_guess = false;  ///< `value`, `rate_value` are only guesses: they are solved for
};

/// A turn about an axis (0, 1, 2), right-handed.
struct AxisTurn {
  int axis = 0;
  Expr angle;
};

/// A frame of reference, everything in world axes unless it says otherwise. Index 0 is `world`.
struct Frame {
  std::string name;
  std::size_t parent = 0;
  Matrix3 rotation;                     ///< takes components in this frame to the world's
  Vector3 origin;                       ///< position
  Vector3 velocity;                     ///< of the origin
  Vector3 omega;                        ///< angular velocity
  Vector3 omega_inside;                 ///< the same in this frame's own axes
  Vector3 offset;                       ///< of the origin on the parent, in the parent's axes
  Matrix3 turn;                         ///< takes components in this frame to the parent's
  std::vector<AxisTurn> turns;          ///< it is their product; empty where it is another's, a quaternion's or none
  Vector3 spin;                         ///< angular velocity against the parent, in this frame's own axes
  std::vector<std::size_t> quaternion;  ///< the four coordinates, where the frame is turned by a quaternion
  Place place;
};

struct Point {
  std::string name;
  std::size_t frame = 0;
  Vector3 inside;  ///< position in the frame's axes
  Vector3 position, velocity;
  Expr mass;                     ///< empty for a massless point
  std::optional<Vector3> force;  ///< active force, world axes
  Place place;
};

struct Body {
  std::string name;
  std::size_t frame = 0;
  Vector3 inside;                   ///< the centre in the frame's axes
  Vector3 centre, centre_velocity;  ///< of mass, world axes
  Expr mass;
  Matrix3 inertia;  ///< about the centre, in the frame's axes
  std::optional<Vector3> force, torque;
  Place place;
};

/// What a name of [definitions] stands for.
struct Definition {
  std::string name;
  std::vector<Expr> value;  ///< one, or the three components of a vector
};

enum class ConstraintKind : std::uint8_t { geometric, differential, one_sided };

/// position(P), velocity(P), velocity(B, P), omega(B) as it occurs in a constraint.
struct Mention {
  enum class Kind : std::uint8_t { position, velocity, omega };
  Kind kind;
  std::string on;    ///< the point (position, velocity) or the body or frame (omega)
  std::string body;  ///< B of velocity(B, P), else empty
  Vector3 symbols;   ///< stand for it in Constraint::written
  Vector3 value;     ///< what it is
};

/// One scalar constraint f = 0 (or f >= 0, f <= 0 as written).
struct Constraint {
  std::string name;  ///< "rod", "roll.x", "unit(FRAME)"
  ConstraintKind kind;
  Relation relation = Relation::equal;
  Expr f;                         ///< lhs - rhs in t, q, q'
  Expr written;                   ///< the same with each mention's symbols in place of its value
  std::vector<Mention> mentions;  ///< what `written` names
  Expr restitution;               ///< of a one-sided one
  bool is_unit = false;           ///< a quaternion's own: counts in the residual, has no reaction column
  Place place;
};

/// A condition f = 0 on the state at t = 0, beside the constraints.
struct Condition {
  std::string name;  ///< "reach", "spin.z"
  Expr f;            ///< lhs - rhs in q, q', t
  bool on_rates = false;
  Place place;
};

struct QuasiVelocity {
  std::string name;
  Expr symbol;
  Expr formula;  ///< affine in the rates
  Place place;
};

struct Model;

/// The model formed again with constants of its description as further coordinates, its last (Paulus 1910, assumption
/// 2). Masses, inertias and parameters computed from them keep their values. In the same graph.
struct Variation {
  std::shared_ptr<const Model> model;
  std::vector<Coordinate> freed;
  std::vector<Replacement> actual;  ///< symbols that only `model` has, and the freed ones on the true motion
};

struct Release {
  std::string name;        ///< the parameter or constant formula as written
  Expr released;           ///< the same as an expression of parameters and t
  std::string constraint;  ///< text of the Cartesian constraint, may be empty
  Expr f, written;         ///< that constraint, as in Constraint; empty where not given
  Expr moving;  ///< that constraint where positions vary with the freed constant and its own mention does not
  std::vector<Mention> mentions;
  std::vector<std::string> points;
  Variation variation;
  Place place;
};

/// A frame on its parent, with six constants freed: three of its origin in the parent's axes, three turns about them.
struct Joint {
  std::string name;
  std::size_t frame = 0;
  Variation variation;
};

struct Reduction {
  std::vector<Coordinate> coordinates;
  std::vector<Expr> embedding;  ///< each original coordinate in terms of t and the reduction's coordinates
  Place place;
};

/// May read reaction(c) and energy through the symbols of those names, and accelerations.
struct Output {
  std::string name;
  Expr formula;
  Place place;
};

/// What is drawn. A model file names all but the last three, which the drawing chooses.
enum class ShapeKind : std::uint8_t {
  box,       ///< lengths along the axes
  sphere,    ///< radius
  cylinder,  ///< radius and length, along an axis
  disk,      ///< the same, flat
  wheel,     ///< the same with spokes
  rod,       ///< between two places: radius
  line,      ///< between two places
  spring,    ///< between two places: radius and number of coils
  ground,    ///< a plane across an axis: two lengths
  mesh,      ///< triangles of an STL file: what its numbers are multiplied by
  marker,    ///< a small dot: a point without mass
  point,     ///< a ball of a size that is easily seen: a mass at a point
  axes,      ///< a frame's axes
};
std::string_view shape_name(ShapeKind kind);

/// [shapes]: for pictures only.
struct Shape {
  std::string name;
  ShapeKind kind = ShapeKind::box;
  std::size_t frame = 0;
  Vector3 at;                                ///< position; of what is between two places, one of them
  std::optional<Vector3> to;                 ///< the other
  std::vector<Expr> size;                    ///< as said at the kind; empty where the drawing decides
  std::size_t axis = 2;                      ///< of the frame
  std::optional<std::uint32_t> colour = {};  ///< 0xrrggbb
  std::string file;                          ///< of a mesh
  Place place;
};

enum class Direction : std::uint8_t { either, rising, falling };

struct Event {
  std::string name;
  Expr when;
  Direction direction = Direction::either;
  bool stop = true;
  Place place;
};

/// Names with their numbers, as {{"l", 2.0}, {"phi'", 0.5}}.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// What the settings are computed from: formulas of parameters, empty where not given.
struct SettingFormulas {
  Expr until, every, tolerance;
  std::vector<Expr> multipliers;
};

struct SimulateSettings {
  double until = 10.0;
  double every = 0.01;
  bool every_given = false;  ///< otherwise it is until / 1000
  double tolerance = 1e-10;
  bool vakonomic = false;
  NamedNumbers multipliers;  ///< vakonomic: mu at t = 0
  SettingFormulas formulas;
};

struct StartFormulas;

struct Model {
  std::shared_ptr<Graph> graph;
  std::string name, about, file;
  Expr time;
  Vector3 gravity;
  std::vector<Parameter> parameters;
  std::vector<Coordinate> coordinates;
  std::vector<Definition> definitions;
  std::vector<Frame> frames;
  std::vector<Point> points;
  std::vector<Body> bodies;
  Expr kinetic, potential, dissipation, lagrangian;  ///< empty where not given
  std::vector<Expr> forces;                          ///< generalized, one a coordinate (zero where not given)
  std::vector<Constraint> constraints;               ///< in the order written; unit constraints of quaternions last
  std::vector<Condition> initial;                    ///< [initial]: conditions at t = 0
  std::vector<QuasiVelocity> quasi_velocities;
  std::vector<Release> releases;
  std::vector<Joint> joints;
  std::vector<std::string> drives;  ///< formulas of time in the geometry that can be released
  std::optional<Reduction> reduction;
  std::vector<Output> outputs;
  std::vector<Event> events;
  std::vector<Shape> shapes;
  SimulateSettings simulate;
  std::shared_ptr<const StartFormulas> start_formulas;  ///< of parameters and start, ready to be evaluated
};

/// A copy with a graph of its own, in which every expression keeps its id. A plain copy of a model shares the graph:
/// where one thread makes new expressions in it, others need a fork. Many may fork one model at once while nobody does.
Model fork(const Model& model);

// --- numbers. Their cost depends on the formulas of parameters and start alone, not on the size of the model; a model
// from make_model may be asked by any number of threads.

/// Values of the parameters, in their order; the others follow where some are given. Throws InputError for a name that
/// is no parameter, a parameter that shapes the model, and a value that is not finite.
std::vector<double> parameter_values(const Model& model, const NamedNumbers& given = {});

/// A model's coordinates and their rates. What equations compute with is another matter: their coordinates and
/// velocities may be others.
struct ModelState {
  double t = 0;
  std::vector<double> q, rates;
};
/// The state at t = 0 as written, guesses included, and with other values of the parameters.
ModelState initial_state(const Model& model);
ModelState initial_state(const Model& model, std::span<const double> parameters);
/// The same of the coordinates of [reduction], which the model must have.
ModelState initial_reduced_state(const Model& model, std::span<const double> parameters);

/// Values of time, the parameters, the coordinates and the rates: the one way from numbers to symbols.
std::vector<Binding> bind_symbols(const Model& model, const ModelState& state, std::span<const double> parameters);

/// A fork with other values of parameters ("l"), initial values ("phi") and rates ("phi'"), coordinates of [reduction]
/// included, as `--set` gives them, without forming it again. What is given so is no guess any more. Throws InputError
/// for names that are none of these, for a parameter that shapes the model (give make_model an override instead), and
/// for values that are not finite or make others so.
Model with_values(const Model& model, const NamedNumbers& given);

/// The model with these initial values ("phi") and rates ("phi'") as guesses, as `--solve` names them; coordinates of
/// [reduction] too. Throws InputError for a name that is none.
Model with_guesses(Model model, std::span<const std::string> names);
/// The model with every initial value and rate as a guess, as `--project-initial` says.
Model with_all_guesses(Model model);
/// Some value or rate is a guess, or there are conditions: the start has to be solved for (simulate/start.hpp).
bool has_open_start(const Model& model);
/// A fork with other numbers in place of its guesses, which stay guesses: those that were solved for. `reduced` has
/// those of [reduction]; empty where they stay.
Model with_solved_guesses(const Model& model, const ModelState& state, const ModelState& reduced = {});

/// The total time derivative: q -> q', q' -> q'', t -> 1. In the graph of `own`, which is the caller's alone.
Expr time_derivative(const Model& own, Expr expression);

/// Names and formulas that can be released: the constants and drives on which masses, loads or constraints depend.
std::vector<std::string> find_releasable(const Model& model);

/// The symbol through which outputs and events read a reaction.
std::string reaction_symbol(const std::string& constraint);

/// Of parameters, coordinates, definitions, quasi-velocities and reactions: what formulas about the model are made of.
std::vector<std::string> symbol_names(const Model& model);

}  // namespace dalembert
