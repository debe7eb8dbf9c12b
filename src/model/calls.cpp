#include <fmt/format.h>

#include <algorithm>

#include "model/elaborator.hpp"
#include "model/limits.hpp"
#include "model/vectors.hpp"

// The functions of formulas that only a model knows.

namespace dalembert {
namespace {

void check_count(const SyntaxNode& call, std::size_t least, std::size_t most, std::string_view form) {
  if (call.children < least || call.children > most)
    fail_here(call, fmt::format("{} with {} argument{}", call.text, call.children, call.children == 1 ? "" : "s"),
              fmt::format("write {}", form));
}

}  // namespace

std::optional<Quantity> Elaborator::ask_call(const Formula& formula, std::uint32_t call) {
  const std::string& name = formula.nodes[call].text;
  try {
    if (name == "sum") return call_sum(formula, call);
    if (name == "reaction") return call_reaction(formula, call);
    if (name == "axis") return call_axis(formula, call);
    if (name == "position" || name == "velocity" || name == "acceleration" || name == "omega")
      return call_place(formula, call);
  } catch (const FormulaError& error) {
    if (error.complaint().place.line != 0) throw;
    fail_here(formula.nodes[call], error.complaint().problem, error.complaint().remedy);
  }
  return std::nullopt;
}

/// sum(k, 1, N, formula)
Quantity Elaborator::call_sum(const Formula& formula, std::uint32_t call) {
  const SyntaxNode& node = formula.nodes[call];
  check_count(node, 4, 4, "sum(k, 1, N, formula of {k})");
  std::vector<std::uint32_t> arguments = formula.children(call);
  const SyntaxNode& index = formula.nodes[arguments[0]];
  if (index.kind != SyntaxNode::Kind::name || index.primes != 0 || index.text.find('{') != std::string::npos)
    fail_here(index, "the first argument of sum is not a name", "write sum(k, 1, N, formula of {k})");
  long first = families_.integer(formula, arguments[1], context_.indices);
  long last = families_.integer(formula, arguments[2], context_.indices);
  if (last - first + 1 > static_cast<long>(limits::sum_terms))
    fail_here(node,
              fmt::format("a sum of {} terms, more than {} (limit `sum_terms`)", last - first + 1, limits::sum_terms),
              "use fewer terms");
  std::vector<Expr> terms[3];
  bool vectors = false;
  const Indices& outer = context_.indices;
  Indices inner = outer;
  inner.push_back({index.text, first});
  context_.indices = inner;
  for (long i = first; i <= last; ++i) {
    inner.back().value = i;
    try {
      Quantity term = interpret_charged(formula, arguments[3]);
      if (bool is_vector = std::holds_alternative<Vector3>(term); is_vector != vectors) {
        if (i != first) fail_here(node, "a sum of scalars and vectors", "all terms must be scalars, or all vectors");
        vectors = is_vector;
      }
      if (vectors) {
        for (std::size_t c = 0; c < 3; ++c) terms[c].push_back(std::get<Vector3>(term)[c]);
      } else {
        terms[0].push_back(std::get<Expr>(term));
      }
    } catch (const FormulaError& error) {
      constexpr std::size_t readable = 300;  // of sums inside sums inside definitions the innermost are named
      if (error.complaint().problem.size() > readable && error.complaint().place.line != 0) throw;
      fail_here(error.complaint().place.line != 0
                    ? SyntaxNode{.kind = node.kind, .place = error.complaint().place, .text = {}, .value = {}}
                    : node,
                fmt::format("{} (at {} = {})", error.complaint().problem, index.text, i), error.complaint().remedy);
    }
  }
  context_.indices = outer;
  if (!vectors) return graph_.sum(terms[0]);
  return Vector3{graph_.sum(terms[0]), graph_.sum(terms[1]), graph_.sum(terms[2])};
}

/// reaction(c), reaction(c.x)
Quantity Elaborator::call_reaction(const Formula& formula, std::uint32_t call) {
  const SyntaxNode& node = formula.nodes[call];
  if (!context_.along_motion)
    fail_here(node, "reaction may appear in [outputs] and [events] only",
              "constraints and forces do not know reactions");
  check_count(node, 1, 1, "reaction(constraint)");
  std::uint32_t argument = call - 1;
  std::string member;
  if (formula.nodes[argument].kind == SyntaxNode::Kind::member) member = formula.nodes[argument--].text;
  const SyntaxNode& inner = formula.nodes[argument];
  if (inner.kind != SyntaxNode::Kind::name || inner.primes != 0)
    fail_here(inner, "this is not the name of a constraint or a released parameter", "write reaction(constraint)");
  std::string name = families_.expand(inner.text, context_.indices);
  const auto found = constraint_names_.find(name);
  if (found == constraint_names_.end()) {
    std::string nearest = nearest_name(name, known_constraints());
    fail_here(
        inner, fmt::format("there is no constraint or release '{}'", name),
        nearest.empty() ? "expected one of [constraints] or [release]" : fmt::format("did you mean '{}'?", nearest));
  }
  bool vector = found->second.is_vector;
  if (!member.empty() && !vector)
    fail_here(inner, fmt::format("'{}' is one scalar constraint", name), fmt::format("write reaction({})", name));
  auto symbol = [&](const std::string& full) {
    Expr made = graph_.symbol(reaction_symbol(full));
    kinds_.set(made, of_motion);
    return made;
  };
  if (!member.empty()) return symbol(name + "." + member);
  if (!vector) return symbol(name);
  return Vector3{symbol(name + ".x"), symbol(name + ".y"), symbol(name + ".z")};
}

/// axis(B, x): a unit vector of a frame, in world axes
Quantity Elaborator::call_axis(const Formula& formula, std::uint32_t call) {
  check_count(formula.nodes[call], 2, 2, "axis(B, x)");
  std::vector<std::uint32_t> arguments = formula.children(call);
  const SyntaxNode& axis = formula.nodes[arguments[1]];
  bool known = axis.kind == SyntaxNode::Kind::name && axis.primes == 0 &&
               (axis.text == "x" || axis.text == "y" || axis.text == "z");
  if (!known) fail_here(axis, "this is not an axis", "write x, y or z");
  auto [name, thing] = thing_argument(formula, arguments[0]);
  if (thing->kind == ThingKind::point)
    fail_here(formula.nodes[arguments[0]], fmt::format("'{}' is a point and has no axes", name),
              "write a body or frame");
  const Matrix3& rotation = frame(frame_of(*thing)).rotation;
  auto column = static_cast<std::size_t>(axis.text[0] - 'x');
  return Vector3{rotation[0][column], rotation[1][column], rotation[2][column]};
}

/// position, velocity, acceleration and omega
Quantity Elaborator::call_place(const Formula& formula, std::uint32_t call) {
  const SyntaxNode& node = formula.nodes[call];
  bool two = node.text == "velocity" || node.text == "acceleration";
  check_count(node, 1, two ? 2 : 1,
              two                    ? fmt::format("{0}(P) or {0}(B, P)", node.text)
              : node.text == "omega" ? "omega(B)"
                                     : "position(P)");
  std::vector<std::uint32_t> arguments = formula.children(call);
  auto [name, thing] = thing_argument(formula, arguments.back());
  if (node.text == "omega") {
    if (thing->kind == ThingKind::point)
      fail_here(formula.nodes[arguments[0]], fmt::format("'{}' is a point and does not turn", name),
                "write a body or frame");
    const Vector3& omega = frame(frame_of(*thing)).omega;
    return context_.mentions ? mention(Mention::Kind::omega, name, "", omega) : omega;
  }
  Spot at = spot(*thing, name);
  if (node.text == "position")
    return context_.mentions ? mention(Mention::Kind::position, name, "", at.position) : at.position;
  if (arguments.size() == 1) {
    if (node.text == "acceleration") return time_derivative(at.velocity);
    return context_.mentions ? mention(Mention::Kind::velocity, name, "", at.velocity) : at.velocity;
  }
  auto [body, carrier] = thing_argument(formula, arguments[0]);
  if (carrier->kind == ThingKind::point)
    fail_here(formula.nodes[arguments[0]], fmt::format("'{}' is a point and carries no others", body),
              "write a body or frame");
  const Frame& moving = frame(frame_of(*carrier));
  Vector3 arm = at.position - moving.origin;
  Vector3 velocity = moving.velocity + cross(moving.omega, arm);
  if (node.text == "velocity")
    return context_.mentions ? mention(Mention::Kind::velocity, name, body, velocity) : velocity;
  Vector3 origin = time_derivative(moving.velocity);
  return origin + cross(time_derivative(moving.omega), arm) + cross(moving.omega, cross(moving.omega, arm));
}

std::pair<std::string, const Elaborator::Thing*> Elaborator::thing_argument(const Formula& formula,
                                                                            std::uint32_t node) {
  const SyntaxNode& argument = formula.nodes[node];
  if (argument.kind != SyntaxNode::Kind::name || argument.primes != 0)
    fail_here(argument, "this is not the name of a point, body or frame", "write its name");
  std::string name = families_.expand(argument.text, context_.indices);
  auto found = things_.find(name);
  if (found != things_.end()) return {name, &found->second};
  std::string nearest = nearest_name(name, known_things());
  fail_here(
      argument, fmt::format("there is no point, body or frame '{}'", name),
      nearest.empty() ? "describe it in [points], [bodies] or [frames]" : fmt::format("did you mean '{}'?", nearest));
}

/// Symbols that stand for a vector in a constraint; their time derivatives stay right.
Vector3 Elaborator::mention(Mention::Kind kind, const std::string& on, const std::string& body, const Vector3& value) {
  constexpr std::string_view words[] = {"position", "velocity", "omega"};
  std::string name =
      fmt::format("{}({}{}{})", words[static_cast<std::size_t>(kind)], body, body.empty() ? "" : ", ", on);
  auto [found, is_new] = mention_names_.try_emplace(name, mentions_.size());
  if (!is_new) return mentions_[found->second].symbols;
  Mention made{kind, on, body, {}, value};
  for (std::size_t c = 0; c < 3; ++c) {
    made.symbols[c] = graph_.symbol(name + "." + static_cast<char>('x' + c));
    kinds_.set(made.symbols[c], of_mentions);
    mention_of_[made.symbols[c].id()] = mentions_.size();
  }
  mentions_.push_back(made);
  const Thing& thing = things_.at(on);
  Vector3 rate = kind == Mention::Kind::position ? mention(Mention::Kind::velocity, on, "", spot(thing, on).velocity)
                                                 : time_derivative(value);
  for (std::size_t c = 0; c < 3; ++c) set_rate(made.symbols[c], rate[c]);
  return made.symbols;
}

}  // namespace dalembert
