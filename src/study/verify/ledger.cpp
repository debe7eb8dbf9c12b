#include <algorithm>

#include "study/verify/verify.hpp"

namespace dalembert {

void Tally::add(double difference, double bound, const std::string& where) {
  if (!std::isfinite(bound)) return;
  double size = std::abs(difference);
  bool agrees = size <= bound;  // false for NaN
  // Ratios compared without dividing by a bound of zero.
  const bool trivial = result_.ok && result_.largest == 0 && result_.bound == 0;  // says nothing yet
  bool worse = !used_ || trivial || std::isnan(size) || size * result_.bound > result_.largest * bound ||
               (result_.ok && !agrees);
  used_ = true;
  if (std::isnan(result_.largest) || !worse || (!result_.ok && agrees)) return;
  result_.largest = size;
  result_.bound = bound;
  result_.ok = agrees;
  result_.where = where;
}

Tally& Ledger::operator()(const std::string& quantity, const std::string& a, const std::string& b) {
  auto found = std::ranges::find_if(tallies_, [&](const auto& tally) {
    const Agreement& known = tally->result();
    return known.quantity == quantity && known.between[0] == a && known.between[1] == b;
  });
  if (found != tallies_.end()) return **found;
  tallies_.push_back(std::make_unique<Tally>(quantity, a, b));
  return *tallies_.back();
}

std::vector<Agreement> Ledger::agreements() const {
  std::vector<Agreement> result;
  for (const auto& tally : tallies_)
    if (tally->used()) result.push_back(tally->result());
  return result;
}

double draw(Random& random) {
  double size = std::uniform_real_distribution<double>(0.5, 1.5)(random);
  return random() % 2 == 0 ? size : -size;
}

}  // namespace dalembert
