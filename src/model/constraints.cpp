#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <set>

#include "model/elaborator.hpp"
#include "model/vectors.hpp"

namespace dalembert {

void Elaborator::make_constraints() {
  for (const Member<ConstraintText>& member : constraints_) make_constraint(member);
}

Elaborator::Sides Elaborator::relate(const Where& where, const Text& text, const Context& context) {
  const Formula& formula = syntax(where, text, true);
  if (formula.relation == Relation::none)
    fail(where, text.place, "this is not a relation", "write lhs = rhs, lhs >= rhs or lhs <= rhs");
  Sides sides{formula.relation, formula.relation_place, {}, {}, false};
  sides.left = guarded(where, text, [&] { return interpret_in(formula, formula.left, context); });
  sides.right = guarded(where, text, [&] { return interpret_in(formula, formula.right, context); });
  sides.are_vectors = std::holds_alternative<Vector3>(sides.left);

  auto refuse = [&](std::string problem, std::string remedy) {
    fail_formula(where, text, FormulaError({"", sides.relation_place, "", std::move(problem), std::move(remedy)}));
  };
  if (sides.are_vectors != std::holds_alternative<Vector3>(sides.right))
    refuse("a vector on one side and a scalar on the other", "write [0, 0, 0] for the zero vector");
  if (sides.are_vectors && sides.relation != Relation::equal)
    refuse("a one-sided relation between vectors", "write it for each component");
  return sides;
}

void Elaborator::make_constraint(const Member<ConstraintText>& member) {
  const Text& text = member.entry->what.relation;
  Where where{"constraints", &member.entry->name, {}, &member.indices};
  const Sides sides = relate(where, text, {member.indices, false, true});
  if (sides.are_vectors) constraint_names_.at(member.name).is_vector = true;

  Constraint made;
  made.relation = sides.relation;
  made.place = member.entry->name.place;
  made.name = member.name;
  if (!member.entry->what.restitution.empty()) {
    if (sides.relation == Relation::equal)
      fail_formula(where, text,
                   FormulaError({"", sides.relation_place, "", "restitution of a constraint that is not one-sided",
                                 "remove it, or write >= or <="}));
    Where field = where;
    field.field = "restitution";
    made.restitution = scalar(field, member.entry->what.restitution, {member.indices});
    require(field, member.entry->what.restitution, made.restitution, of_parameters, "parameters");
  } else if (sides.relation != Relation::equal) {
    made.restitution = graph_.constant(0);
  }
  if (!sides.are_vectors) {
    made.written = std::get<Expr>(sides.left) - std::get<Expr>(sides.right);
    add_constraint(where, text, made, false);
    return;
  }
  std::size_t begin = model_.constraints.size();
  for (std::size_t c = 0; c < 3; ++c) {
    Constraint part = made;
    part.name = fmt::format("{}.{}", member.name, "xyz"[c]);
    part.written = std::get<Vector3>(sides.left)[c] - std::get<Vector3>(sides.right)[c];
    add_constraint(where, text, part, true);
  }
  // A component that vanishes identically, as velocities across a plane do, is of its neighbours' kind.
  std::span<Constraint> parts(model_.constraints.begin() + static_cast<std::ptrdiff_t>(begin), 3);
  bool differential =
      std::ranges::any_of(parts, [](const Constraint& part) { return part.kind == ConstraintKind::differential; });
  for (Constraint& part : parts)
    if (differential && part.f.is_zero()) part.kind = ConstraintKind::differential;
}

void Elaborator::add_constraint(const Where& where, const Text& text, Constraint made, bool in_vector) {
  guarded(where, text, [&] { collect_mentions(made.written, made.mentions, made.f = made.written); });
  require(where, text, made.f, in_states, "t, coordinates, rates and parameters");
  unsigned kinds = kinds_.of(made.f);
  // What reads 0 = 0 as it stands is a redundant constraint: `check` names it.
  const bool is_empty = made.f.is_zero() && (in_vector || made.relation == Relation::equal);
  if ((kinds & (of_coordinates | of_rates)) == 0 && !is_empty)
    fail(where, text.place, fmt::format("the constraint {} depends on no coordinate", made.name),
         "a constraint restricts coordinates or rates");
  made.kind = (kinds & of_rates) != 0 ? ConstraintKind::differential : ConstraintKind::geometric;
  if (made.relation != Relation::equal) {
    if (made.kind == ConstraintKind::differential)
      fail(where, text.place, fmt::format("a one-sided constraint depends on {}", offender(made.f, in_positions)),
           "one-sided constraints are formulas of t, coordinates and parameters");
    made.kind = ConstraintKind::one_sided;
  }
  if (made.kind == ConstraintKind::differential) settle_affine(where, text, made.f);
  model_.constraints.push_back(std::move(made));
}

/// The mentions whose symbols a formula reads, and the formula with their values.
void Elaborator::collect_mentions(Expr written, std::vector<Mention>& mentions, Expr& f) {
  f = written;
  if ((kinds_.of(written) & of_mentions) == 0) return;
  std::set<std::size_t> found;
  for (const Expr& symbol : free_symbols({&written, 1}))
    if (auto entry = mention_of_.find(symbol.id()); entry != mention_of_.end()) found.insert(entry->second);
  std::vector<Replacement> values;
  for (std::size_t index : found) {
    mentions.push_back(mentions_[index]);
    for (std::size_t c = 0; c < 3; ++c) values.push_back({mentions_[index].symbols[c], mentions_[index].value[c]});
  }
  f = substitute(written, values);
}

/// Refuses what is not affine in the rates. What is so only after simplification is written as affine.
void Elaborator::settle_affine(const Where& where, const Text& text, Expr& f) {
  std::vector<Expr> rates;
  for (const Expr& symbol : free_symbols({&f, 1}))
    if (kinds_.of_symbol(symbol) == of_rates) rates.push_back(symbol);
  std::vector<Expr> coefficients = gradient(f, rates);
  auto reads_rates = [&](Expr coefficient) { return (kinds_.of(coefficient) & of_rates) != 0; };
  if (std::ranges::none_of(coefficients, reads_rates)) return;

  for (const Expr& coefficient : coefficients)
    for (const Expr& rate : rates) {
      Expr bend = derivative(coefficient, rate);
      Verdict verdict = bend.is_zero() ? Verdict::zero : test_zero(bend).verdict;
      if (verdict == Verdict::nonzero)
        fail(where, text.place, fmt::format("it is not affine in the rate {}", rate.name()),
             "rates may appear linearly only");
      if (verdict == Verdict::undecided)
        fail(where, text.place, fmt::format("whether it is affine in the rate {} was not decided", rate.name()),
             "write it so that rates appear linearly, with the factors of each collected");
    }
  std::vector<Replacement> at_rest;
  for (const Expr& rate : rates) at_rest.push_back({rate, graph_.constant(0)});
  std::vector<Expr> terms{substitute(f, at_rest)};
  for (std::size_t i = 0; i < rates.size(); ++i) terms.push_back(substitute(coefficients[i], at_rest) * rates[i]);
  f = graph_.sum(terms);
}

void Elaborator::make_conditions() {
  for (const Member<Text>& member : conditions_) {
    const Text& text = member.entry->what;
    Where where{"initial", &member.entry->name, {}, &member.indices};
    const Sides sides = relate(where, text, {member.indices});
    if (sides.relation != Relation::equal)
      fail(where, text.place, "a condition at the start is an equation", "write lhs = rhs");
    if (!sides.are_vectors) {
      add_condition(where, text, member.name, std::get<Expr>(sides.left) - std::get<Expr>(sides.right), false);
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c)
      add_condition(where, text, fmt::format("{}.{}", member.name, "xyz"[c]),
                    std::get<Vector3>(sides.left)[c] - std::get<Vector3>(sides.right)[c], true);
  }
}

void Elaborator::add_condition(const Where& where, const Text& text, std::string name, Expr f, bool in_vector) {
  require(where, text, f, in_states, "t, coordinates, rates and parameters");
  const unsigned kinds = kinds_.of(f);
  if (in_vector && f.is_zero()) return;
  if ((kinds & (of_coordinates | of_rates)) == 0)
    fail(where, text.place, fmt::format("the condition {} depends on no coordinate", name),
         "a condition restricts coordinates or rates at t = 0");
  model_.initial.push_back({std::move(name), f, (kinds & of_rates) != 0, where.entry->place});
}

void Elaborator::make_unit_constraints() {
  std::vector<std::string> users(model_.coordinates.size());
  for (const Frame& each : model_.frames) {
    if (each.quaternion.empty()) continue;
    std::vector<Expr> terms{graph_.constant(-1)};
    for (std::size_t coordinate : each.quaternion) {
      if (!users[coordinate].empty())
        fail({"frames", nullptr, each.name}, each.place,
             fmt::format("the coordinate '{}' is in the quaternion of '{}' too", model_.coordinates[coordinate].name,
                         users[coordinate]),
             "each quaternion needs four coordinates of its own");
      users[coordinate] = each.name;
      terms.push_back(pow(model_.coordinates[coordinate].q, 2));
    }
    Constraint unit;
    unit.name = fmt::format("unit({})", each.name);
    unit.kind = ConstraintKind::geometric;
    unit.f = unit.written = graph_.sum(terms);
    unit.is_unit = true;
    unit.place = each.place;
    model_.constraints.push_back(std::move(unit));
  }
}

}  // namespace dalembert
