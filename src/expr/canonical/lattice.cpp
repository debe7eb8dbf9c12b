#include "expr/canonical/lattice.hpp"

#include <algorithm>

namespace dalembert::canonical {
namespace {

void add_multiple(Combination& to, const Combination& what, const mpq_class& factor) {
  for (const auto& [term, coefficient] : what) {
    mpq_class& entry = to[term];
    entry += factor * coefficient;
    if (sgn(entry) == 0) to.erase(term);
  }
}

mpq_class rational_gcd(const mpq_class& a, const mpq_class& b) {
  mpq_class result(gcd(a.get_num() * b.get_den(), b.get_num() * a.get_den()), a.get_den() * b.get_den());
  result.canonicalize();
  return result;
}

/// The highest term, of several the oldest.
NodeId lead_of(const Combination& row, const Heights& heights) {
  auto height = [&](NodeId term) {
    auto found = heights.find(term);
    return found == heights.end() ? 0u : found->second;
  };
  NodeId lead = row.begin()->first;
  for (const auto& entry : row)
    if (height(entry.first) > height(lead)) lead = entry.first;
  return lead;
}

/// Row echelon form over the integers (Euclid on each column), rows by their leading terms.
std::vector<Combination> echelon(std::vector<Combination> rows, const Heights& heights) {
  std::vector<Combination> done;
  std::erase_if(rows, [](const Combination& row) { return row.empty(); });
  while (!rows.empty()) {
    Combination leads;
    for (const Combination& row : rows) leads[lead_of(row, heights)] = 1;
    const NodeId column = lead_of(leads, heights);
    auto size = [&](const Combination& row) {
      auto entry = row.find(column);
      return entry == row.end() ? mpq_class(0) : mpq_class(abs(entry->second));
    };
    for (;;) {
      std::size_t pivot = rows.size();
      bool alone = true;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (size(rows[i]) == 0) continue;
        if (pivot != rows.size()) alone = false;
        if (pivot == rows.size() || size(rows[i]) < size(rows[pivot])) pivot = i;
      }
      if (alone) {
        done.push_back(rows[pivot]);
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(pivot));
        break;
      }
      Combination row = rows[pivot];
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (i != pivot && size(rows[i]) != 0)
          add_multiple(rows[i], row, -mpq_class(rounded_down(rows[i][column] / row[column])));
      std::erase_if(rows, [](const Combination& r) { return r.empty(); });
    }
  }
  return done;
}

/// a = factor * b, if so.
std::optional<mpq_class> ratio(const Combination& a, const Combination& b) {
  if (a.size() != b.size() || a.empty()) return {};
  mpq_class factor = a.begin()->second / b.begin()->second;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
    if (i->first != j->first || i->second != factor * j->second) return {};
  return factor;
}

std::vector<Combination> directions(const std::vector<Combination>& rows) {
  std::vector<Combination> result;
  for (const Combination& row : rows) {
    bool found = false;
    for (Combination& atom : result) {
      std::optional<mpq_class> factor = ratio(row, atom);
      if (!factor) continue;
      mpq_class unit = rational_gcd(*factor, 1);
      for (auto& entry : atom) entry.second *= unit;
      found = true;
      break;
    }
    if (!found && !row.empty()) result.push_back(row);
  }
  return result;
}

}  // namespace

mpz_class rounded_down(const mpq_class& value) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return whole;
}

AtomBasis::AtomBasis(std::vector<Combination> combinations, bool shared, const Heights& heights)
    : shared_(shared), atoms_(shared ? echelon(std::move(combinations), heights) : directions(combinations)) {
  for (const Combination& atom : atoms_) leads_.push_back(lead_of(atom, heights));
}

void AtomBasis::change(std::size_t first, std::size_t second, int times) {
  if (shared_ && first < second && second < atoms_.size()) add_multiple(atoms_[first], atoms_[second], times);
}

std::optional<std::vector<std::pair<std::size_t, mpz_class>>> AtomBasis::express(const Combination& combination) const {
  std::vector<std::pair<std::size_t, mpz_class>> result;
  Combination rest = combination;
  for (std::size_t i = 0; i < atoms_.size() && !rest.empty(); ++i) {
    mpq_class factor;
    if (shared_) {
      auto entry = rest.find(leads_[i]);
      if (entry == rest.end()) continue;
      factor = entry->second / atoms_[i].at(leads_[i]);
    } else {
      std::optional<mpq_class> found = ratio(rest, atoms_[i]);
      if (!found) continue;
      factor = *found;
    }
    if (factor.get_den() != 1) return {};
    add_multiple(rest, atoms_[i], -factor);
    result.emplace_back(i, factor.get_num());
  }
  if (!rest.empty()) return {};
  return result;
}

}  // namespace dalembert::canonical
