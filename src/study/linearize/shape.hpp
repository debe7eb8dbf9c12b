#pragma once
// Which coordinates the reduced equations depend on, seen from their slopes at several states.

#include "study/linearize/reduce.hpp"

namespace dalembert {

/// The free places (inputs passed over; time and coordinates by index) that w' depends on at any of these states, and
/// those that the rates of such coordinates depend on: the others are carried along. Ascending.
std::vector<std::size_t> find_shape(const std::vector<Reduced>& at, std::size_t extra);

/// Marks every component whose column reaches a marked row.
void add_what_acts(const NumberMatrix& a, std::vector<bool>& marked);

/// Numbers between -1 and 1, the same in every run.
class Sampler {
 public:
  explicit Sampler(std::uint64_t seed = 1) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

}  // namespace dalembert
