#include <fmt/format.h>

#include <algorithm>

#include "expr/formula/lexer.hpp"

// Operator precedence with an explicit stack: what is begun and not yet ended is pending. Loosest to tightest:
// sum, minus before a term, product, minus before a factor or exponent, power. An operator ends all that binds
// tighter than itself.

namespace dalembert {
namespace {

using Kind = SyntaxNode::Kind;

enum class Level : std::uint8_t { open, sum, minus, product, negative, power };  // `open` waits for its closing bracket

struct Pending {
  Level level;
  char closing = 0;         // of an open one: ')' or ']'
  bool marked = false;      // the operand being read stands after a - (of a sum) or a / (of a product)
  bool in_scope = false;    // an open call of a function that is not built in
  std::uint32_t first = 0;  // where its subtree begins
  std::uint32_t count = 0;  // operands ended so far
  Place place;
  Place mark_place = {};
  std::string name = {};  // of a call; empty for a parenthesis and a vector
  bool call = false;
};

/// What people write behind a number in other places.
constexpr std::string_view units[] = {"kg", "g", "m",  "cm", "mm",  "km",  "s", "ms", "min", "h",  "N", "Nm",
                                      "J",  "W", "Pa", "Hz", "rad", "rpm", "K", "ft", "lb",  "in", "kN"};

/// How other languages choose between formulas.
constexpr std::string_view choices[] = {"if", "ifelse", "iif", "where", "piecewise", "cond"};

class Parser {
 public:
  Parser(std::string_view text, const FormulaLimits& limits) : lexer_(text, limits), limits_(limits) {
    formula_.text = text;
    step();
  }

  Formula run(bool allow_relation) {
    parse_side();
    formula_.left = last();
    if (token_.kind != Token::Kind::end) read_relation(allow_relation);
    return std::move(formula_);
  }

 private:
  std::vector<SyntaxNode>& nodes() { return formula_.nodes; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(formula_.nodes.size()); }
  std::uint32_t last() const { return size() - 1; }
  void step() { token_ = lexer_.next(); }

  void emit(SyntaxNode node) {
    if (size() >= limits_.nodes) fail_limit(node.place, "nodes", limits_.nodes, "the formula has too many parts");
    nodes().push_back(std::move(node));
  }

  void push(Pending pending) {
    if (pending_.size() >= limits_.nesting)
      fail_limit(pending.place, "nesting", limits_.nesting, "the formula is nested too deeply");
    pending_.push_back(std::move(pending));
  }

  void read_relation(bool allow_relation) {
    formula_.relation = token_.is("=")    ? Relation::equal
                        : token_.is(">=") ? Relation::greater_equal
                                          : Relation::less_equal;
    formula_.relation_place = token_.place;
    if (!allow_relation)
      fail_formula(token_.place, fmt::format("a relation ({}) cannot stand here", token_.text),
                   "write an expression without =, >= or <=");
    step();
    parse_side();
    formula_.right = last();
    if (token_.kind != Token::Kind::end)
      fail_formula(token_.place, fmt::format("a second {} in one formula", describe(token_)),
                   "write one relation only");
  }

  /// One expression, up to the end or a relation outside all brackets.
  void parse_side() {
    while (true) {
      read_operand();
      read_members();
      if (!read_operator()) return;
    }
  }

  // ------------------------------------------------------------------------------------------ operands

  void read_operand() {
    while (true) {
      Place place = token_.place;
      if (token_.is("+")) {
        step();
      } else if (token_.is("-")) {
        bool before_term = pending_.empty() || pending_.back().level <= Level::minus;
        push({.level = before_term ? Level::minus : Level::negative, .first = size(), .place = place});
        step();
      } else if (token_.is("(")) {
        push({.level = Level::open, .closing = ')', .first = size(), .place = place});
        step();
      } else if (token_.is("[")) {
        push({.level = Level::open, .closing = ']', .first = size(), .place = place});
        step();
      } else if (token_.kind == Token::Kind::number) {
        emit({.kind = Kind::number, .first = size(), .place = place, .value = std::move(token_.value)});
        return step();
      } else if (token_.kind == Token::Kind::name) {
        if (read_name()) return;
      } else if (is_empty_call()) {
        return;  // read_operator ends it
      } else {
        fail_operand();
      }
    }
  }

  bool is_empty_call() const {
    return token_.is(")") && !pending_.empty() && pending_.back().call && pending_.back().first == size() &&
           pending_.back().count == 0;
  }

  [[noreturn]] void fail_operand() {
    std::string remedy = "write a number, a name, a function, ( or [";
    if (size() == 0 && token_.kind == Token::Kind::end) remedy = "the formula is empty; " + remedy;
    fail_formula(token_.place, fmt::format("expected a value, found {}", describe(token_)), remedy);
  }

  /// A name, complete; or a call's beginning, which is not.
  bool read_name() {
    Token name = std::move(token_);
    step();
    if (!token_.is("(")) {
      emit({.kind = Kind::name,
            .primes = name.primes,
            .first = size(),
            .place = name.place,
            .text = std::move(name.text)});
      return true;
    }
    if (name.primes != 0)
      fail_formula(name.place, fmt::format("primes cannot follow the function {}", describe(name)),
                   "primes belong to names of quantities; write * before ( for a product");
    if (std::ranges::find(choices, name.text) != std::end(choices))
      fail_formula(
          name.place, fmt::format("formulas have no '{}'", name.text),
          "write what changes with abs, min, max or sign, as (1 + sign(x))/2 for 1 where x > 0 and 0 where x < 0");
    bool in_scope = !is_builtin_function(name.text);
    if (in_scope && ++open_scope_calls_ > limits_.calls)
      fail_limit(name.place, "calls", limits_.calls, "too many calls inside each other");
    push({.level = Level::open,
          .closing = ')',
          .in_scope = in_scope,
          .first = size(),
          .place = name.place,
          .name = std::move(name.text),
          .call = true});
    step();
    return false;
  }

  void read_members() {
    for (; token_.kind == Token::Kind::member; step())
      emit({.kind = Kind::member,
            .first = nodes().back().first,
            .children = 1,
            .place = token_.place,
            .text = std::move(token_.text)});
  }

  // ------------------------------------------------------------------------------------------ operators

  /// What follows an operand; false at the end of the side.
  bool read_operator() {
    while (true) {
      if (token_.is("^")) {
        push({.level = Level::power, .first = nodes().back().first, .place = nodes().back().place});
        step();
        return true;
      }
      if (token_.is("*") || token_.is("/")) return read_chain(Level::product, token_.is("/"));
      if (token_.is("+") || token_.is("-")) return read_chain(Level::sum, token_.is("-"));
      if (token_.is(",")) return read_comma();
      if (token_.is(")") || token_.is("]")) {
        close(token_.text[0]);
        step();
        read_members();
        continue;
      }
      bool relation = token_.is("=") || token_.is(">=") || token_.is("<=");
      if (token_.kind != Token::Kind::end && !relation) fail_operator();
      end_pending(Level::open);
      if (pending_.empty()) return false;
      fail_unclosed(relation);
    }
  }

  bool read_chain(Level level, bool marked) {
    end_pending(level);
    if (pending_.empty() || pending_.back().level != level) {
      push({.level = level, .first = nodes().back().first, .place = nodes().back().place});
    }
    end_operand(pending_.back());
    pending_.back().marked = marked;
    pending_.back().mark_place = token_.place;
    step();
    return true;
  }

  bool read_comma() {
    end_pending(Level::open);
    if (pending_.empty() || (!pending_.back().call && pending_.back().closing == ')'))
      fail_formula(token_.place, "a , outside a call or a vector",
                   "write numbers with a point (0.5), vectors as [a, b, c]");
    ++pending_.back().count;
    step();
    return true;
  }

  /// A value right behind a value: a product, a call or a unit.
  std::string remedy_for_juxtaposition() const {
    const SyntaxNode& before = formula_.nodes.back();
    if (before.kind == Kind::name && is_builtin_function(before.text))
      return fmt::format("the function {} needs brackets: write {}(...)", before.text, before.text);
    if (before.kind == Kind::number && token_.is("(") && formula_.nodes.size() > 1)
      if (const SyntaxNode& base = formula_.nodes.end()[-2]; base.kind == Kind::name && is_builtin_function(base.text))
        return fmt::format("the power of a function stands behind it: write {}(...)^{}", base.text,
                           before.value.get_str());
    if (before.kind != Kind::number || token_.kind != Token::Kind::name) return "write * for a product";
    if (token_.text == "deg" || token_.text == "degrees") return "angles are in radians: write *pi/180 for degrees";
    if (std::ranges::find(units, token_.text) == std::end(units)) return "write * for a product";
    return "write * for a product; units are not written: keep to one system, as kg, m and s";
  }

  [[noreturn]] void fail_operator() {
    bool value =
        token_.kind == Token::Kind::number || token_.kind == Token::Kind::name || token_.is("(") || token_.is("[");
    fail_formula(token_.place, fmt::format("expected an operator, found {}", describe(token_)),
                 value ? remedy_for_juxtaposition() : "write + - * / or ^");
  }

  [[noreturn]] void fail_unclosed(bool relation) {
    const Pending& open = pending_.back();
    if (relation)
      fail_formula(token_.place, fmt::format("a relation ({}) inside brackets", token_.text),
                   fmt::format("close the bracket opened at {}:{} before it", open.place.line, open.place.column));
    std::string what = open.call             ? fmt::format("the call of '{}'", open.name)
                       : open.closing == ']' ? "this ["
                                             : "this (";
    fail_formula(open.place, what + " is not closed", fmt::format("write {} where it ends", open.closing));
  }

  /// Ends what binds tighter than `level`.
  void end_pending(Level level) {
    while (!pending_.empty() && pending_.back().level > level) end_last();
  }

  /// One operand of a sum or product is complete: wrapped if it stands after - or /.
  void end_operand(Pending& pending) {
    if (pending.marked)
      emit({.kind = pending.level == Level::sum ? Kind::negative : Kind::inverse,
            .first = nodes().back().first,
            .children = 1,
            .place = pending.mark_place});
    ++pending.count;
  }

  void end_last() {
    Pending pending = std::move(pending_.back());
    pending_.pop_back();
    SyntaxNode node{.kind = Kind::negative, .first = pending.first, .children = 1, .place = pending.place};
    if (pending.level == Level::power) {
      node.kind = Kind::power;
      node.children = 2;
    } else if (pending.level == Level::sum || pending.level == Level::product) {
      end_operand(pending);
      node.kind = pending.level == Level::sum ? Kind::sum : Kind::product;
      node.children = pending.count;
    }
    emit(std::move(node));
  }

  void close(char bracket) {
    end_pending(Level::open);
    if (pending_.empty())
      fail_formula(token_.place, fmt::format("a {} that nothing opened", bracket), "remove it or open it before");
    if (pending_.back().closing != bracket)
      fail_formula(token_.place, fmt::format("a {} where {} was expected", bracket, pending_.back().closing),
                   fmt::format("it was opened at {}:{}", pending_.back().place.line, pending_.back().place.column));
    Pending pending = std::move(pending_.back());
    pending_.pop_back();
    if (!pending.call && bracket == ')') return;
    std::uint32_t count = pending.first == size() ? 0 : pending.count + 1;
    if (!pending.call && count != 3)
      fail_formula(pending.place, fmt::format("a vector with {} component{}", count, count == 1 ? "" : "s"),
                   "vectors have three: [a, b, c]");
    if (pending.in_scope) --open_scope_calls_;
    emit({.kind = pending.call ? Kind::call : Kind::vector,
          .first = pending.first,
          .children = count,
          .place = pending.place,
          .text = std::move(pending.name)});
  }

  Lexer lexer_;
  const FormulaLimits& limits_;
  Formula formula_;
  Token token_;
  std::vector<Pending> pending_;
  std::size_t open_scope_calls_ = 0;
};

}  // namespace

std::vector<std::uint32_t> Formula::children(std::uint32_t node) const {
  std::vector<std::uint32_t> roots(nodes[node].children);
  std::uint32_t next = node;
  for (std::size_t i = roots.size(); i-- > 0;) {
    roots[i] = next - 1;
    next = nodes[next - 1].first;
  }
  return roots;
}

Formula parse_syntax(std::string_view text, bool allow_relation, const FormulaLimits& limits) {
  return Parser(text, limits).run(allow_relation);
}

}  // namespace dalembert
