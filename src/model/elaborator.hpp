#pragma once
// A description is given its meaning here: families are expanded, names declared, then every formula becomes an
// expression. What is used before it is written (definitions, frames, points, outputs) is made when first asked for.

#include <dalembert/model/description.hpp>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "model/families.hpp"
#include "model/kinds.hpp"

namespace dalembert {

/// Where in the description something stands, for errors.
struct Where {
  std::string_view section;
  const Text* entry = nullptr;
  std::string_view field = {};
  const Indices* indices = nullptr;
};

[[noreturn]] inline void fail_here(const SyntaxNode& node, std::string problem, std::string remedy) {
  throw FormulaError({"", node.place, "", std::move(problem), std::move(remedy)});
}

class Elaborator {
 public:
  Elaborator(const Description& description, const Overrides& overrides);
  /// All passes, in their order.
  void run();
  Model take_model() { return std::move(model_); }

 private:
  /// A step of the work and where it is done (make_model.cpp).
  struct Pass {
    void (Elaborator::*work)();
    bool in_model, in_variation;
  };
  static const Pass passes[];

  // --- constants freed (releases.cpp)
  /// What is freed in this run: a parameter, a constant formula, or a frame's place on its parent.
  struct Freeing {
    const Member<ReleaseText>* release = nullptr;
    std::optional<std::size_t> parameter;
    Expr formula;           // of parameters and t
    std::size_t frame = 0;  // a joint's; none is world
    std::vector<Coordinate> coordinates;
    Expr fixed;  // what masses, inertias and other parameters read
  };
  Elaborator(const Description& description, const Overrides& overrides, std::shared_ptr<Graph> graph,
             std::optional<Freeing> freeing);
  void free_constants();
  void make_releases();
  void make_release(const Member<ReleaseText>& member);
  Expr released_formula(const Where& where, const Member<ReleaseText>& member);
  void make_joints();
  Variation vary(const Freeing& freeing, Expr* moving);
  void check_variation(const Release& release) const;
  void hold_values();
  void append_freed();
  Expr make_moving();
  void note_drives(std::span<const Expr> geometry);
  [[noreturn]] void refuse_release(const Where& where, Place place, std::string problem) const;

  // --- errors (errors.cpp)
  [[noreturn]] void fail(const Where& where, Place place, std::string problem, std::string remedy) const;
  [[noreturn]] void fail_formula(const Where& where, const Text& text, const FormulaError& error) const;
  std::string key_of(const Where& where) const;
  /// Errors of expressions built in `work` get the place of `text`.
  template <class Work>
  decltype(auto) guarded(const Where& where, const Text& text, Work&& work) {
    try {
      return work();
    } catch (const FormulaError& error) {
      fail_formula(where, text, error);
    }
  }

  // --- names (names.cpp)
  enum class NameKind : std::uint8_t { parameter, coordinate, reduced, definition, quasi_velocity, output, signal };
  struct Name {
    NameKind kind;
    std::size_t index;
    Place place;
  };
  enum class ThingKind : std::uint8_t { frame, point, body };
  struct Thing {
    ThingKind kind;
    std::size_t index;
    Place place;
  };
  struct ConstraintName {
    Place place;
    bool is_release = false;
    bool is_vector = false;  // of a constraint, once it is made
  };
  void declare_names();
  void declare_inputs();
  void declare_things();
  void declare_constraints();
  template <class T>
  std::vector<Member<T>> expand(const std::vector<Named<T>>& entries, std::string_view section);
  void check_name(const Where& where, const std::string& name) const;
  void declare(const Where& where, const std::string& name, NameKind kind, std::size_t index);
  void declare_thing(const Where& where, const std::string& name, ThingKind kind, std::size_t index);
  std::string reference(const Where& where, const Text& text);
  std::size_t find_frame(const Where& where, const Text& text);
  std::size_t find_coordinate(const Where& where, const Text& text);
  std::vector<std::string> known_names() const;
  std::vector<std::string> known_things() const;
  std::vector<std::string> known_constraints() const;
  void check_overrides();
  /// What --set gives instead, and then `where` says so.
  const Text& overridden(const std::string& name, const Text& written, Where& where);

  // --- formulas (formulas.cpp, calls.cpp)
  struct Context {
    std::reference_wrapper<const Indices> indices = no_indices;
    bool along_motion = false;  // outputs and events: reactions, energy, quasi-velocities
    bool mentions = false;      // position(P), ... become symbols
    bool fixed = false;         // the freed constant keeps its value
  };
  const Formula& syntax(const Where& where, const Text& text, bool allow_relation = false);
  Quantity value(const Where& where, const Text& text, const Context& context);
  Expr scalar(const Where& where, const Text& text, const Context& context);
  Quantity value(const Where& where, const VectorText& text, const Context& context);
  Vector3 vector(const Where& where, const VectorText& text, const Context& context);
  Quantity interpret_in(const Formula& formula, std::uint32_t root, const Context& context);
  Quantity interpret_charged(const Formula& formula, std::uint32_t root);
  /// Throws unless the expression depends on nothing but these kinds of symbols.
  void require(const Where& where, const Text& text, const Quantity& value, unsigned allowed,
               std::string_view expected);
  std::string offender(Expr expression, unsigned allowed);
  std::optional<Quantity> ask_name(const SyntaxNode& node);
  Quantity value_of_name(const SyntaxNode& node, const std::string& name, const Name& entry);
  Quantity value_of_coordinate(const SyntaxNode& node, const Coordinate& coordinate) const;
  std::optional<Quantity> ask_call(const Formula& formula, std::uint32_t call);
  Quantity call_sum(const Formula& formula, std::uint32_t call);
  Quantity call_reaction(const Formula& formula, std::uint32_t call);
  Quantity call_axis(const Formula& formula, std::uint32_t call);
  Quantity call_place(const Formula& formula, std::uint32_t call);
  void set_rate(Expr symbol, Expr rate);
  Quantity time_derivative(const Quantity& value);
  Vector3 time_derivative(const Vector3& value);

  // --- what is made when first asked for
  enum class Progress : std::uint8_t { waiting, busy, made };
  struct Lazy {
    Progress progress = Progress::waiting;
    Quantity value;
  };
  template <class Make>
  void make_once(Progress& progress, const std::string& name, const Where& where, Make&& make);
  const Quantity& definition(std::size_t index, const Context& context);
  const Quantity& output(std::size_t index);
  const Expr& quasi_velocity(std::size_t index);
  const Expr& parameter_value(std::size_t index);
  const Frame& frame(std::size_t index);
  const Point& point(std::size_t index);

  // --- inputs (inputs.cpp)
  std::string_view section_of_parameter(std::size_t index) const {
    return index < first_input_ ? "parameters" : "inputs";
  }
  /// An input that varies with time: a number for each t.
  Expr signal(const Where& where, std::size_t index, const Context& context);
  Expr interpolate_column(const Where& where, const InputText& text);

  // --- geometry (geometry.cpp)
  /// A frame's rotation as before * (one elementary rotation): turns about one axis add up to one angle.
  struct Turning {
    Matrix3 before;
    Vector3 omega_before;  // in the axes of `before`
    int axis = -1;         // 0, 1, 2, or none
    Expr angle;
  };
  Matrix3 rotation_of(const Turning& turning);
  Vector3 omega_of(const Turning& turning);
  Matrix3 elementary(int axis, Expr angle);
  void make_frame(std::size_t index);
  /// One rotation as written: about an axis, or (no axis) by a matrix, with the angular velocity that it adds.
  struct Turn {
    int axis;
    Expr angle;
    Matrix3 matrix;
    Vector3 spin;
  };
  Turn make_turn(const Where& where, const RotationText& rotation, const Context& context, Frame& frame);
  Turn turn_by_quaternion(const Where& where, const RotationText& rotation, Frame& frame, const Indices& indices);
  void turn(Turning& turning, const Turn& by);
  void make_point(std::size_t index);
  /// Position and velocity in world axes of what is at `inside` in a frame.
  std::pair<Vector3, Vector3> carry(std::size_t frame_index, const Vector3& inside);
  struct Spot {
    std::string name;
    Vector3 position, velocity;
  };
  Spot spot(const Thing& thing, const std::string& name);
  std::size_t frame_of(const Thing& thing) const;
  std::pair<std::string, const Thing*> thing_argument(const Formula& formula, std::uint32_t node);
  Vector3 mention(Mention::Kind kind, const std::string& on, const std::string& body, const Vector3& value);

  // --- the model, part by part (make_model.cpp, physics.cpp, constraints.cpp, sections.cpp)
  void make_symbols();
  void make_parameters();
  void make_start();
  void make_reduced_start();
  void note_shapes();
  void make_start_formulas();
  void make_definitions();
  void make_frames();
  void make_points();
  void make_coordinates(const std::vector<Member<CoordinateText>>& members, Kinds kind,
                        std::vector<Coordinate>& coordinates);
  void make_world();
  void make_gravity();
  void start_coordinates(const std::vector<Member<CoordinateText>>& members, std::string_view section,
                         std::vector<Coordinate>& coordinates);
  void make_bodies();
  Matrix3 inertia(const Where& where, const VectorText& text, const Context& context);
  void make_energies();
  void make_forces();
  void make_constraints();
  void make_constraint(const Member<ConstraintText>& member);
  void add_constraint(const Where& where, const Text& text, Constraint constraint, bool in_vector);
  void settle_affine(const Where& where, const Text& text, Expr& f);
  void make_unit_constraints();
  /// A relation with both sides interpreted: two scalars or two vectors.
  struct Sides {
    Relation relation;
    Place relation_place;
    Quantity left, right;
    bool are_vectors;
  };
  Sides relate(const Where& where, const Text& text, const Context& context);
  void make_conditions();
  void add_condition(const Where& where, const Text& text, std::string name, Expr f, bool in_vector);
  void collect_mentions(Expr written, std::vector<Mention>& mentions, Expr& f);
  void make_quasi_velocities();
  void make_reduction();
  void make_outputs();
  void make_events();
  void make_shapes();
  void make_shape(const Member<ShapeText>& member);
  void place_shape(const Member<ShapeText>& member, bool is_between, Shape& made);
  void make_settings();
  void check_masses();
  void check_inertias();
  void check_numbers();
  double number(const Where& where, const Text& text, Expr& formula);

  const Description& description_;
  const Overrides& overrides_;
  Families families_;
  Model model_;
  Graph& graph_;
  KindsOfSymbols kinds_;
  Scope scope_;
  Context context_;  // of the formula being interpreted
  std::unordered_map<const Text*, Formula> syntax_;
  std::vector<std::string> busy_;
  std::size_t entries_ = 0, work_ = 0, depth_ = 0;

  std::vector<Member<Text>> parameters_, forces_, conditions_, quasi_velocities_, embedding_;
  std::vector<Member<CoordinateText>> coordinates_, reduced_;
  std::vector<Member<VectorText>> definitions_, outputs_;
  std::vector<Member<FrameText>> frames_;
  std::vector<Member<PointText>> points_;
  std::vector<Member<BodyText>> bodies_;
  std::vector<Member<ConstraintText>> constraints_;
  std::vector<Member<ReleaseText>> releases_;
  std::vector<Member<EventText>> events_;
  std::vector<Member<InputText>> inputs_;
  // Inputs come after the other parameters and definitions, as entries of their own.
  std::deque<Named<Text>> constant_inputs_;
  std::deque<Named<VectorText>> varying_inputs_;
  std::vector<const InputText*> signals_;  // of the definitions from first_signal_ on
  std::size_t first_input_ = 0, first_signal_ = 0;
  std::vector<Member<ShapeText>> shapes_;

  std::unordered_map<std::string, Name> names_;
  std::unordered_map<std::string, Thing> things_;
  std::unordered_map<std::string, ConstraintName> constraint_names_;
  std::unordered_map<std::string, Named<Text>> override_texts_;
  std::vector<Binding> bindings_;  // values of the parameters
  std::optional<Freeing> freeing_;
  std::unordered_set<NodeId> driven_;  // what note_drives has seen

  std::vector<Lazy> definition_values_, mentioned_values_, fixed_values_, output_values_;
  std::vector<Progress> parameter_progress_, quasi_progress_, frame_progress_, point_progress_;
  std::vector<Turning> turnings_;
  std::vector<std::size_t> frame_of_body_;
  std::vector<NodeId> rates_;  // time derivatives of symbols by their nodes, and one: 0 is none
  std::vector<Mention> mentions_;
  std::unordered_map<NodeId, std::size_t> mention_of_;  // by symbol
  std::unordered_map<std::string, std::size_t> mention_names_;
};

}  // namespace dalembert
