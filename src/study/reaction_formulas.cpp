#include "study/reaction_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <map>
#include <set>

#include "study/balance_text.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_unknowns = 12;               // velocities and multipliers
constexpr double largest_mass = 3000;                   // nodes of M written out
constexpr std::size_t one_line = 150, two_lines = 300;  // characters

/// Of the text alone: what it was made from may be long.
bool is_shorter(const ReactionText& a, const ReactionText& b) {
  return !a.text.empty() && (b.text.empty() || a.text.size() < b.text.size());
}

bool is_at_a_glance(const ReactionText& formula) { return !formula.text.empty() && formula.text.size() <= two_lines; }

}  // namespace

Model without_dependent(const Model& model, const RankReport& rank) {
  Model fewer = model;
  std::erase_if(fewer.constraints, [&](const Constraint& constraint) {
    return std::ranges::find(rank.redundant, constraint.name, &RankReport::Redundant::name) != rank.redundant.end();
  });
  return fewer;
}

const ReactionText& choose_readable(const ReactionText& solved, const ReactionText& plain) {
  if (is_at_a_glance(solved)) return solved;
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

ReactionFormulas::ReactionFormulas(const ReactionState& at) : at_(at) {}

ReactionText ReactionFormulas::operator()(std::size_t row) {
  if (!at_.formulas) return {};
  if (!texts_) find_all();
  return (*texts_)[row];
}

void ReactionFormulas::find_all() {
  texts_.emplace();
  for (std::size_t row = 0; row < at_.acting.rows.size(); ++row) texts_->push_back(solved(row));
  add_balances();
}

/// Without accelerations and other reactions.
ReactionText ReactionFormulas::solved(std::size_t row) {
  ReactionText solved =
      at_.solution.multipliers.empty() ? ReactionText{} : write(at_.solution.multipliers[row], "multipliers");
  if (!is_at_a_glance(solved))
    if (ReactionText other = by_hamel(row); is_shorter(other, solved)) return other;
  return solved;
}

/// A formula of the balance as text, with what else it reads.
struct ReactionFormulas::Balanced {
  std::size_t row;
  ReactionText text;
  std::vector<std::string> read;
};

namespace {

std::vector<std::string> reactions_read(Expr formula) {
  std::vector<std::string> names;
  for (const Expr& symbol : free_symbols({&formula, 1}))
    if (symbol.name().starts_with("reaction(")) names.push_back(symbol.name());
  return names;
}

/// The shortest of the first reaction that has one which is allowed; all of that reaction are taken off the list.
template <class Balanced, class IsAllowed>
std::optional<Balanced> take_next(std::vector<Balanced>& left, IsAllowed&& is_allowed) {
  const Balanced* best = nullptr;
  for (const Balanced& each : left)
    if (is_allowed(each) && (best == nullptr || (each.row == best->row && is_shorter(each.text, best->text))))
      best = &each;
  if (best == nullptr) return std::nullopt;
  Balanced taken = *best;
  std::erase_if(left, [&](const Balanced& each) { return each.row == taken.row; });
  return taken;
}

}  // namespace

/// Where nothing is solved that can be read at a glance. Each reads only reactions that have a formula; those for which
/// that cannot be had read, but not in a circle, others of which the values alone are known.
void ReactionFormulas::add_balances() {
  std::vector<Balanced> left;
  for (const BalancedReaction& found : solve_balance(at_.acting, at_.bindings, work_to_write)) {
    if (is_at_a_glance((*texts_)[found.row])) continue;
    for (const BalanceFormula& formula : found.formulas) {
      const Expr value = formula.value();
      if (!std::isfinite(evaluate(value, at_.bindings))) continue;
      const ReactionText text{write_balance(formula, work_to_write), "balance", value};
      if (!text.text.empty()) left.push_back({found.row, text, reactions_read(value)});
    }
  }
  std::map<std::string, std::set<std::string>> read_by;  // what formulas of the last kind read, by way of others too
  const auto name_of = [&](std::size_t row) { return reaction_symbol(at_.acting.rows[row].name); };
  const auto has_formula = [&](const std::string& name) {
    for (std::size_t row = 0; row < texts_->size(); ++row)
      if (name_of(row) == name) return !(*texts_)[row].text.empty();
    return false;
  };
  const auto is_closed = [&](const Balanced& each) { return std::ranges::all_of(each.read, has_formula); };
  const auto is_no_circle = [&](const Balanced& each) {
    return std::ranges::none_of(each.read, [&](const auto& name) { return read_by[name].contains(name_of(each.row)); });
  };
  while (const std::optional<Balanced> next = take_next(left, is_closed)) add(*next);
  while (const std::optional<Balanced> next = take_next(left, is_no_circle)) {
    add(*next);
    std::set<std::string>& all = read_by[name_of(next->row)];
    for (const std::string& name : next->read) {
      all.insert(name);
      all.merge(std::set(read_by[name]));
    }
  }
}

void ReactionFormulas::add(const Balanced& balanced) {
  ReactionText& text = (*texts_)[balanced.row];
  text = choose_readable(text, balanced.text);
}

/// A formula that has no value here (it divides by what vanishes in this state) is of no use here.
ReactionText ReactionFormulas::write(Expr formula, const char* by) const {
  if (!formula || !std::isfinite(evaluate(formula, at_.bindings))) return {};
  std::string text = write_if_short(formula, work_to_write);
  return text.empty() ? ReactionText{} : ReactionText{std::move(text), by, formula};
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
