#pragma once
// Where a graph looks for a node that it may have already.

#include <dalembert/expr/expr.hpp>

namespace dalembert {

inline std::uint32_t mix(std::uint32_t hash, std::uint32_t value) {
  hash ^= value + 0x9e3779b9u + (hash << 6) + (hash >> 2);
  return hash * 0x85ebca6bu;
}

// The table has pairs of a hash and a node, in groups of a line of the processor's cache. A node is in the group of the
// latest of its children, as long as there is room: what is built of nodes made lately is looked for where those were
// looked for, and not somewhere in a table that no cache holds. What finds no room is where its hash says.
constexpr std::size_t group_size = 16;  // numbers: 8 pairs

struct TablePlace {
  std::size_t slot;  // of the hash; the node is beside it
  bool found;
};

template <class Matches>
TablePlace find_place(const std::vector<NodeId>& table, std::uint32_t hash, NodeId latest, const Matches& matches) {
  const std::size_t mask = table.size() / group_size - 1, step = hash >> 16 | 1;  // odd: it comes to every group
  std::size_t group = latest == 0 ? hash : latest / 4;  // there are at most four nodes to a group
  for (bool by_hash = latest == 0;; group = by_hash ? group + step : hash, by_hash = true) {
    const std::size_t begin = (group & mask) * group_size;
    for (std::size_t slot = begin; slot < begin + group_size; slot += 2) {
      const NodeId entry = table[slot + 1];
      if (entry == 0) return {slot, false};
      if (table[slot] == hash && matches(entry - 1)) return {slot, true};
    }
  }
}

}  // namespace dalembert
