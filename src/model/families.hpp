#pragma once
// Families: [repeat] and the integer arithmetic of {...} in names and formulas.

#include <dalembert/model/description.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace dalembert {

struct FamilyIndex {
  std::string name;
  long value;
};
using Indices = std::vector<FamilyIndex>;  ///< innermost last
inline const Indices no_indices;

/// "(k = 3, j = 1)", or nothing.
std::string to_text(const Indices& indices);

/// One entry of a table after expansion.
template <class T>
struct Member {
  std::string name;
  const Named<T>* entry;
  Indices indices;
};

/// Errors are FormulaErrors whose place counts within the text given, or is unknown.
class Families {
 public:
  Families(const Description& description, const Overrides& overrides);

  /// Every {...} replaced by its value.
  std::string expand(const std::string& text, const Indices& indices);
  /// The value of a text that is one {...} and nothing else.
  std::optional<long> number(const std::string& text, const Indices& indices);
  /// An integer formula, as the bounds of sum(k, 1, N, ...).
  long integer(const Formula& formula, std::uint32_t root, const Indices& indices);

  /// The indices of [repeat] that a name contains, in the order of their first occurrence.
  std::vector<std::string> indices_in(const std::string& name);
  struct Range {
    long first, last;
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  };
  const Range* find_range(const std::string& index) const;
  /// Every combination of the indices' values, the last index fastest; no indices give one combination.
  std::vector<Indices> combinations(const std::vector<std::string>& indices) const;
  /// A parameter whose value has been asked for, and so is in what was made.
  bool has_read(const std::string& parameter) const { return values_.contains(parameter); }
  bool is_index(const std::string& name) const { return find_range(name) != nullptr; }

 private:
  struct Template {
    std::vector<std::string> literals;  // one more than holes
    std::vector<Formula> holes;
  };
  const Template& parse_template(const std::string& text);
  void read_ranges();
  long bound(const Text& text, const std::string& key);
  mpq_class evaluate(const Formula& formula, std::uint32_t root, const Indices& indices);
  mpq_class parameter(const SyntaxNode& name);

  const Description& description_;
  std::unordered_map<std::string, const Text*> parameters_;  // plain ones, overrides in place
  std::vector<Text> overridden_;
  std::unordered_map<std::string, mpq_class> values_;
  std::vector<std::string> busy_;
  std::vector<std::pair<std::string, Range>> ranges_;
  std::unordered_map<std::string, Template> templates_;
};

}  // namespace dalembert
