#pragma once
// Many equations that differ in an index only, as one.

#include <dalembert/mechanics/equations.hpp>
#include <functional>

namespace dalembert {

/// Equations with the same text but for an index: x{k}: ... {k-1} ... for k from `first` to `last`. A single one has no
/// index.
struct EquationFamily {
  std::vector<std::size_t> members;
  long first = 0, last = 0;
  bool has_index() const { return members.size() > 1; }
};

/// Terms with their signs between them.
std::string join_terms(const std::vector<std::string>& terms);

class Families {
 public:
  /// Families are those whose names the model's coordinates and constraints show: x1, x2, x3.
  explicit Families(const Model& model);

  /// The index of a name of a family: 12 of x12'.
  std::optional<long> index_of(const std::string& name) const;
  /// Names of families with their index as {k}, {k+1}, {k-1}.
  std::string with_index(const std::string& text, long k) const;
  /// Groups of equal texts, in the order of their first members. Only indices without a gap make one.
  std::vector<EquationFamily> group(const std::vector<std::string>& names, const std::vector<std::string>& texts) const;
  /// The sum of these terms; those that differ in an index only once, as sum(k = 1..9, m*x{k}^2).
  std::string write_sum(const std::vector<std::string>& terms) const;

 private:
  /// The first name of a family in a text.
  std::string first_member(const std::string& text) const;

  std::unordered_map<std::string, std::size_t> stems_;
};

}  // namespace dalembert
