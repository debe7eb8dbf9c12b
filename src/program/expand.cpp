#include <algorithm>
#include <cmath>
#include <dalembert/base/error.hpp>
#include <numbers>
#include <unordered_map>

#include "expr/rational.hpp"
#include "expr/walk.hpp"
#include "program/draft.hpp"

// Sums and products of the graph become additions and multiplications. What depends on parameters only is gathered
// first in each sum and product, so that it can leave for the prologue.

namespace dalembert {
namespace {

constexpr long largest_squared_exponent = 64;  // beyond it pow is quicker and closer

/// An exponent in the form in which it is computed: base ^ (halves / 2), or no such form.
struct Exponent {
  long halves = 0;
  double value = 0;
  bool is_simple() const { return halves != 0; }
};

/// A product as numerator * held / denominator: what varies, what depends on parameters only, what divides.
struct Factors {
  Value numerator = no_value;
  Value held = no_value;
  Value denominator = no_value;
  bool is_whole() const { return held == no_value && denominator == no_value; }
};

struct Term {
  Value value;
  Value multiplier;  // no_value: 1
  bool negative;
};

/// Stable. Terms are mostly in order already, and the library's stable sort takes memory each time.
template <class Key>
void sort_terms(std::vector<Term>& terms, Key key) {
  if (!std::ranges::is_sorted(terms, {}, key)) std::ranges::stable_sort(terms, {}, key);
}

class Expansion {
 public:
  Expansion(Graph& graph, std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs)
      : graph_(graph), walk_(graph, outputs), draft_(walk_.size()), nodes_(walk_.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) leaf(inputs[i], draft_.input(static_cast<std::uint32_t>(i)));
    for (std::size_t i = 0; i < parameters.size(); ++i)
      leaf(parameters[i], draft_.parameter(static_cast<std::uint32_t>(i)));
    for (const Expr& output : outputs) ++at(output.id()).uses;
  }

  Draft run(std::span<const Expr> outputs) {
    count_uses();
    for (std::size_t i = 0; i < walk_.size(); ++i) lower(walk_.order()[i], nodes_[i]);
    for (const Expr& output : outputs) draft_.outputs.push_back(value(output.id()));
    return std::move(draft_);
  }

 private:
  struct Node {
    Factors made;                 // of what is not a product, or is made whole, the value is the numerator
    std::uint32_t uses = 0;       // how many nodes and outputs read it
    std::uint32_t divisions = 0;  // how many products divide by it
  };

  Node& at(NodeId id) { return nodes_[walk_.index(id)]; }
  void leaf(Expr symbol, Value value) {
    if (walk_.reached(graph_.id_of(symbol))) at(symbol.id()).made.numerator = value;
  }
  void count_uses();
  void lower(NodeId id, Node& node);
  void lower_product(NodeId id, Node& node);
  Value lower_sum(NodeId id);
  Value lower_function(NodeId id);
  Value value(NodeId id) {
    Node& node = at(id);
    return node.made.is_whole() ? node.made.numerator : make_whole(node.made);
  }
  Value make_whole(Factors& factors);
  Term term(const Part& part);
  Term add_values(std::span<const Term> terms, Value start);
  void merge_values(std::vector<Term>& terms);
  void add_squares(std::vector<Term>& terms);
  Value add_up(std::vector<Term>& terms, Value start);
  double weight(NodeId constant);
  const Exponent& exponent(NodeId constant);
  Value root_power(Value base, const Exponent& exponent);
  void multiply_into(Value& product, Value factor) {
    product = product == no_value ? factor : draft_.mul(product, factor);
  }

  Graph& graph_;
  Walk walk_;
  Draft draft_;
  std::vector<Node> nodes_;  // by position in the walk
  std::unordered_map<NodeId, double> weights_;
  std::unordered_map<NodeId, Exponent> exponents_;
  std::vector<Term> varying_, fixed_, grouped_, ordered_;
};

void Expansion::count_uses() {
  for (NodeId id : walk_.order()) {
    bool is_product = graph_.op(id) == Op::product;
    if (!is_product && graph_.op(id) != Op::sum) {
      for (NodeId argument : graph_.arguments(id)) ++at(argument).uses;
      continue;
    }
    for (const Part& part : graph_.parts(id)) {
      Node& node = at(part.node);
      ++node.uses;
      if (is_product && part.weight != graph_.one() && sgn(graph_.value(part.weight)) < 0) ++node.divisions;
    }
  }
}

void Expansion::lower(NodeId id, Node& node) {
  Value& result = node.made.numerator;
  switch (graph_.op(id)) {
    case Op::symbol:
      if (result == no_value)
        throw InputError({"",
                          {},
                          "",
                          "symbol '" + graph_.name(id) + "' is neither an input nor a parameter",
                          "name it as one of them or replace it"});
      return;
    case Op::constant: result = draft_.constant(nearest_double(graph_.value(id))); return;
    case Op::pi: result = draft_.constant(std::numbers::pi); return;
    case Op::product: return lower_product(id, node);
    case Op::sum: result = lower_sum(id); return;
    default: result = lower_function(id); return;
  }
}

Value Expansion::make_whole(Factors& factors) {
  auto [whole, held, denominator] = factors;
  if (held != no_value) multiply_into(whole, held);
  if (denominator != no_value) whole = draft_.div(whole == no_value ? draft_.constant(1) : whole, denominator);
  factors = {whole, no_value, no_value};
  return whole;
}

/// The nearest double, found once: the same few stand everywhere.
double Expansion::weight(NodeId constant) {
  auto [entry, is_new] = weights_.try_emplace(constant);
  if (is_new) entry->second = nearest_double(graph_.value(constant));
  return entry->second;
}

// ---------------------------------------------------------------------------------------------- products

const Exponent& Expansion::exponent(NodeId constant) {
  auto [entry, is_new] = exponents_.try_emplace(constant);
  if (is_new) {
    mpq_class doubled = 2 * graph_.value(constant);
    entry->second.value = nearest_double(graph_.value(constant));
    if (is_integer(doubled) && abs(doubled) <= 2 * largest_squared_exponent)
      entry->second.halves = doubled.get_num().get_si();
  }
  return entry->second;
}

/// base ^ |exponent|: whole powers by squaring, half powers through the square root.
Value Expansion::root_power(Value base, const Exponent& exponent) {
  auto halves = static_cast<unsigned long>(std::abs(exponent.halves));
  if (halves % 2 == 0) return draft_.power(base, halves / 2);
  Value root = draft_.unary(Opcode::sqrt, base);
  return halves == 1 ? root : draft_.mul(root, draft_.power(base, halves / 2));
}

/// Divisors that several products share are inverted once; others divide once, all together.
void Expansion::lower_product(NodeId id, Node& node) {
  Factors& result = node.made;
  for (const Part& part : graph_.parts(id)) {
    Value base = value(part.node);
    bool varies = draft_.varies(base);
    Value& numerator = varies ? result.numerator : result.held;
    if (part.weight == graph_.one()) {
      multiply_into(numerator, base);
      continue;
    }
    const Exponent& power = exponent(part.weight);
    if (!power.is_simple()) {
      multiply_into(numerator, draft_.binary(Opcode::pow, base, draft_.constant(power.value)));
    } else if (power.halves > 0) {
      multiply_into(numerator, root_power(base, power));
    } else if (!varies || at(part.node).divisions > 1) {
      bool whole = power.halves % 2 == 0;
      Value divisor = whole ? base : draft_.unary(Opcode::sqrt, base);
      Value inverse = draft_.div(draft_.constant(1), divisor);
      multiply_into(numerator,
                    draft_.power(inverse, static_cast<unsigned long>(whole ? -power.halves / 2 : -power.halves)));
    } else {
      multiply_into(result.denominator, root_power(base, power));
    }
  }
  if (node.uses > 1 || result.numerator == no_value) make_whole(result);
}

// ---------------------------------------------------------------------------------------------- sums

/// coefficient * node as value and multiplier; a product that only this sum reads gives its held factors to the latter.
Term Expansion::term(const Part& part) {
  Term result{no_value, no_value, part.weight == graph_.minus_one()};
  Value scale = no_value;
  if (part.weight != graph_.one() && !result.negative) {
    result.negative = sgn(graph_.value(part.weight)) < 0;
    scale = draft_.constant(std::fabs(weight(part.weight)));
  }
  Factors& factors = at(part.node).made;
  if (factors.denominator != no_value) make_whole(factors);
  result.value = factors.numerator;
  result.multiplier = factors.held;
  if (scale != no_value)
    result.multiplier = result.multiplier == no_value ? scale : draft_.mul(result.multiplier, scale);
  for (Value* sign : {&result.value, &result.multiplier})
    while (*sign != no_value && draft_.is_negated(*sign)) {
      *sign = draft_[*sign].a;
      result.negative = !result.negative;
    }
  return result;
}

Value Expansion::lower_sum(NodeId id) {
  varying_.clear();
  fixed_.clear();
  for (const Part& part : graph_.parts(id)) {
    Term next = term(part);
    (draft_.varies(next.value) ? varying_ : fixed_).push_back(next);
  }
  merge_values(varying_);
  add_squares(varying_);
  Value start = graph_.offset(id) == graph_.zero() ? no_value : draft_.constant(weight(graph_.offset(id)));
  if (!fixed_.empty()) start = add_up(fixed_, start);
  if (!varying_.empty()) start = add_up(varying_, start);
  return start;
}

/// sin^2 + cos^2 of one angle, both with the same multiplier, is that multiplier: it leaves for the fixed terms, and
/// with it often a division for the prologue. A mass matrix is full of these.
void Expansion::add_squares(std::vector<Term>& terms) {
  auto root = [&](const Term& term) {
    if (term.value == no_value) return no_value;
    const Instruction& product = draft_[term.value];
    return product.op == Opcode::mul && product.a == product.b ? product.a : no_value;
  };
  bool found = false;
  for (Term& term : terms) {
    Value sine = root(term);
    if (sine == no_value || draft_[sine].op != Opcode::sincos) continue;
    auto other = std::ranges::find_if(terms, [&](const Term& each) { return root(each) == sine + 1; });
    if (other == terms.end() || other->multiplier != term.multiplier || other->negative != term.negative) continue;
    fixed_.push_back({term.multiplier == no_value ? draft_.constant(1) : term.multiplier, no_value, term.negative});
    term.value = other->value = no_value;
    found = true;
  }
  if (found) std::erase_if(terms, [](const Term& term) { return term.value == no_value; });
}

/// start + the terms' values, their multipliers aside: what is there last is added last, for nothing waits for it then.
/// A value that no product is taken into comes first, as that saves one. If nothing is positive it is the opposite, and
/// `negative` says so.
Term Expansion::add_values(std::span<const Term> terms, Value start) {
  ordered_.assign(terms.begin(), terms.end());
  sort_terms(ordered_, [&](const Term& term) { return draft_.ready_for_sum(term.value); });
  bool negative = false;
  if (start == no_value) {
    auto first = std::ranges::find_if(ordered_, [&](const Term& each) { return draft_[each.value].op != Opcode::mul; });
    if (first == ordered_.end()) first = ordered_.begin();
    start = first->value;
    negative = first->negative;
    ordered_.erase(first);
  }
  for (const Term& term : ordered_) {
    const bool turns = negative && !term.negative;
    start = turns                       ? draft_.sub(term.value, start)
            : term.negative == negative ? draft_.add(start, term.value)
                                        : draft_.sub(start, term.value);
    negative = negative && !turns;
  }
  return {start, no_value, negative};
}

/// Terms of one value become one: their multipliers, which the prologue computes, are added.
void Expansion::merge_values(std::vector<Term>& terms) {
  sort_terms(terms, [](const Term& term) { return term.value; });
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < terms.size(); begin = end) {
    while (end < terms.size() && terms[end].value == terms[begin].value) ++end;
    Term merged = terms[begin];
    if (end - begin > 1) {
      grouped_.assign(terms.begin() + static_cast<long>(begin), terms.begin() + static_cast<long>(end));
      for (Term& term : grouped_) term.value = term.multiplier == no_value ? draft_.constant(1) : term.multiplier;
      Term sum = add_values(grouped_, no_value);
      merged.multiplier = sum.value;
      merged.negative = sum.negative;
    }
    terms[kept++] = merged;
  }
  terms.resize(kept);
}

/// Terms of one multiplier are added before they are multiplied.
Value Expansion::add_up(std::vector<Term>& terms, Value start) {
  sort_terms(terms, [](const Term& term) { return term.multiplier + 1; });  // those without first
  grouped_.clear();
  for (std::size_t begin = 0, end = 0; begin < terms.size(); begin = end) {
    while (end < terms.size() && terms[end].multiplier == terms[begin].multiplier) ++end;
    std::span<const Term> group(terms.data() + begin, end - begin);
    if (group[0].multiplier == no_value) {
      grouped_.insert(grouped_.end(), group.begin(), group.end());
    } else {
      Term sum = add_values(group, no_value);
      grouped_.push_back({draft_.mul(sum.value, group[0].multiplier), no_value, sum.negative});
    }
  }
  Term total = add_values(grouped_, start);
  return total.negative ? draft_.neg(total.value) : total.value;
}

// ---------------------------------------------------------------------------------------------- functions

Opcode opcode_of(Op op) {
  switch (op) {
    case Op::tan: return Opcode::tan;
    case Op::asin: return Opcode::asin;
    case Op::acos: return Opcode::acos;
    case Op::atan: return Opcode::atan;
    case Op::sinh: return Opcode::sinh;
    case Op::cosh: return Opcode::cosh;
    case Op::tanh: return Opcode::tanh;
    case Op::exp: return Opcode::exp;
    case Op::log: return Opcode::log;
    case Op::abs: return Opcode::abs;
    case Op::sign: return Opcode::sign;
    case Op::atan2: return Opcode::atan2;
    case Op::min: return Opcode::min;
    case Op::max: return Opcode::max;
    case Op::power: return Opcode::pow;
    default: assert(!"no function"); return Opcode::neg;
  }
}

Value Expansion::lower_function(NodeId id) {
  std::span<const NodeId> arguments = graph_.arguments(id);
  Value result = value(arguments[0]);
  switch (graph_.op(id)) {
    case Op::sin: return draft_.sin(result);
    case Op::cos: return draft_.cos(result);
    default: break;
  }
  Opcode op = opcode_of(graph_.op(id));
  if (operand_count(op) == 1) return draft_.unary(op, result);
  for (NodeId argument : arguments.subspan(1)) result = draft_.binary(op, result, value(argument));
  return result;
}

}  // namespace

Draft expand(Graph& graph, std::span<const Expr> inputs, std::span<const Expr> parameters,
             std::span<const Expr> outputs) {
  return Expansion(graph, inputs, parameters, outputs).run(outputs);
}

}  // namespace dalembert
