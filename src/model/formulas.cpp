#include <fmt/format.h>

#include <algorithm>

#include "model/elaborator.hpp"
#include "model/limits.hpp"

// From texts to expressions: syntax once a text, meaning once an index.

namespace dalembert {
namespace {

bool is_vector(const Quantity& value) { return std::holds_alternative<Vector3>(value); }

/// x of x_dot, xdot, x_ddot and dx, as rates are called elsewhere; empty for other names.
std::string without_mark_of_rate(const std::string& name) {
  for (const std::string mark : {"_ddot", "ddot", "_dot", "dot"})
    if (name.size() > mark.size() && name.ends_with(mark)) return name.substr(0, name.size() - mark.size());
  return name.size() > 1 && name[0] == 'd' ? name.substr(1) : "";
}

}  // namespace

const Formula& Elaborator::syntax(const Where& where, const Text& text, bool allow_relation) {
  auto found = syntax_.find(&text);
  if (found != syntax_.end()) return found->second;
  return guarded(where, text, [&]() -> const Formula& {
    return syntax_.emplace(&text, parse_syntax(text.text, allow_relation)).first->second;
  });
}

Quantity Elaborator::interpret_charged(const Formula& formula, std::uint32_t root) {
  work_ += root - formula.nodes[root].first + 10;  // each interpretation has its own cost
  if (work_ > limits::formula_work)
    fail_here(formula.nodes[root],
              fmt::format("the formulas have more than {} parts, families and sums expanded (limit `formula_work`)",
                          limits::formula_work),
              "use smaller families");
  // Definitions inside sums inside definitions: the limits of each alone would multiply, and the stack is one.
  if (depth_ >= limits::interpretation_depth)
    fail_here(formula.nodes[root],
              fmt::format("definitions and calls stand inside each other more than {} deep (limit "
                          "`interpretation_depth`)",
                          limits::interpretation_depth),
              "define what is used inside before what uses it");
  ++depth_;
  struct Leave {
    std::size_t& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  Quantity value = interpret(formula, root, scope_);
  if (const Expr* number = std::get_if<Expr>(&value)) work_ += graph_.parts(number->id()).size();
  if (graph_.size() > limits::graph_size)
    fail_here(formula.nodes[root],
              fmt::format("the model has more than {} expressions (limit `graph_size`)", limits::graph_size),
              "use smaller families");
  return value;
}

Quantity Elaborator::interpret_in(const Formula& formula, std::uint32_t root, const Context& context) {
  const Context outer = std::exchange(context_, context);
  std::optional<Replacement> instead = scope_.instead;
  if (context.fixed) scope_.instead.reset();
  auto restore = [&] {
    context_ = outer;
    scope_.instead = instead;
  };
  try {
    Quantity value = interpret_charged(formula, root);
    restore();
    return value;
  } catch (...) {
    restore();
    throw;
  }
}

Quantity Elaborator::value(const Where& where, const Text& text, const Context& context) {
  const Formula& formula = syntax(where, text);
  return guarded(where, text, [&] { return interpret_in(formula, formula.left, context); });
}

Expr Elaborator::scalar(const Where& where, const Text& text, const Context& context) {
  Quantity result = value(where, text, context);
  if (is_vector(result))
    fail(where, text.place, "a vector where a number is expected", "take a component (.x, .y, .z) or norm(...)");
  return std::get<Expr>(result);
}

Quantity Elaborator::value(const Where& where, const VectorText& text, const Context& context) {
  if (text.parts.size() == 1) return value(where, text.parts[0], context);
  return vector(where, text, context);
}

Vector3 Elaborator::vector(const Where& where, const VectorText& text, const Context& context) {
  if (text.empty()) return {graph_.constant(0), graph_.constant(0), graph_.constant(0)};
  if (text.parts.size() == 3)
    return {scalar(where, text.parts[0], context), scalar(where, text.parts[1], context),
            scalar(where, text.parts[2], context)};
  Quantity result = value(where, text.parts[0], context);
  if (text.parts.size() != 1 || !is_vector(result))
    fail(where, text.parts[0].place, "a number where a vector is expected",
         "write three components, as [\"x\", \"y\", 0]");
  return std::get<Vector3>(result);
}

// ------------------------------------------------------------------------------------------ what may appear where

std::string Elaborator::offender(Expr expression, unsigned allowed) {
  for (const Expr& symbol : free_symbols({&expression, 1}))
    if ((kinds_.of_symbol(symbol) & ~allowed) != 0) return symbol.name();
  return {};
}

void Elaborator::require(const Where& where, const Text& text, const Quantity& value, unsigned allowed,
                         std::string_view expected) {
  Vector3 parts = is_vector(value) ? std::get<Vector3>(value) : Vector3{std::get<Expr>(value), Expr(), Expr()};
  for (const Expr& part : parts) {
    if (!part) continue;
    unsigned excess = kinds_.of(part) & ~allowed;
    if (excess == 0) continue;
    std::string name = offender(part, allowed);
    if ((excess & of_accelerations) != 0)
      fail(where, text.place, fmt::format("it depends on {}", offender(part, ~unsigned(of_accelerations))),
           "accelerations may appear in [outputs] and [events] only");
    if ((excess & of_reduced) != 0)
      fail(where, text.place, fmt::format("it depends on {}, a coordinate of [reduction]", name),
           "those may appear in [reduction] only");
    fail(where, text.place, fmt::format("it depends on {}", name), fmt::format("expected a formula of {}", expected));
  }
}

// ------------------------------------------------------------------------------------------ names

std::optional<Quantity> Elaborator::ask_name(const SyntaxNode& node) {
  if (node.text.find('{') != std::string::npos) {
    if (std::optional<long> number = families_.number(node.text, context_.indices)) {
      if (node.primes != 0) fail_here(node, "an index has no derivative", "remove the prime");
      return graph_.constant(*number);
    }
  }
  std::string name = families_.expand(node.text, context_.indices);
  auto found = names_.find(name);
  if (found != names_.end()) return value_of_name(node, name, found->second);
  if (name == "t") {
    if (node.primes != 0) fail_here(node, "t' is 1", "remove the prime");
    return model_.time;
  }
  if (name == "energy") {
    if (!context_.along_motion)
      fail_here(node, "energy may appear in [outputs] and [events] only", "write the formula itself");
    if (node.primes != 0) fail_here(node, "energy has no derivative here", "remove the prime");
    return graph_.symbol("energy");
  }
  if (name == "residual") fail_here(node, "residual is a column of the results", "formulas cannot use it");
  if (things_.contains(name))
    fail_here(node, fmt::format("'{}' is a frame, body or point and not a quantity", name),
              fmt::format("write position({})", name));
  bool index = families_.is_index(name) ||
               std::ranges::any_of(context_.indices.get(), [&](const FamilyIndex& i) { return i.name == name; });
  if (index) fail_here(node, fmt::format("'{}' is an index", name), fmt::format("write {{{}}} for its value", name));
  if (const std::string of = without_mark_of_rate(name); !of.empty() && names_.contains(of))
    fail_here(node, fmt::format("unknown name '{}'", name),
              fmt::format("write {0}' for the rate of {0}, and {0}'' for its acceleration", of));
  std::string nearest = nearest_name(name, known_names());
  fail_here(node, fmt::format("unknown name '{}'", name + std::string(node.primes, '\'')),
            nearest.empty() ? "define it, or correct the name"
                            : fmt::format("did you mean '{}'?", nearest + std::string(node.primes, '\'')));
}

Quantity Elaborator::value_of_coordinate(const SyntaxNode& node, const Coordinate& coordinate) const {
  switch (node.primes) {
    case 0: return coordinate.q;
    case 1: return coordinate.rate;
    case 2: return coordinate.acceleration;
    default: fail_here(node, fmt::format("{} has more than two primes", coordinate.name), "write q' or q''");
  }
}

Quantity Elaborator::value_of_name(const SyntaxNode& node, const std::string& name, const Name& entry) {
  Quantity result;
  switch (entry.kind) {
    case NameKind::parameter: {
      if (freeing_ && freeing_->parameter == entry.index && !context_.fixed)
        return value_of_coordinate(node, freeing_->coordinates[0]);
      auto release = constraint_names_.find(name);
      bool released = release != constraint_names_.end() && release->second.is_release;
      if (node.primes != 0 && !released)
        fail_here(node, fmt::format("the parameter {} is constant", name),
                  "remove the prime, or release it by [release." + name + "]");
      return node.primes == 0 ? model_.parameters[entry.index].symbol : graph_.constant(0);
    }
    case NameKind::coordinate: return value_of_coordinate(node, model_.coordinates[entry.index]);
    case NameKind::reduced: return value_of_coordinate(node, model_.reduction->coordinates[entry.index]);
    case NameKind::definition:
    case NameKind::signal: result = definition(entry.index, context_); break;
    case NameKind::quasi_velocity:
    case NameKind::output:
      if (!context_.along_motion)
        fail_here(node, fmt::format("'{}' may appear in [outputs] and [events] only", name),
                  "write the formula itself, or make it a definition");
      result = entry.kind == NameKind::output ? output(entry.index) : Quantity(quasi_velocity(entry.index));
      break;
  }
  if (node.primes > 2) fail_here(node, fmt::format("{} has more than two primes", name), "write one or two");
  for (unsigned i = 0; i < node.primes; ++i) {
    // The equations of motion give accelerations and reactions, not how fast they change.
    unsigned kinds = is_vector(result) ? 0 : kinds_.of(std::get<Expr>(result));
    if (is_vector(result))
      for (const Expr& part : std::get<Vector3>(result)) kinds |= kinds_.of(part);
    if ((kinds & (of_accelerations | of_motion)) != 0)
      fail_here(node, fmt::format("the derivative of {} is not known: it has accelerations or reactions in it", name),
                "leave out the prime, or difference the column of the results");
    result = time_derivative(result);
  }
  return result;
}

// ------------------------------------------------------------------------------------------ time derivatives

void Elaborator::set_rate(Expr symbol, Expr rate) {
  if (symbol.id() >= rates_.size()) rates_.resize(symbol.id() + 1, 0);
  rates_[symbol.id()] = rate.id() + 1;
}

Vector3 Elaborator::time_derivative(const Vector3& value) {
  std::vector<Replacement> direction;
  for (const Expr& symbol : free_symbols(value)) {
    const NodeId rate = symbol.id() < rates_.size() ? rates_[symbol.id()] : 0;
    if (rate != 0) direction.push_back({symbol, graph_[rate - 1]});
  }
  std::vector<Expr> parts = directional_derivative(value, direction);
  return {parts[0], parts[1], parts[2]};
}

Quantity Elaborator::time_derivative(const Quantity& value) {
  if (is_vector(value)) return time_derivative(std::get<Vector3>(value));
  Expr zero = graph_.constant(0);
  return time_derivative(Vector3{std::get<Expr>(value), zero, zero})[0];
}

// ------------------------------------------------------------------------------------------ made when first asked for

template <class Make>
void Elaborator::make_once(Progress& progress, const std::string& name, const Where& where, Make&& make) {
  if (progress == Progress::made) return;
  if (progress == Progress::busy) {
    auto from = std::ranges::find(busy_, name);
    std::vector<std::string> cycle(from, busy_.end());
    cycle.push_back(name);
    fail(where, {}, fmt::format("it is defined by itself: {}", fmt::join(cycle, " -> ")), "break the cycle");
  }
  if (busy_.size() >= limits::reference_depth)
    fail(where, {},
         fmt::format("formulas refer to each other more than {} deep (limit `reference_depth`)",
                     limits::reference_depth),
         "write what others use before them");
  progress = Progress::busy;
  busy_.push_back(name);
  make();
  busy_.pop_back();
  progress = Progress::made;
}

void Elaborator::make_definitions() {
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    const Quantity& made = definition(i, {});
    const auto* vector = std::get_if<Vector3>(&made);
    std::vector<Expr> value =
        vector != nullptr ? std::vector<Expr>(vector->begin(), vector->end()) : std::vector<Expr>{std::get<Expr>(made)};
    model_.definitions.push_back({definitions_[i].name, std::move(value)});
  }
}

const Quantity& Elaborator::definition(std::size_t index, const Context& context) {
  const Member<VectorText>& member = definitions_[index];
  Where where{index < first_signal_ ? "definitions" : "inputs", &member.entry->name, {}, &member.indices};
  Lazy& lazy = (context.fixed ? fixed_values_ : context.mentions ? mentioned_values_ : definition_values_)[index];
  Context own{member.indices, false, context.mentions, context.fixed};
  make_once(lazy.progress, member.name, where, [&] {
    lazy.value = index < first_signal_ ? value(where, member.entry->what, own) : signal(where, index, own);
  });
  return lazy.value;
}

const Quantity& Elaborator::output(std::size_t index) {
  const Member<VectorText>& member = outputs_[index];
  Where where{"outputs", &member.entry->name, {}, &member.indices};
  Lazy& lazy = output_values_[index];
  make_once(lazy.progress, member.name, where, [&] {
    lazy.value = value(where, member.entry->what, {member.indices, true, false});
  });
  return lazy.value;
}

const Expr& Elaborator::quasi_velocity(std::size_t index) {
  const Member<Text>& member = quasi_velocities_[index];
  Where where{"frame", &member.entry->name, {}, &member.indices};
  QuasiVelocity& velocity = model_.quasi_velocities[index];
  make_once(quasi_progress_[index], member.name, where, [&] {
    velocity.formula = scalar(where, member.entry->what, {member.indices});
    require(where, member.entry->what, velocity.formula, in_states, "t, coordinates, rates and parameters");
    settle_affine(where, member.entry->what, velocity.formula);
  });
  return velocity.formula;
}

const Expr& Elaborator::parameter_value(std::size_t index) {
  const Member<Text>& member = parameters_[index];
  Where where{section_of_parameter(index), &member.entry->name, {}, &member.indices};
  Parameter& parameter = model_.parameters[index];
  make_once(parameter_progress_[index], member.name, where, [&] {
    Where here = where;
    const Text& text = overridden(member.name, member.entry->what, here);
    parameter.value = scalar(here, text, {member.indices});
    require(here, text, parameter.value, of_parameters, index < first_input_ ? "parameters" : "t and parameters");
    for (const Expr& symbol : free_symbols({&parameter.value, 1}))
      if (auto other = names_.find(symbol.name()); other != names_.end()) parameter_value(other->second.index);
  });
  return parameter.value;
}

const Frame& Elaborator::frame(std::size_t index) {
  if (index == 0) return model_.frames[0];
  const Member<FrameText>& member = frames_[index - 1];
  make_once(frame_progress_[index], member.name, {"frames", &member.entry->name, {}, &member.indices},
            [&] { make_frame(index); });
  return model_.frames[index];
}

const Point& Elaborator::point(std::size_t index) {
  const Member<PointText>& member = points_[index];
  make_once(point_progress_[index], member.name, {"points", &member.entry->name, {}, &member.indices},
            [&] { make_point(index); });
  return model_.points[index];
}

}  // namespace dalembert
