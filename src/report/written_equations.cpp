#include "report/written_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "mechanics/listing/unit_norm.hpp"
#include "study/index_families.hpp"

// Each equation as (M u' + bias)_i = (A^T reaction)_i, constraints as written and once more differentiated; or as the
// listing of mechanics/listing.hpp. Which of the two is decided by counted sizes.

namespace dalembert {
namespace {

constexpr std::size_t longest_formula = 480;  // characters: three lines
constexpr std::size_t many_equations = 24;    // more are looked at for families
constexpr Scribe::Allowance when_short{1e7, 6e7}, when_listed{2e6, 3e7}, when_expanded{3e8, 1e9, 100'000'000},
    when_hopeless{1e7, 1e8, 100'000'000};

std::vector<std::string> names_of(const std::vector<Expr>& symbols) {
  std::vector<std::string> names;
  for (const Expr& symbol : symbols) names.push_back(symbol.name());
  return names;
}

/// An equation before it is written.
struct Unwritten {
  std::string name;
  Expr left, right;
};

struct UnwrittenEquations {
  std::vector<Unwritten> frame, kinematics, motion, constraints, drifts, reactions;
  std::vector<std::string> vanishing;  // velocities of the frame
};

Expr differentiated(const Equations& equations, const ConstraintRow& row) {
  std::vector<Expr> terms{row.drift};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.accelerations[entry.column]);
  return equations.graph->sum(terms);
}

Expr undifferentiated(const Equations& equations, const ConstraintRow& row) {
  if (row.position) return row.position;
  std::vector<Expr> terms{row.offset};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.velocities[entry.column]);
  return equations.graph->sum(terms);
}

/// omega = pi q' + pi_0 and its inverse on the constraints (Hamel 1904, section 1); reactions by surplus equations.
void add_frame(const Equations& equations, UnwrittenEquations& all) {
  if (!equations.quasi) return;
  const QuasiVelocities& quasi = *equations.quasi;
  Graph& graph = *equations.graph;
  for (const FrameVelocity& velocity : quasi.frame) {
    Expr symbol = graph.symbol(velocity.name);
    if (velocity.formula == symbol) continue;  // a rate itself
    all.frame.push_back({velocity.name, symbol, velocity.formula});
    if (velocity.vanishes) all.vanishing.push_back(velocity.name);
  }
  for (std::size_t i = 0; i < equations.rates.size(); ++i) {
    std::string name = equations.coordinates[i].name() + "'";
    if (equations.rates[i] != graph.symbol(name))
      all.kinematics.push_back({name, graph.symbol(name), equations.rates[i]});
  }
  for (const ReactionFormula& reaction : quasi.reactions)
    all.reactions.push_back({reaction.name, graph.symbol(reaction_symbol(reaction.name)), reaction.value});
  for (const ConstraintRow& row : quasi.position_rows)
    all.constraints.push_back({row.name, undifferentiated(equations, row), graph.constant(0)});
}

UnwrittenEquations find_equations(const Equations& equations) {
  UnwrittenEquations all;
  add_frame(equations, all);
  Expr zero = equations.graph->constant(0);
  std::vector<Expr> left = inertia_side(equations), right = reaction_side(equations);
  for (std::size_t i = 0; i < left.size(); ++i)
    all.motion.push_back({equations.velocities[i].name(), left[i], right[i]});
  for (const ConstraintRow& row : equations.rows) {
    all.constraints.push_back({row.name, undifferentiated(equations, row), zero});
    all.drifts.push_back({row.name, differentiated(equations, row), zero});
  }
  const OnUnitQuaternions on_unit(*equations.model);
  for (auto* list : {&all.frame, &all.kinematics, &all.motion, &all.drifts, &all.reactions})
    for (Unwritten& each : *list) {
      const Expr by = list == &all.frame ? on_unit.simplify(each.right) : on_unit(each.right);
      if (by.is_zero() && list == &all.frame) continue;  // the velocity that such a constraint forbids
      each.left = on_unit(each.left);
      each.right = by;
    }
  return all;
}

struct SignedTerm {
  Shown shown;
  bool is_negative = false;
};

/// A product with one more factor, which may be a product itself; its numbers are one number.
Shown multiplied(const std::vector<Shown>& factors, const Shown& by) {
  std::vector<Shown> all = factors, rest;
  if (by.kind == Shown::Kind::product)
    all.insert(all.end(), by.children.begin(), by.children.end());
  else
    all.push_back(by);
  mpq_class number = 1;
  for (Shown& each : all)
    each.kind == Shown::Kind::number ? void(number *= each.value) : rest.push_back(std::move(each));
  if (number != 1 || rest.empty()) rest.insert(rest.begin(), show_number(number));
  return show_product(std::move(rest));
}

/// A term that is wider than a column of a page and has one sum as a factor, as the sum of what that makes.
std::vector<SignedTerm> multiply_out(const Shown& term) {
  constexpr std::size_t widest = 48;  // characters
  if (to_text(term).size() <= widest) return {{term}};
  std::vector<SignedTerm> terms;
  if (term.kind == Shown::Kind::quotient) {
    for (SignedTerm& each : multiply_out(term.children[0]))
      terms.push_back({show_quotient(std::move(each.shown), term.children[1]), each.is_negative});
    return terms;
  }
  const auto is_sum = [](const Shown& each) { return each.kind == Shown::Kind::sum; };
  if (is_sum(term)) {
    for (const Shown& each : term.children)
      terms.push_back({begins_negative(each) ? without_sign(each) : each, begins_negative(each)});
    return terms;
  }
  if (term.kind != Shown::Kind::product || std::ranges::count_if(term.children, is_sum) != 1) return {{term}};
  std::vector<Shown> factors;
  std::ranges::copy_if(term.children, std::back_inserter(factors), std::not_fn(is_sum));
  for (const Shown& each : std::ranges::find_if(term.children, is_sum)->children)
    terms.push_back({multiplied(factors, begins_negative(each) ? without_sign(each) : each), begins_negative(each)});
  return terms;
}

std::vector<WrittenTerm> write_terms(Graph& graph, Scribe& scribe, Expr side, std::span<const std::string> first = {}) {
  const std::optional<Shown> shown = scribe.show(side, first);
  return shown ? split_terms(*shown, graph, scribe.style()) : std::vector<WrittenTerm>{{scribe(side), false, side}};
}

std::size_t size_of(const WrittenEquation& line) {
  std::size_t size = line.left.size() + line.right.size();
  if (size > 0) return size;
  for (const auto* side : {&line.left_terms, &line.right_terms})
    for (const WrittenTerm& term : *side) size += term.text.size() + 3;
  return size;
}

/// Writes lists of equations; those that differ in an index only stand once.
class Writer {
 public:
  enum class Until { end, too_long };
  /// Until the first equation that is too long or cannot be simplified, that one included, or to the end.
  Writer(const Equations& equations, Scribe& scribe, const Writing& writing, Until until = Until::end)
      : graph_(*equations.graph),
        families_(*equations.model),
        scribe_(scribe),
        by_families_(writing.by_families && !writing.by_terms),
        by_terms_(writing.by_terms),
        until_(until) {}

  /// Equations of motion: accelerations first, in the order of the velocities.
  std::vector<WrittenEquation> motion(const Equations& equations, const std::vector<Unwritten>& list) {
    first_ = names_of(equations.accelerations);
    std::vector<WrittenEquation> written = (*this)(list);
    first_.clear();
    return written;
  }

  std::vector<WrittenEquation> operator()(const std::vector<Unwritten>& list) {
    std::vector<WrittenEquation> written;
    if (!by_families_ || list.size() <= many_equations) {
      for (const Unwritten& each : list)
        if (!has_stopped_) written.push_back(write(each));
      return written;
    }
    std::vector<std::string> names, texts;
    for (const Unwritten& each : list) {
      names.push_back(each.name);
      texts.push_back(to_text(each.left) + " = " + to_text(each.right));
    }
    for (const EquationFamily& family : families_.group(names, texts)) {
      const bool family_shown = family.members.size() > 2;
      for (std::size_t member : family.members) {
        if (has_stopped_) return written;
        if (family_shown) {
          written.push_back(write_family(list[member], family));
          break;
        }
        written.push_back(write(list[member]));
      }
    }
    return written;
  }

 private:
  WrittenEquation write(const Unwritten& each) {
    WrittenEquation written{each.name, {}, {}};
    if (by_terms_) {
      written.left_terms = write_terms(graph_, scribe_, each.left, first_);
      written.right_terms = write_terms(graph_, scribe_, each.right);
    } else {
      written.left = scribe_(each.left, first_);
      written.right = scribe_(each.right);
    }
    look_at(written);
    return written;
  }
  void look_at(const WrittenEquation& written) {
    has_stopped_ = until_ == Until::too_long && (scribe_.unsimplified() > 0 || size_of(written) > longest_formula);
  }

  /// The first of a family, its names by their index.
  WrittenEquation write_family(const Unwritten& each, const EquationFamily& family) {
    const long k = family.first;
    WrittenEquation written{families_.with_index(each.name, k), write_indexed(each.left, first_, k),
                            write_indexed(each.right, {}, k), fmt::format("k = {}..{}", k, family.last)};
    look_at(written);
    return written;
  }
  std::string write_indexed(Expr side, std::span<const std::string> first, long k) {
    if (std::optional<Shown> shown = scribe_.show(side, first)) {
      index_names(*shown, k);
      return scribe_(*shown);
    }
    std::vector<Replacement> renamed;
    for (const Expr& symbol : free_symbols({&side, 1}))
      renamed.push_back({symbol, graph_.symbol(families_.with_index(symbol.name(), k))});
    return scribe_.plain(substitute(side, renamed));
  }
  void index_names(Shown& shown, long k) const {
    if (shown.kind == Shown::Kind::name) shown.text = families_.with_index(shown.text, k);
    for (Shown& child : shown.children) index_names(child, k);
  }

  Graph& graph_;
  Families families_;
  Scribe& scribe_;
  bool by_families_, by_terms_;
  Until until_;
  bool has_stopped_ = false;
  std::vector<std::string> first_;
};

void mark_vanishing(const UnwrittenEquations& all, WrittenEquations& written) {
  for (WrittenEquation& velocity : written.frame)
    if (std::ranges::find(all.vanishing, velocity.name) != all.vanishing.end()) velocity.right += " = 0";
}

WrittenEquations write_out(const Equations& equations, const UnwrittenEquations& all, const Writing& writing,
                           Scribe& scribe, Writer::Until until) {
  const std::size_t before = scribe.unsimplified();
  Writer write(equations, scribe, writing, until);
  WrittenEquations written;
  written.frame = write(all.frame);
  mark_vanishing(all, written);
  written.kinematics = write(all.kinematics);
  written.motion = write.motion(equations, all.motion);
  written.constraints = write(all.constraints);
  written.drifts = write(all.drifts);
  written.reactions = write(all.reactions);
  written.contacts = write_contacts(equations, scribe);
  written.unsimplified = scribe.unsimplified() - before;
  return written;
}

bool is_hopeless(const UnwrittenEquations& all) {
  const auto is_one = [](const Unwritten& each) {
    return std::max(count_written(each.left), count_written(each.right)) > hopeless_size;
  };
  // The first that is ends the search: counting goes through all that a formula shares with others.
  return std::ranges::any_of(
      std::initializer_list{&all.frame, &all.kinematics, &all.motion, &all.constraints, &all.drifts, &all.reactions},
      [&](const auto* list) { return std::ranges::any_of(*list, is_one); });
}

std::string value_text(Scribe& scribe, const NamedPart& part) {
  if (part.vector) return scribe(*part.vector);
  if (part.value.size() == 1) return scribe(part.value[0]);
  std::vector<std::string> components;
  for (const Expr& component : part.value) components.push_back(scribe(component));
  if (scribe.style() == Scribe::Style::text) return fmt::format("[{}]", fmt::join(components, ", "));
  return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(components, " \\\\ "));
}

/// The frame, and reactions that have short formulas, share the listing's parts; the rates are among these.
WrittenEquations write_listing(const Equations& equations, const UnwrittenEquations& all, Writing& writing) {
  std::vector<Expr> also;
  std::vector<Unwritten> extra[2] = {all.frame, all.reactions};
  const std::size_t omitted =
      std::erase_if(extra[1], [](const Unwritten& reaction) { return count_written(reaction.right) > hopeless_size; });
  for (const auto& list : extra)
    for (const Unwritten& each : list) also.push_back(each.right);
  also.insert(also.end(), writing.also.begin(), writing.also.end());
  EquationListing listing = make_equation_listing(equations, also);
  auto next = also.begin();
  for (auto& list : extra)
    for (Unwritten& each : list) {
      if (!next->is_zero()) each.right = *next;  // but for the rate of |e|^2, which a unit quaternion makes zero
      ++next;
    }
  writing.also.assign(next, also.end());

  Scribe scribe(writing.style, when_listed);
  Writer write(equations, scribe, writing);
  WrittenEquations written;
  for (const NamedPart& part : listing.parts) {
    WrittenEquation& line =
        written.listed.emplace_back(WrittenEquation{part.name, scribe.name(part.name), value_text(scribe, part)});
    if (!writing.by_terms) continue;
    const bool is_scalar = part.value.size() == 1 && !part.vector;
    line.left_terms = {{line.left, false, is_scalar ? part.value[0] : Expr()}};
    if (is_scalar)
      line.right_terms = write_terms(*equations.graph, scribe, part.value[0]);
    else
      line.right_terms = {{line.right, false, Expr()}};
  }
  written.parts = std::move(listing.parts);
  written.frame = write(extra[0]);
  mark_vanishing(all, written);
  written.reactions = write(extra[1]);
  written.omitted_reactions = omitted;
  auto unwritten = [](const std::vector<ListedEquation>& list) {
    std::vector<Unwritten> result;
    for (const ListedEquation& each : list) result.push_back({each.name, each.left, each.right});
    return result;
  };
  written.motion = write.motion(equations, unwritten(listing.motion));
  written.constraints = write(unwritten(listing.constraints));
  written.contacts = write_contacts(equations, scribe);
  return written;
}

template <class Visit>
void for_each_list(const WrittenEquations& written, Visit&& visit) {
  for (const auto* list : {&written.listed, &written.frame, &written.kinematics, &written.motion, &written.constraints,
                           &written.drifts, &written.reactions})
    for (const WrittenEquation& each : *list) visit(size_of(each));
}

}  // namespace

std::vector<WrittenTerm> split_terms(const Shown& side, Graph& graph, Scribe::Style style) {
  std::vector<WrittenTerm> terms;
  const std::vector<Shown> parts = side.kind == Shown::Kind::sum ? side.children : std::vector{side};
  for (const Shown& part : parts) {
    const bool is_negative = begins_negative(part);
    for (const SignedTerm& term : multiply_out(is_negative ? without_sign(part) : part)) {
      const bool sign = term.is_negative != is_negative;
      const Expr value = to_expr(term.shown, graph);
      terms.push_back(
          {style == Scribe::Style::latex ? to_latex(term.shown) : to_text(term.shown), sign, sign ? -value : value});
    }
  }
  return terms;
}

std::size_t WrittenEquations::longest() const {
  std::size_t most = 0;
  for_each_list(*this, [&](std::size_t size) { most = std::max(most, size); });
  return most;
}

std::size_t WrittenEquations::total() const {
  std::size_t sum = 0;
  for_each_list(*this, [&](std::size_t size) { sum += size; });
  return sum;
}

WrittenEquations write_equations(const Equations& equations, Writing& writing) {
  UnwrittenEquations all = find_equations(equations);
  const bool hopeless = is_hopeless(all);
  if (hopeless && !writing.expand) return write_listing(equations, all, writing);
  Scribe scribe(writing.style, !writing.expand ? when_short : hopeless ? when_hopeless : when_expanded);
  const auto write_until = [&](Writer::Until until) { return write_out(equations, all, writing, scribe, until); };
  if (writing.expand) return write_until(Writer::Until::end);
  WrittenEquations written = write_until(Writer::Until::too_long);
  if (written.unsimplified == 0 && written.longest() <= longest_formula) return written;
  Writing again = writing;
  WrittenEquations listed = write_listing(equations, all, again);
  if (listed.total() >= written.total()) written = write_until(Writer::Until::end);  // the scribe remembers the first
  if (listed.total() >= written.total()) return written;
  writing = std::move(again);
  return listed;
}

}  // namespace dalembert
