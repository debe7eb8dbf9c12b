#include <algorithm>
#include <cmath>

#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_anchored = 150;  ///< coordinates; beyond, nobody sees single rods
constexpr int trials = 4;                   ///< points in space at which the centre is compared
constexpr double same_centre = 1e-8;        ///< relative: second derivatives lose no more digits than that

/// A constraint on where one place is: `components` of it, each by its symbol in `relation`.
struct OnPlace {
  std::size_t place;
  Expr relation;
  std::vector<std::size_t> components;
  std::vector<Expr> symbols;
  std::vector<Replacement> meaning;  ///< of the symbols, in the state's
};

void add_component(OnPlace& on, std::size_t k, Expr symbol) {
  if (derivative(on.relation, symbol).is_zero()) return;
  on.components.push_back(k);
  on.symbols.push_back(symbol);
}

/// Written at the position of one point.
std::optional<OnPlace> read_mention(const Scene& scene, const Constraint& constraint) {
  if (constraint.mentions.size() != 1 || constraint.mentions[0].kind != Mention::Kind::position) return {};
  const Mention& mention = constraint.mentions[0];
  const std::optional<std::size_t> place = find_place(scene, mention.on);
  if (!place) return {};
  OnPlace on{*place, constraint.written, {}, {}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    add_component(on, k, mention.symbols[k]);
    on.meaning.push_back({mention.symbols[k], mention.value[k]});
  }
  return on;
}

/// Written in coordinates that are components of one point.
std::optional<OnPlace> read_coordinates(const Scene& scene, const Constraint& constraint) {
  const Model& model = *scene.model;
  for (std::size_t i = 0; i < model.points.size(); ++i) {
    OnPlace on{model.frames.size() + i, constraint.f, {}, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      const Expr part = model.points[i].position[k];
      if (std::ranges::any_of(model.coordinates, [&](const Coordinate& one) { return one.q == part; }))
        add_component(on, k, part);
    }
    if (on.symbols.size() > 1) return on;
  }
  return {};
}

/// The centre of the sphere (of the circle) that f = const is around a point of it, at a distance R along the normal,
/// where f curves by |grad f| / R in each of the directions across; none of a plane.
std::vector<Expr> find_centre(const OnPlace& on) {
  const std::size_t n = on.symbols.size();
  const std::vector<Expr> slope = gradient(on.relation, on.symbols);
  Graph& graph = on.relation.graph();
  Expr square = graph.constant(0), trace = square, along = square;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Expr> row = gradient(slope[i], on.symbols);
    square += slope[i] * slope[i];
    trace += row[i];
    for (std::size_t j = 0; j < n; ++j) along += slope[i] * row[j] * slope[j];
  }
  std::vector<Expr> centre;
  const Expr bend = square * trace - along;
  if (bend.is_zero()) return {};  // a plane
  const Expr factor = graph.constant(static_cast<long>(n) - 1) * square / bend;
  for (std::size_t i = 0; i < n; ++i) centre.push_back(on.symbols[i] - factor * slope[i]);
  return centre;
}

/// One and the same from wherever it is looked for: then the constraint keeps a distance to it.
bool is_one_point(const Model& model, const OnPlace& on, const std::vector<Expr>& centre) {
  const std::vector<Binding> values = bind_symbols(model, initial_state(model), parameter_values(model));
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> number(-2, 2);
  std::vector<double> first;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Binding> there = values;
    for (const Expr& symbol : on.symbols) {
      const double value = number(random);
      const auto known = std::ranges::find_if(there, [&](const Binding& one) { return one.symbol == symbol; });
      known == there.end() ? there.push_back({symbol, value}) : void(known->value = value);
    }
    for (std::size_t k = 0; k < centre.size(); ++k) {
      const double value = evaluate(centre[k], there);
      if (trial == 0) first.push_back(value);
      if (!(std::fabs(value - first[k]) <= same_centre * (1 + std::fabs(value)))) return false;
    }
  }
  return true;
}

/// Nothing but the place's own symbols and parameters: what moves otherwise is no anchor.
bool is_fixed(const Model& model, const OnPlace& on) {
  for (const Expr& symbol : free_symbols({&on.relation, 1})) {
    const bool is_own = std::ranges::find(on.symbols, symbol) != on.symbols.end();
    const auto is_parameter = [&](const Parameter& parameter) { return parameter.symbol == symbol; };
    if (!is_own && std::ranges::none_of(model.parameters, is_parameter)) return false;
  }
  return true;
}

/// The model's own places have their rods by add_rods.
bool is_named(const Scene& scene, const SceneProbe& probe, const Vector3& anchor) {
  const double near = 1e-7 * std::max(probe.extent(), 1e-300);
  for (std::size_t i = 0; i < model_place_count(*scene.model); ++i) {
    double distance = 0;
    for (std::size_t k = 0; k < 3; ++k)
      distance = std::hypot(distance, probe.at_start(anchor[k]) - probe.at_start(scene.places[i].position[k]));
    if (distance <= near) return true;
  }
  return false;
}

}  // namespace

void add_anchors(Scene& scene, const SceneProbe& probe) {
  const Model& model = *scene.model;
  if (model.coordinates.size() > most_anchored) return;
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind != ConstraintKind::geometric || constraint.is_unit) continue;
    const std::optional<OnPlace> on =
        constraint.mentions.empty() ? read_coordinates(scene, constraint) : read_mention(scene, constraint);
    if (!on || on->symbols.size() < 2 || !is_fixed(model, *on)) continue;
    const std::vector<Expr> centre = find_centre(*on);
    if (centre.empty() || !is_one_point(model, *on, centre)) continue;
    Vector3 anchor = scene.places[on->place].position;
    for (std::size_t i = 0; i < centre.size(); ++i) anchor[on->components[i]] = substitute(centre[i], on->meaning);
    if (is_named(scene, probe, anchor)) continue;
    scene.places.push_back({"anchor of " + constraint.name, anchor, {}});
    scene.shapes.push_back({ShapeKind::rod, constraint.name, scene.places.size() - 1, on->place});
  }
}

}  // namespace dalembert
