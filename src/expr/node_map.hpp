#pragma once
// Values for some nodes of a graph, found without a walk over it: for passes that are given a list of symbols.

#include <bit>
#include <dalembert/expr/expr.hpp>

namespace dalembert {

/// Open addressing over flat memory, with room for as many nodes as are told beforehand.
template <class T>
class NodeMap {
 public:
  explicit NodeMap(std::size_t most = 0)
      : slots_(std::bit_ceil(2 * most + 1)), shift_(64 - std::countr_zero(slots_.size())) {}

  void set(NodeId id, const T& value) { slots_[place(id)] = {id + 1, value}; }
  /// Null where nothing was set.
  const T* find(NodeId id) const {
    const Slot& slot = slots_[place(id)];
    return slot.key == 0 ? nullptr : &slot.value;
  }

 private:
  struct Slot {
    NodeId key = 0;  // a node and one; 0 is empty
    T value{};
  };

  std::size_t place(NodeId id) const {
    std::size_t at = shift_ == 64 ? 0 : (id * 0x9e3779b97f4a7c15u) >> shift_;
    while (slots_[at].key != 0 && slots_[at].key != id + 1) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<Slot> slots_;
  int shift_;
};

}  // namespace dalembert
