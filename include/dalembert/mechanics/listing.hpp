#pragma once
// Equations as people write those of a large system: named parts first, each in terms of what comes before, then one
// short equation a velocity in these names. Derived from the structure that the user gave (frames, bodies, points,
// definitions) by d'Alembert's principle, beside Lagrange's equations that are computed with. `own` as in
// equations.hpp.

#include <dalembert/expr/display.hpp>
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// A name and what it stands for.
struct NamedPart {
  enum class Kind : std::uint8_t {
    kinematics,  ///< of frames and points
    load,        ///< forces and moments, inertia included
    equation,    ///< shared between equations and constraints only
  };
  Kind kind = Kind::kinematics;
  std::string name;             ///< "omega_link2", "N_link2.z", "z3"
  std::string axes;             ///< of a vector: the frame whose axes its components are in
  std::vector<Expr> value;      ///< one or three, in symbols of the state and of earlier parts ("omega_link2.x")
  std::optional<Shown> vector;  ///< a vector's value in vector notation, where that is shorter
};

/// left = right.
struct ListedEquation {
  std::string name;
  Expr left, right;
};

struct EquationListing {
  std::vector<NamedPart> parts;
  std::vector<ListedEquation> motion;       ///< one a velocity: M u' + bias - A^T lambda is left - right
  std::vector<ListedEquation> constraints;  ///< one a row: as written, in mentions of positions and velocities
};

/// M u' + bias and A^T lambda, for every velocity; lambda by the symbols of reactions.
std::vector<Expr> inertia_side(const Equations& own);
std::vector<Expr> reaction_side(const Equations& own);

/// Work and length are proportional to the number of frames and to the size of the formulas written. What `also` has in
/// common with itself and the listing is named too, and those expressions are changed to read the parts. Equations that
/// are not the model's by d'Alembert's principle (of a variational problem, or with a mended metric) are listed as they
/// are, with what they share named.
EquationListing make_equation_listing(const Equations& own, std::vector<Expr>& also);

/// The energy of the model (Equations::energy, in its rates) as a sum of terms, one or two a body.
struct EnergyListing {
  std::vector<NamedPart> parts;
  std::vector<Expr> terms;
};
EnergyListing list_energy(const Model& own);

/// Of expressions that are listed by themselves: what they share gets names "z1", ... or those of the model's
/// definitions. The expressions are changed to read them.
std::vector<NamedPart> name_shared_parts(const Model& own, std::vector<Expr>& expressions);

}  // namespace dalembert
