#pragma once
// Where a graph looks for a node that it may have already.

#include <dalembert/expr/expr.hpp>

namespace dalembert {

inline std::uint32_t mix(std::uint32_t hash, std::uint32_t value) {
  hash ^= value + 0x9e3779b9u + (hash << 6) + (hash >> 2);
  return hash * 0x85ebca6bu;
}

inline bool NodeTable::fits(Slot& slot, std::uint32_t hash, const auto& matches, Place& place) {
  if (slot.node != 0 && (slot.hash != hash || !matches(slot.node - 1))) return false;
  place = {&slot, slot.node != 0};
  return true;
}

/// The node of which matches(node) is true, or where it belongs until another is entered.
template <class Matches>
NodeTable::Place NodeTable::find(std::uint32_t hash, NodeId latest, const Matches& matches) {
  Place place{};
  if (latest != 0) {
    Slot* const group = near_.data() + latest / nodes_to_a_group * group_size;
    for (std::size_t i = 0; i < group_size; ++i)
      if (fits(group[i], hash, matches, place)) return place;
  }
  const std::size_t mask = far_.size() - 1;
  for (std::size_t i = hash & mask; !fits(far_[i], hash, matches, place); i = (i + 1) & mask) {
  }
  return place;
}

}  // namespace dalembert
