#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/print.hpp>

#include "model/elaborator.hpp"
#include "model/hidden_rates.hpp"

// Constants of the description made coordinates (Paulus 1910, assumption 2): the description is given its meaning once
// more, with a time derivative for the constant, so that velocities, energies and constraints are formed with it.

namespace dalembert {

void Elaborator::refuse_release(const Where& where, Place place, std::string problem) const {
  std::vector<std::string> names = find_releasable(model_);
  fail(where, place, std::move(problem),
       names.empty() ? "this model has no constants that can be released"
                     : fmt::format("can be released: {}", fmt::join(names, ", ")));
}

/// What a release names: a parameter or a formula of parameters and time.
Expr Elaborator::released_formula(const Where& where, const Member<ReleaseText>& member) {
  const Text& name = member.entry->name;
  Expr released;
  try {
    released = scalar(where, name, {member.indices});
  } catch (const ModelError& error) {
    refuse_release(where, error.complaint().place, error.complaint().problem);
  }
  if (std::string coordinate = offender(released, of_parameters | of_time); !coordinate.empty())
    refuse_release(where, name.place, fmt::format("'{}' is no constant: it depends on {}", member.name, coordinate));
  if (released.is_constant() || released.op() == Op::pi)
    refuse_release(where, name.place, fmt::format("'{}' is a number, which may stand for anything", member.name));
  if (released == model_.time) refuse_release(where, name.place, "time itself cannot be released");
  return released;
}

void Elaborator::make_releases() {
  for (const Member<ReleaseText>& member : releases_) make_release(member);
}

void Elaborator::make_release(const Member<ReleaseText>& member) {
  const ReleaseText& text = member.entry->what;
  Where where{"release", &member.entry->name, {}, &member.indices};
  Release made;
  made.name = member.name;
  made.place = member.entry->name.place;
  made.released = released_formula(where, member);
  where.field = "constraint";
  if (!text.constraint.empty()) {
    made.constraint = reference(where, text.constraint);
    made.written = scalar(where, text.constraint, {member.indices, false, true});
    made.f = made.written;
    collect_mentions(made.written, made.mentions, made.f);
    require(where, text.constraint, made.f, in_positions, "t, coordinates and parameters");
  }
  where.field = "points";
  for (const Text& point_text : text.points) {
    std::string name = reference(where, point_text);
    auto found = things_.find(name);
    if (found == things_.end() || found->second.kind != ThingKind::point) {
      std::string nearest = nearest_name(name, known_things());
      fail(where, point_text.place, fmt::format("there is no point '{}'", name),
           nearest.empty() ? "expected the name of a point" : fmt::format("did you mean '{}'?", nearest));
    }
    made.points.push_back(name);
  }

  Freeing freeing;
  freeing.release = &member;
  auto named = made.released.op() == Op::symbol ? names_.find(made.released.name()) : names_.end();
  std::string symbol = "release(" + made.name + ")";
  if (named != names_.end() && named->second.kind == NameKind::parameter) {
    freeing.parameter = named->second.index;
    symbol = made.released.name();
    freeing.fixed = graph_.symbol("fixed(" + symbol + ")");
  } else {
    freeing.formula = freeing.fixed = made.released;
  }
  freeing.coordinates = {{made.name,
                          graph_.symbol(symbol),
                          graph_.symbol(symbol + "'"),
                          graph_.symbol(symbol + "''"),
                          {},
                          {},
                          made.place}};
  made.variation = vary(freeing, &made.moving);
  check_variation(made);
  model_.releases.push_back(std::move(made));
}

/// A constant that enters nothing cannot be released; nor one whose rate was left out where it belongs.
void Elaborator::check_variation(const Release& release) const {
  Where where{"release", nullptr, release.name};
  const Model& varied = *release.variation.model;
  const Coordinate& c = release.variation.freed[0];
  std::vector<Expr> geometry;
  for (const Frame& each : varied.frames) {
    geometry.insert(geometry.end(), each.origin.begin(), each.origin.end());
    for (const Vector3& row : each.rotation) geometry.insert(geometry.end(), row.begin(), row.end());
  }
  for (const Point& each : varied.points) geometry.insert(geometry.end(), each.position.begin(), each.position.end());
  for (const Body& each : varied.bodies) geometry.insert(geometry.end(), each.centre.begin(), each.centre.end());
  for (const Constraint& each : varied.constraints) geometry.push_back(each.f);
  for (const Expr& energy : {varied.kinetic, varied.potential, varied.lagrangian})
    if (energy) geometry.push_back(energy);
  std::vector<Expr> symbols = free_symbols(geometry);
  if (std::ranges::find(symbols, c.q) == symbols.end())
    refuse_release(where, release.place,
                   fmt::format("'{}' does not enter the geometry: no position, frame, constraint or energy depends on "
                               "it (masses and inertias keep their values)",
                               release.name));
  std::vector<Expr> rates;
  for (const Coordinate& each : varied.coordinates) rates.push_back(each.rate);
  for (const Constraint& each : varied.constraints)
    if (hides_rate(each, c, rates))
      refuse_release(where, release.place,
                     fmt::format("the constraint {} is written in rates, depends on {} and says nothing of its rate: "
                                 "write it with velocity(), or with {}'",
                                 each.name, release.name, c.q.name()));
  for (const auto& [energy, name] : {std::pair(varied.kinetic, "kinetic"), std::pair(varied.lagrangian, "lagrangian")})
    if (energy && hides_rate(energy, c, rates))
      refuse_release(where, release.place,
                     fmt::format("energy.{} depends on {} and on rates, and says nothing of the rate of {}: write it "
                                 "with velocity(), or with {}'",
                                 name, release.name, release.name, c.q.name()));
}

void Elaborator::make_joints() {
  for (const Text& text : description_.joints) {
    Where where{"joint", &text};
    auto found = things_.find(text.text);
    bool hung = found != things_.end() && found->second.kind != ThingKind::point && frame_of(found->second) != 0;
    if (!hung) {
      std::vector<std::string> names;
      for (const auto& [name, thing] : things_)
        if (thing.kind != ThingKind::point && frame_of(thing) != 0) names.push_back(name);
      std::ranges::sort(names);
      fail(where, {},
           found == things_.end() ? fmt::format("there is no frame or body '{}'", text.text)
           : found->second.kind == ThingKind::point
               ? fmt::format("'{}' is a point, and points have no joint", text.text)
               : fmt::format("'{}' hangs on nothing", text.text),
           names.empty() ? "this model has no frames but the world's"
                         : fmt::format("has a joint: {}", fmt::join(names, ", ")));
    }
    Joint made{text.text, frame_of(found->second), {}};
    Freeing freeing;
    freeing.frame = made.frame;
    for (std::string_view part : {"x", "y", "z", "about x", "about y", "about z"}) {
      std::string name = fmt::format("joint({}) {}", made.name, part);
      freeing.coordinates.push_back(
          {name, graph_.symbol(name), graph_.symbol(name + "'"), graph_.symbol(name + "''"), {}, {}, {}});
    }
    made.variation = vary(freeing, nullptr);
    model_.joints.push_back(std::move(made));
  }
}

Variation Elaborator::vary(const Freeing& freeing, Expr* moving) {
  Elaborator again(description_, overrides_, model_.graph, freeing);
  again.work_ = work_;
  for (const Mention& mention : mentions_)  // known before any formula is looked at, which saves looking twice
    for (const Expr& symbol : mention.symbols) again.kinds_.set(symbol, of_mentions);
  again.run();
  if (moving != nullptr && !freeing.release->entry->what.constraint.empty()) *moving = again.make_moving();
  work_ = again.work_;
  Variation variation;
  variation.model = std::make_shared<const Model>(again.take_model());
  variation.freed = freeing.coordinates;
  Expr zero = graph_.constant(0);
  for (const Coordinate& c : freeing.coordinates) {
    Expr value = freeing.formula ? freeing.formula : zero;
    Expr rate = std::get<Expr>(time_derivative(Quantity(value)));
    if (!freeing.parameter) variation.actual.push_back({c.q, value});
    variation.actual.push_back({c.rate, rate});
    variation.actual.push_back({c.acceleration, std::get<Expr>(time_derivative(Quantity(rate)))});
  }
  if (freeing.parameter) variation.actual.push_back({freeing.fixed, freeing.coordinates[0].q});
  return variation;
}

/// Symbols and meaning of the freed constants, before any formula is looked at.
void Elaborator::free_constants() {
  for (const Coordinate& c : freeing_->coordinates) {
    kinds_.set(c.q, static_cast<Kinds>(of_parameters | (freeing_->formula ? of_time : none)));
    kinds_.set(c.rate, of_rates);
    kinds_.set(c.acceleration, of_accelerations);
    set_rate(c.q, c.rate);
    set_rate(c.rate, c.acceleration);
  }
  if (freeing_->formula) scope_.instead = Replacement{freeing_->formula, freeing_->coordinates[0].q};
}

/// Masses, inertias, parameters and the start keep the constant's value.
void Elaborator::hold_values() {
  Expr fixed = freeing_->fixed;
  std::vector<Replacement> hold;
  if (fixed) hold.push_back({freeing_->coordinates[0].q, fixed});
  auto keep = [&](Expr& e) {
    if (e) e = substitute(e, hold);
  };
  for (Parameter& each : model_.parameters) keep(each.value);
  if (freeing_->parameter) model_.parameters[*freeing_->parameter].name = fixed.name();
  for (Coordinate& each : model_.coordinates) keep(each.value), keep(each.rate_value);
  for (Expr& each : model_.gravity) keep(each);
  for (Point& each : model_.points) keep(each.mass);
  for (Constraint& each : model_.constraints) keep(each.restitution);
  for (Body& each : model_.bodies) {
    keep(each.mass);
    for (Vector3& row : each.inertia)
      for (Expr& entry : row) keep(entry);
  }
}

/// The freed constants are the last coordinates, and start from their values. Other coordinates a variation has not.
void Elaborator::append_freed() {
  model_.reduction.reset();
  model_.quasi_velocities.clear();
  Expr zero = graph_.constant(0), fixed = freeing_->fixed;
  const Replacement start{model_.time, zero};
  for (Coordinate c : freeing_->coordinates) {
    c.value = fixed ? substitute(fixed, {&start, 1}) : zero;
    c.rate_value = fixed ? substitute(std::get<Expr>(time_derivative(Quantity(fixed))), {&start, 1}) : zero;
    model_.coordinates.push_back(std::move(c));
    model_.forces.push_back(zero);
  }
}

/// The release's constraint where positions vary with the freed constant and its own mention of it does not: the
/// function whose derivative (18) divides by.
Expr Elaborator::make_moving() {
  const Member<ReleaseText>& member = *freeing_->release;
  Where where{"release", &member.entry->name, "constraint", &member.indices};
  return scalar(where, member.entry->what.constraint, {member.indices, false, false, true});
}

/// The largest parts of the geometry that depend on time and on no coordinate.
void Elaborator::note_drives(std::span<const Expr> geometry) {
  if (freeing_) return;
  std::vector<NodeId> stack;
  for (const Expr& each : geometry) stack.push_back(each.id());
  while (!stack.empty()) {
    NodeId id = stack.back();
    stack.pop_back();
    Expr part = graph_[id];
    unsigned kinds = kinds_.of(part);
    if ((kinds & of_time) == 0 || !driven_.insert(id).second) continue;
    if ((kinds & of_coordinates) != 0) {
      graph_.for_each_child(id, [&](NodeId child) { stack.push_back(child); });
    } else if (part != model_.time && count_written(part) < 1000) {
      model_.drives.push_back(to_text(part));
    }
  }
}

}  // namespace dalembert
