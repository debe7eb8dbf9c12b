#include <algorithm>
#include <map>

#include "mechanics/hamel/algebra.hpp"

// Kind and name of an algebra. A direct sum is taken apart step by step: blocks that the basis shows, the largest
// abelian summand, the largest semisimple summand; what is left is compared with the usual indecomposable ones.

namespace dalembert {
namespace {

/// The summands' names; an empty one stands for an algebra without a usual name.
using Names = std::vector<std::string>;

/// Semisimple algebras of up to nine dimensions are sums of so(3), sl(2,R) and sl(2,C), except the eight-dimensional
/// ones, and the signature of the Killing form tells which: each has 0, 2 and 3 positive squares.
Names name_semisimple(const LieAlgebra& algebra) {
  const std::size_t size = algebra.dimension();
  auto [positive, negative] = signature(algebra.killing());
  if (size > 9 || size % 3 != 0 || positive + negative != size) return {""};
  for (std::size_t complex = 0; 6 * complex <= size; ++complex) {
    std::size_t rest = size / 3 - 2 * complex;
    if (positive < 3 * complex || (positive - 3 * complex) % 2 != 0 || (positive - 3 * complex) / 2 > rest) continue;
    std::size_t real = (positive - 3 * complex) / 2;
    Names names(rest - real, "so(3)");
    names.insert(names.end(), real, "sl(2,R)");
    names.insert(names.end(), complex, "sl(2,C)");
    return names;
  }
  return {""};
}

/// One that has neither an abelian nor a semisimple summand.
std::string name_indecomposable(const LieAlgebra& algebra) {
  const std::size_t size = algebra.dimension();
  Subspace derived = algebra.derived();
  if (size == 2) return "aff(1)";
  // The centre is the derived line, so the bracket is a nondegenerate form on the rest.
  if (derived.dimension() == 1 && algebra.centre().dimension() == 1)
    return size == 3 ? "Heisenberg" : "Heisenberg(" + std::to_string(size) + ")";
  if (size == 3 && derived.dimension() == 2 && algebra.centre().dimension() == 0) {
    // X outside acts on the abelian plane: a rotation if its trace is zero and the trace of its square negative.
    std::size_t outside = derived.free_columns()[0];
    Expr trace = algebra.graph().constant(0);
    for (std::size_t k = 0; k < 2; ++k) {
      Row unit(size, algebra.graph().constant(0));
      unit[outside] = algebra.graph().constant(1);
      trace = tidy(trace + algebra.bracket(unit, derived.rows()[k])[derived.pivots()[k]]);
    }
    int square = sign_of(algebra.killing()[outside][outside]);
    if (vanishes(trace) && square != 0) return square < 0 ? "se(2)" : "se(1,1)";
    return "";
  }
  // Perfect, three rotations on three that commute: the only such action is that on vectors.
  if (size == 6 && derived.dimension() == 6) {
    Subspace radical = algebra.radical();
    if (radical.dimension() == 3 && algebra.brackets(radical, radical).dimension() == 0 &&
        name_semisimple(algebra.quotient(radical)) == Names{"so(3)"})
      return "se(3)";
  }
  return "";
}

/// The largest abelian direct summand: a part of the centre outside the derived algebra. What remains contains the
/// latter.
std::pair<std::size_t, Subspace> split_abelian(const LieAlgebra& algebra) {
  const Subspace centre = algebra.centre(), whole = algebra.whole();
  Subspace rest = algebra.derived(), both = rest;
  std::size_t abelian = 0;
  for (const Row& row : centre.rows()) abelian += both.add(row) ? 1 : 0;
  for (const Row& row : whole.rows())
    if (both.add(row)) rest.add(row);
  return {abelian, rest};
}

void take_apart(const LieAlgebra& algebra, Names& names, std::size_t& abelian) {
  if (algebra.dimension() == 0) return;
  if (std::vector<Subspace> blocks = algebra.blocks(); blocks.size() > 1) {
    for (const Subspace& block : blocks) take_apart(algebra.subalgebra(block), names, abelian);
    return;
  }
  if (auto [flat, rest] = split_abelian(algebra); flat > 0) {
    abelian += flat;
    return take_apart(algebra.subalgebra(rest), names, abelian);
  }
  // What commutes with the radical is a semisimple ideal and the radical's centre.
  Subspace semisimple = algebra.perfect_part(algebra.centralizer(algebra.radical()));
  if (semisimple.dimension() > 0) {
    for (std::string& name : name_semisimple(algebra.subalgebra(semisimple))) names.push_back(std::move(name));
    return take_apart(algebra.subalgebra(algebra.centralizer(semisimple)), names, abelian);
  }
  names.push_back(name_indecomposable(algebra));
}

std::string kind_of(const LieAlgebra& algebra, const Group& group) {
  if (group.derived.size() == 1 && group.dimension > 0 && group.derived[0] == group.dimension && group.centre == 0 &&
      group.signature[0] + group.signature[1] == group.dimension)
    return "semisimple";
  if (group.centre == group.dimension) return "abelian";
  if (group.lower_central.back() == 0) return "nilpotent";
  if (group.derived.back() == 0) return "solvable";
  return algebra.radical().dimension() == group.centre ? "reductive" : "mixed";
}

}  // namespace

std::string name_algebra(const LieAlgebra& algebra) {
  Names names;
  std::size_t abelian = 0;
  take_apart(algebra, names, abelian);
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    static const std::map<std::string, int> order{
        {"so(3)", 0}, {"sl(2,R)", 1}, {"sl(2,C)", 2}, {"se(3)", 3}, {"se(2)", 4}};
    auto place = [&](const std::string& name) { return order.contains(name) ? order.at(name) : 5; };
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  if (abelian > 0) names.push_back("R^" + std::to_string(abelian));
  std::string text;
  for (const std::string& name : names) {
    if (name.empty()) return "";
    text += (text.empty() ? "" : " + ") + name;
  }
  return text;
}

std::optional<Group> classify_group(const StructureConstants& constants) {
  Group group;
  group.dimension = constants.size();
  if (constants.empty()) return group;
  LieAlgebra algebra(constants[0][0][0].graph(), constants);
  try {
    group.satisfies_jacobi = algebra.satisfies_jacobi();
    if (!group.satisfies_jacobi) return group;
    algebra.perfect_part(algebra.whole(), &group.derived);
    group.lower_central = algebra.lower_central();
    group.centre = algebra.centre().dimension();
    group.killing = algebra.killing();
    auto [positive, negative] = signature(group.killing);
    group.signature = {positive, negative};
    group.is_compact = negative == group.dimension;
    group.kind = kind_of(algebra, group);
    group.name = name_algebra(algebra);
  } catch (const Undecided&) {
    return std::nullopt;
  }
  return group;
}

}  // namespace dalembert
