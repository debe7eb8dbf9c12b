#pragma once
// Model -> equations. Every principle fills the same type, so that simulate, verify and report know one.
//
// What a function is given it leaves as it is, and any number of threads may ask it about one model: it works in a
// fork, and what it gives has that fork with it. Only where the argument is called `own` are formulas made in its
// graph, so that they can be put together: that one is the caller's alone.

#include <dalembert/model/model.hpp>

namespace dalembert {

/// One scalar constraint on the velocities u that the equations integrate: A u + b = 0, A u' + gamma = 0.
struct ConstraintRow {
  std::string name;
  ConstraintKind kind;
  Relation relation = Relation::equal;
  std::vector<Entry> jacobian;  ///< A
  Expr offset;                  ///< b
  Expr drift;                   ///< gamma = dA/dt u + db/dt
  Expr position;                ///< f(t, q); empty for a differential constraint
  Expr restitution;             ///< of a one-sided one
  bool is_unit = false;
  Place place;
};

/// Reactions that the equations do not carry: the multipliers are those with A^T lambda = force, of least norm.
struct Recovery {
  std::vector<ConstraintRow> rows;  ///< A over the original rates
  std::vector<Expr> force;          ///< reaction on each original coordinate, in t, q, u, u'
};

/// A reaction that has an equation of its own (Hamel's surplus equations).
struct ReactionFormula {
  std::string name;
  Expr value;  ///< the multiplier, in t, q, u, u'
};

/// A velocity of the frame that the equations are written in.
struct FrameVelocity {
  std::string name;
  Expr formula;           ///< in t, q and the model's rates
  bool vanishes = false;  ///< a constraint says that it is zero
  Place place;
};

/// Free velocities u = S v over other velocities v, S chosen as numbers at a state: so that the kinetic energy is the
/// sum of u^2 / 2 there, and chosen again where S and the constraints come near dependence.
struct Completion {
  std::vector<Expr> symbols;            ///< S by rows, then a weight of each v: State::choice has their values
  std::vector<std::vector<Expr>> rows;  ///< the constraints over v, in t, q
  std::vector<std::vector<Expr>> mass;  ///< of the kinetic energy over v, in t, q and the model's rates
};

/// Equations in quasi-velocities: what they are, and what the frame has taken over from the constraints.
struct QuasiVelocities {
  std::vector<Expr> formulas;              ///< u in t, q and the model's rates
  std::vector<FrameVelocity> frame;        ///< all velocities, those that vanish included
  std::vector<ReactionFormula> reactions;  ///< each from its own surplus equation
  /// Geometric constraints whose velocities the frame has left out: only positions need projecting on them. Their
  /// Jacobian is over the coordinates.
  std::vector<ConstraintRow> position_rows;
  std::optional<Completion> completion;  ///< where the engine chose the velocities as numbers
  /// Lagrange's equations of the same model without contacts: what a start in the model's rates is put right by.
  std::shared_ptr<const struct Equations> in_rates;
};

/// A coordinate that is a multiplier mu of the variational problem: its rate is minus the multiplier of a row.
struct Impulse {
  std::uint32_t coordinate, row;
};

struct FirstIntegral {
  std::string name;  ///< "energy", "jacobi", "momentum of phi"
  Expr formula;      ///< in t, q, u
};

/// Which linear solver gives accelerations and multipliers: each principle its own, so that agreement is a check.
enum class Solver : std::uint8_t {
  gram_matrix,       ///< A M^-1 A^T (theory 1.4)
  least_constraint,  ///< the Karush-Kuhn-Tucker system of Gauss's minimum (theory 5.3)
  projector,         ///< rows orthonormal in the kinetic metric (theory 4.1)
};

/// M u' + bias = A^T lambda, A u' + drift = 0, q' = N u + n0 (theory: Zubelevich 2020, (13)-(15)).
struct Equations {
  std::shared_ptr<const Model> model;  ///< of these equations alone: its graph is theirs
  std::shared_ptr<Graph> graph;
  std::string by;  ///< "multipliers", "reduced", ...: for people to read
  Solver solver = Solver::gram_matrix;
  Expr time;
  std::vector<Expr> coordinates, velocities, accelerations;  ///< symbols q, u, u'
  std::vector<Expr> start_coordinates;                       ///< at t = 0, as written: formulas of the parameters
  std::vector<Expr> start_velocities;                        ///< likewise; of quasi-velocities left to the model
  std::vector<Expr> rates;                                   ///< q' = N u + n0
  std::vector<std::vector<Entry>> mass;                      ///< M: lower triangle with the diagonal, by rows
  std::vector<Expr> bias;                                    ///< h - F
  std::vector<ConstraintRow> rows;                           ///< equations
  std::vector<ConstraintRow> contacts;                       ///< one-sided

  // What only some principles have.
  std::optional<QuasiVelocities> quasi;
  std::optional<Recovery> recovery;
  std::vector<Impulse> impulses;  ///< of a vakonomic motion: the last coordinates
  /// What the model releases (Paulus 1910, (18)): in t, the model's q, q', q'' and the symbols of its reactions.
  std::vector<ReactionFormula> released;

  /// The model's own coordinates, rates and accelerations in terms of (t, q, u, u'); the symbols themselves where the
  /// equations are written in them.
  std::vector<Expr> model_coordinates, model_rates, model_accelerations;

  Expr lagrangian;                ///< in t, q, u
  Expr energy;                    ///< as docs/reference/commands.md defines it
  Expr jacobi;                    ///< q' dL/dq' - L
  Expr jacobi_power;              ///< its rate without the constraints' part: -dL/dt + F q' (theory 1.7)
  std::vector<Expr> force;        ///< F, on each velocity
  bool energy_is_jacobi = false;  ///< proved: the kinetic energy is homogeneous of second degree in the rates

  bool has_choice() const { return quasi && quasi->completion.has_value(); }
};

/// The same with a model and a graph of its own: what grows one does not grow the other.
Equations fork(const Equations& equations);

/// With the graph that the formulas are of: they live as long as it does.
struct FirstIntegrals {
  Equations equations;
  std::vector<FirstIntegral> found;
};

/// How hard to look: what the graph shows at once, or what the zero test can prove.
enum class Effort : std::uint8_t { glance, prove };

/// Energy or Jacobi's integral, the momenta of cyclic coordinates, and those that belong to translations and rotations
/// of the whole system (Noether), where they are conserved (theory 1.7, 3.9).
FirstIntegrals find_integrals(const Equations& equations, Effort effort);
std::vector<FirstIntegral> find_integrals_in(const Equations& own, Effort effort);
/// L is of second degree in the velocities: M is free of them.
bool is_natural(const Equations& equations, Effort effort);

/// The multipliers and accelerations as formulas of (t, q, u): solved for a person to read, never to compute with.
struct Solution {
  std::vector<Expr> multipliers;    ///< one a row; empty where they are not determined one by one or grow too large
  std::vector<Expr> accelerations;  ///< one a velocity; likewise
  std::string remark;               ///< why something is missing
};
/// With the graph that the formulas are of: they live as long as it does.
struct SymbolicSolution {
  Equations equations;
  Solution solution;
};
SymbolicSolution solve_symbolically(const Equations& equations, double work = 2e8);
Solution solve_symbolically_in(const Equations& own, double work = 2e8);

/// u', then the multipliers, as formulas of (t, q, u) to compute with: factors unrolled, for a regular M and
/// independent constraints. Empty where there are too many velocities for that, or one of the matrices is singular as
/// it stands.
std::vector<Expr> solve_unrolled(const Equations& own);

/// Lagrange's equations with multipliers in the model's coordinates.
Equations derive_multipliers(const Model& model);
/// So that several derivations can be compared.
Equations derive_multipliers(std::shared_ptr<const Model> own);
/// The same pulled back to the coordinates of [reduction] (theory 1.5). Throws ModelError where there is none.
Equations derive_reduced(const Model& model);
Equations derive_reduced(std::shared_ptr<const Model> own);
/// The stationary paths of the action among those that satisfy the constraints (theory 3.7), multipliers as further
/// coordinates. Throws ModelError where a force has no potential.
Equations derive_vakonomic(const Model& model);
/// By name: "multipliers", "reduced", "hamel", "gauss", "projection".
Equations derive_equations(const Model& model, const std::string& by);

}  // namespace dalembert
