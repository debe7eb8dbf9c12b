#pragma once
// All sign changes of functions of time, without a number of samples on which it depends what is seen: a stretch is
// decided where a function has bounds without zero, or a derivative that has; else it is halved (numerics 5).

#include <algorithm>
#include <functional>
#include <optional>

#include "simulate/march/stretch.hpp"

namespace dalembert {

class RootSearch {
 public:
  /// Functions are these programs of the inputs; without one they are the inputs themselves.
  RootSearch(std::size_t inputs, Enclosing program);
  explicit RootSearch(std::size_t inputs);

  /// Inputs at a time.
  using Sample = std::function<void(double t, std::span<double> inputs)>;
  /// Which way a function goes where it is looked at; 0: nothing is known, the stretch is as short as they get.
  using Look = std::function<void(std::size_t function, double left, double right, int way)>;

  bool reads(std::size_t input) const { return !program_ || program_->reads(input); }
  /// Looks wherever one of these functions plus its shift may change its sign, from left to right: once at most in each
  /// such place. Elsewhere they do not.
  void find(double from, double to, std::span<const std::size_t> functions, std::span<const double> shifts,
            const Sample& sample, const Look& look);
  /// Nothing after t is wanted any more.
  void stop_at(double t) { horizon_ = std::min(horizon_, t); }
  /// Whether a function was so near zero, with all its bends, that nothing could be told from samples.
  bool gave_up(std::size_t function) const { return gave_up_[function]; }
  /// And what was known of its values then: rounding, and what the polynomials of its inputs leave out.
  double blur(std::size_t function) const { return blurs_[function]; }
  /// A function that was given up is looked at in few places only from here on, or again as any other.
  void expect_to_give_up(std::size_t function, bool expected) { hopeless_[function] = expected; }

 private:
  static constexpr int most_failures = 100;
  struct Part {
    double left, right;     // times
    double middle, radius;  // on the stretch at hand
    std::size_t stretch;
    int level;
  };

  void fit(double left, double right, std::size_t stretch, const Sample& sample);
  void enclose(const Part& part);
  Enclosure of(std::size_t function, const Part& part) const;
  bool is_coarse(const Part& part, std::size_t first, std::size_t last) const;
  /// Of the functions undecided_[first..last).
  void search(Part part, std::size_t first, std::size_t last, const Sample& sample, const Look& look);
  void decide(const Part& part, std::size_t first, std::size_t last, const Look& look);
  bool is_last(const Part& part) const;

  std::optional<Enclosing> program_;
  std::vector<std::size_t> read_;   // inputs
  std::vector<Stretch> stretches_;  // each inside the one before
  std::vector<double> inputs_;
  std::vector<std::size_t> undecided_;  // of each level behind those of the level above
  std::vector<int> failures_;           // by function: tiny parts that stayed undecided
  std::vector<double> blurs_;           // and what was known of it in them
  std::vector<bool> gave_up_, hopeless_;
  std::span<const double> shifts_;
  double horizon_ = 0, shortest_ = 0;
};

}  // namespace dalembert
