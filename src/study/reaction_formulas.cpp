#include "study/reaction_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/mechanics/hamel.hpp>

#include "mechanics/balance.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_unknowns = 12;               // velocities and multipliers
constexpr double largest_mass = 3000;                   // nodes of M written out
constexpr std::size_t one_line = 150, two_lines = 300;  // characters

/// Of the text alone: what it was made from may be long.
bool is_shorter(const ReactionText& a, const ReactionText& b) {
  return !a.text.empty() && (b.text.empty() || a.text.size() < b.text.size());
}

/// The model without the constraints that follow from others, so that each of the rest has a velocity of its own: what
/// is determined by itself has the same reaction there.
Model without_dependent(const Model& model, const RankReport& rank) {
  Model fewer = model;
  std::erase_if(fewer.constraints, [&](const Constraint& constraint) {
    return std::ranges::find(rank.redundant, constraint.name, &RankReport::Redundant::name) != rank.redundant.end();
  });
  return fewer;
}

}  // namespace

const ReactionText& choose_readable(const ReactionText& solved, const ReactionText& plain) {
  if (!solved.text.empty() && solved.text.size() <= two_lines) return solved;
  return is_shorter(solved, plain) ? solved : plain;
}

std::array<std::string, 3> write_load(const ReactionState& at, const std::string& name, const ReactionText& multiplier,
                                      const Vector3& direction) {
  auto components = [&](Expr lambda) {
    std::array<std::string, 3> texts;
    for (std::size_t k = 0; k < 3; ++k) texts[k] = write_if_short(lambda * direction[k], work_to_write);
    return texts;
  };
  if (!multiplier.text.empty() && multiplier.by != "balance" && multiplier.text.size() <= one_line) {
    std::array<std::string, 3> texts = components(multiplier.formula);
    const std::size_t total = texts[0].size() + texts[1].size() + texts[2].size();
    if (is_readable(texts) && total <= one_line) return texts;
  }
  return components(at.model.graph->symbol(reaction_symbol(name)));
}

ReactionFormulas::ReactionFormulas(const ReactionState& at) : at_(at) {
  if (at.formulas) balance_ = solve_balance(at.acting, work_to_write);
}

ReactionText ReactionFormulas::operator()(std::size_t row) {
  if (!at_.formulas) return {};
  ReactionText solved = by_multipliers(row);
  if (solved.text.empty() || solved.text.size() > two_lines)
    if (ReactionText other = by_hamel(row); is_shorter(other, solved)) solved = other;
  if (!solved.text.empty() && solved.text.size() <= two_lines) return solved;
  return choose_readable(solved, by_balance(row));
}

/// A formula that has no value here (it divides by what vanishes in this state) is of no use here.
ReactionText ReactionFormulas::write(Expr formula, const char* by) const {
  if (!formula || !std::isfinite(evaluate(formula, at_.bindings))) return {};
  std::string text = write_if_short(formula, work_to_write);
  return text.empty() ? ReactionText{} : ReactionText{std::move(text), by, formula};
}

ReactionText ReactionFormulas::by_multipliers(std::size_t row) {
  return at_.solution.multipliers.empty() ? ReactionText{} : write(at_.solution.multipliers[row], "multipliers");
}

ReactionText ReactionFormulas::by_balance(std::size_t row) {
  return balance_.empty() ? ReactionText{} : write(balance_[row], "balance");
}

ReactionText ReactionFormulas::by_hamel(std::size_t row) {
  if (!at_.rank.unique[row] || !suits_hamel()) return {};
  if (!hamel_) find_hamel();
  return write((*hamel_)[row], "hamel");
}

bool ReactionFormulas::suits_hamel() const {
  if (!at_.equations.contacts.empty() || at_.acting.velocities.size() + at_.acting.rows.size() > most_unknowns)
    return false;
  double size = 0;
  for (const auto& row : at_.acting.mass)
    for (const Entry& entry : row) size += count_written(entry.value);
  return size <= largest_mass;
}

/// Each reaction from the surplus equation of its own velocity, in the model's rates.
void ReactionFormulas::find_hamel() {
  hamel_.emplace(at_.acting.rows.size());
  std::optional<Equations> derived;
  try {
    derived = derive_hamel(without_dependent(at_.model, at_.rank));
  } catch (const ModelError&) {  // its frame has no inverse: then there are no such formulas
    return;
  }
  const Solution solution = solve_symbolically_in(*derived, work_to_solve);
  if (solution.accelerations.empty() || !derived->quasi) return;
  std::vector<Replacement> motion, rates;
  for (std::size_t i = 0; i < solution.accelerations.size(); ++i) {
    motion.push_back({derived->accelerations[i], solution.accelerations[i]});
    rates.push_back({derived->velocities[i], derived->quasi->formulas[i]});
  }
  for (const ReactionFormula& reaction : derived->quasi->reactions) {
    const Expr found = substitute(substitute(reaction.value, motion), rates);
    auto row = std::ranges::find(at_.acting.rows, reaction.name, &ConstraintRow::name);
    if (row != at_.acting.rows.end())
      (*hamel_)[static_cast<std::size_t>(row - at_.acting.rows.begin())] = copy_to(*at_.model.graph, {&found, 1})[0];
  }
}

}  // namespace dalembert
