#include "simulate/march/root_search.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <limits>
#include <numeric>

namespace dalembert {
namespace {

constexpr std::size_t most_stretches = 12;  // inside each other: then parts of the last are made smaller only
constexpr int last_level = 40;              // halvings: what a smooth function does in less is rounding
constexpr double matters = 1.0 / 16;        // what polynomials leave out, of a function's range
constexpr int deep_level = 26;              // here zeros of a smooth function part by the root of rounding
constexpr int coarse_level = 4;             // halvings where nothing can be told
constexpr double work_of_a_part = 250;      // two or three microseconds, with what is looked at in it

}  // namespace

RootSearch::RootSearch(std::size_t inputs, Enclosing program) : program_(std::move(program)), inputs_(inputs) {
  for (std::size_t i = 0; i < inputs; ++i) {
    if (program_->reads(i)) read_.push_back(i);
  }
  stretches_.assign(most_stretches, Stretch(read_.size()));
  failures_.assign(program_->output_count(), 0);
  blurs_.assign(failures_.size(), 0.0);
  gave_up_.assign(failures_.size(), false);
  hopeless_.assign(failures_.size(), false);
  undecided_.reserve(failures_.size() * (last_level + 2));
}

RootSearch::RootSearch(std::size_t inputs)
    : read_(inputs),
      stretches_(most_stretches, Stretch(inputs)),
      inputs_(inputs),
      failures_(inputs, 0),
      blurs_(inputs, 0.0),
      gave_up_(inputs, false),
      hopeless_(inputs, false) {
  std::iota(read_.begin(), read_.end(), std::size_t{0});
  undecided_.reserve(inputs * (last_level + 2));
}

void RootSearch::fit(double left, double right, std::size_t stretch, const Sample& sample) {
  for (std::size_t j = 0; j < Stretch::nodes; ++j) {
    sample(Stretch::node(j, left, right), inputs_);
    for (std::size_t k = 0; k < read_.size(); ++k) stretches_[stretch].set(k, j, inputs_[read_[k]]);
  }
  stretches_[stretch].fit();
}

void RootSearch::find(double from, double to, std::span<const std::size_t> functions, std::span<const double> shifts,
                      const Sample& sample, const Look& look) {
  if (functions.empty() || !(to > from)) return;
  horizon_ = std::numeric_limits<double>::infinity();
  shortest_ = std::max(std::ldexp(to - from, -last_level), 2e-15 * std::max(std::abs(from), std::abs(to)));
  shifts_ = shifts;
  std::fill(blurs_.begin(), blurs_.end(), 0.0);
  std::fill(gave_up_.begin(), gave_up_.end(), false);
  for (std::size_t f = 0; f < failures_.size(); ++f) failures_[f] = hopeless_[f] ? most_failures : 0;
  undecided_.assign(functions.begin(), functions.end());
  fit(from, to, 0, sample);
  search({from, to, 0, 1, 0, 0}, 0, functions.size(), sample, look);
}

void RootSearch::enclose(const Part& part) {
  if (!program_) return;
  for (std::size_t k = 0; k < read_.size(); ++k)
    program_->inputs()[read_[k]] = stretches_[part.stretch].over(k, part.middle, part.radius);
  program_->run(part.radius);
}

Enclosure RootSearch::of(std::size_t function, const Part& part) const {
  return program_ ? program_->output(function) : stretches_[part.stretch].over(function, part.middle, part.radius);
}

/// Whether nodes of its own would tell more of a part: for some function that is undecided there, what the polynomials
/// leave out matters beside what the function does.
bool RootSearch::is_coarse(const Part& part, std::size_t first, std::size_t last) const {
  const Stretch& stretch = stretches_[part.stretch];
  if (part.radius == 1 || part.stretch + 1 == most_stretches || is_last(part)) return false;
  if (stretch.is_broken()) return true;
  if (stretch.is_exact()) return false;
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t f = undecided_[k];
    const Enclosure bounds = of(f, part);
    if (!bounds.range.contains(-shifts_[f]) || !bounds.slope.contains(0)) continue;
    if (bounds.middle.high - bounds.middle.low > matters * (bounds.range.high - bounds.range.low)) return true;
  }
  return false;
}

bool RootSearch::is_last(const Part& part) const {
  if (part.right - part.left <= shortest_) return true;
  return part.level >= coarse_level && stretches_[part.stretch].is_broken();
}

/// Functions that may vanish without a derivative of one sign are put behind the others as undecided.
void RootSearch::decide(const Part& part, std::size_t first, std::size_t last, const Look& look) {
  const bool is_end = is_last(part);
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t f = undecided_[k];
    const Enclosure bounds = of(f, part);
    if (bounds.range.low > -shifts_[f] || bounds.range.high < -shifts_[f]) continue;
    if (bounds.slope.is_positive() || bounds.slope.is_negative()) {
      look(f, part.left, part.right, bounds.slope.is_positive() ? 1 : -1);
    } else if (is_end || (part.level >= coarse_level && failures_[f] >= most_failures)) {
      look(f, part.left, part.right, 0);
      if (++failures_[f] >= most_failures) gave_up_[f] = true;
      if (std::isfinite(bounds.middle.high - bounds.middle.low))
        blurs_[f] = std::max(blurs_[f], bounds.middle.high - bounds.middle.low);
    } else {
      undecided_.push_back(f);
      if (part.level >= deep_level) ++failures_[f];
    }
  }
}

void RootSearch::search(Part part, std::size_t first, std::size_t last, const Sample& sample, const Look& look) {
  if (part.left >= horizon_) return;
  spend_work(work_of_a_part);
  enclose(part);
  const std::size_t size = undecided_.size();
  if (is_coarse(part, first, last)) {
    ++part.stretch;
    part.middle = 0;
    part.radius = 1;
    fit(part.left, part.right, part.stretch, sample);
    enclose(part);
  }
  decide(part, first, last, look);
  const std::size_t end = undecided_.size();
  if (end > size) {
    const double half = part.radius / 2, between = part.left + (part.right - part.left) / 2;
    search({part.left, between, part.middle - half, half, part.stretch, part.level + 1}, size, end, sample, look);
    search({between, part.right, part.middle + half, half, part.stretch, part.level + 1}, size, end, sample, look);
  }
  undecided_.resize(size);
}

}  // namespace dalembert
