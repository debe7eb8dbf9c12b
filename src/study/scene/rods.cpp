#include <algorithm>
#include <cmath>
#include <numeric>

#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

/// Central differences are right to about 1e-10 of the rates that they are compared with; rates that differ do so by
/// much more.
constexpr double same_rate = 1e-6;
/// Of the scene's extent: nearer places are one.
constexpr double same_place = 1e-7;
/// Beyond so many places only neighbours in the order of the model are looked at: pairs grow with the square.
constexpr std::size_t most_places = 150;

using Numbers = std::array<double, 3>;

struct Pair {
  std::size_t a, b;
  double distance;
};

enum class Bond : std::uint8_t { none, one_place, rigid };

Numbers difference(const std::vector<double>& values, std::size_t a, std::size_t b) {
  return {values[a] - values[b], values[a + 1] - values[b + 1], values[a + 2] - values[b + 2]};
}
double length(const Numbers& v) { return std::hypot(v[0], v[1], v[2]); }

/// At one state, in one direction: is the distance stationary, and does anything move?
Bond judge(const SceneProbe::Sample& sample, std::size_t a, std::size_t b, double extent, bool& moves) {
  const Numbers here = difference(sample.here, a, b), before = difference(sample.before, a, b),
                after = difference(sample.after, a, b);
  const double distance = length(here);
  if (!std::isfinite(distance)) return Bond::none;
  const auto speed = [&](std::size_t place) {
    return length({sample.after[place] - sample.before[place], sample.after[place + 1] - sample.before[place + 1],
                   sample.after[place + 2] - sample.before[place + 2]});
  };
  const double travelled = speed(a) + speed(b);
  if (!std::isfinite(travelled)) return Bond::none;
  moves = moves || travelled > same_rate * sample.step * extent;
  if (distance <= same_place * extent) return length(before) <= same_place * extent ? Bond::one_place : Bond::none;
  return std::fabs(length(after) - length(before)) <= same_rate * travelled + 1e-12 * extent ? Bond::rigid : Bond::none;
}

Bond bond_between(const SceneProbe& probe, std::size_t a, std::size_t b) {
  bool moves = false;
  std::optional<Bond> bond;
  double shortest = 0, longest = 0;
  for (const SceneProbe::Sample& sample : probe.samples()) {
    const Bond here = judge(sample, a, b, probe.extent(), moves);
    if (here == Bond::none || (bond && *bond != here)) return Bond::none;
    const double distance = length(difference(sample.here, a, b));
    shortest = bond ? std::min(shortest, distance) : distance;
    longest = std::max(longest, distance);
    bond = here;
  }
  if (longest - shortest > same_rate * probe.extent()) return Bond::none;
  if (bond == Bond::one_place) return Bond::one_place;
  return bond && moves ? *bond : Bond::none;
}

std::size_t root_of(std::vector<std::size_t>& parents, std::size_t a) {
  while (parents[a] != a) a = parents[a] = parents[parents[a]];
  return a;
}

}  // namespace

void add_rods(Scene& scene, const SceneProbe& probe) {
  const std::size_t count = model_place_count(*scene.model);
  std::vector<std::size_t> parents(count);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  std::vector<Pair> rigid;
  if (probe.samples().empty()) return;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < (count > most_places ? std::min(a + 2, count) : count); ++b) {
      const Bond bond = bond_between(probe, probe.offset(a), probe.offset(b));
      if (bond == Bond::one_place) parents[root_of(parents, b)] = root_of(parents, a);
      if (bond == Bond::rigid)
        rigid.push_back({a, b, length(difference(probe.samples().front().here, probe.offset(a), probe.offset(b)))});
    }
  // The shortest rods that hold everything together: three points of a body need two, not three.
  std::ranges::stable_sort(rigid, {}, &Pair::distance);
  for (const Pair& pair : rigid) {
    const std::size_t a = root_of(parents, pair.a), b = root_of(parents, pair.b);
    if (a == b) continue;
    parents[b] = a;
    scene.shapes.push_back({ShapeKind::rod, scene.places[pair.b].name, pair.a, pair.b});
  }
}

std::optional<std::size_t> find_plane_normal(const Scene& scene, const SceneProbe& probe) {
  const double same = 1e-9 * std::max(probe.extent(), 1e-300);
  const auto stays = [&](std::size_t axis) {
    if (probe.samples().empty()) return false;
    const std::vector<double>& first = probe.samples().front().here;
    for (std::size_t i = 0; i < scene.places.size(); ++i) {
      const std::size_t at = probe.offset(i);
      for (const SceneProbe::Sample& sample : probe.samples())
        for (const std::vector<double>* values : {&sample.before, &sample.here, &sample.after}) {
          if (!(std::fabs((*values)[at + axis] - first[at + axis]) <= same)) return false;
          if (scene.places[i].rotation && !(std::fabs((*values)[at + 3 + 4 * axis]) >= 1 - 1e-9)) return false;
        }
    }
    return true;
  };
  for (const std::size_t axis : {2u, 1u, 0u})
    if (stays(axis)) return axis;
  return {};
}

}  // namespace dalembert
