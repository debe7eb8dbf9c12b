#pragma once
// Expressions as text. What people read in simplified form is display.hpp; here expressions stand as the graph has
// them.

#include <dalembert/expr/expr.hpp>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// A shared graph may be exponentially long when written out: longer texts are refused with an InputError.
struct PrintLimits {
  std::size_t characters = 1'000'000;
};

/// The notation of formulas. parse_expression of it in the same graph gives the same node, provided that the names of
/// its symbols are names of formulas, not reserved ones.
std::string to_text(Expr expression, const PrintLimits& limits = {});
/// LaTeX for math mode: Greek names, subscripts, dots, fractions.
std::string to_latex(Expr expression, const PrintLimits& limits = {});
/// Names that LaTeX would show alike, a1 and a_1, theta and θ, are told apart in what this thread writes while the
/// outermost of these is alive: one keeps the notation, the others stand as they are spelled.
class LatexNames {
 public:
  LatexNames();
  ~LatexNames();
  LatexNames(const LatexNames&) = delete;
  LatexNames& operator=(const LatexNames&) = delete;

  /// All that was written has names that differ. If not, it is to be written again.
  bool settle();
  /// These names count as written.
  static void mention(std::span<const std::string> names);
  /// How this name without primes stands: `usual`, or as it is spelled.
  static std::string show(const std::string& name, std::string usual);

 private:
  LatexNames* outer_;
  std::map<std::string, std::set<std::string>> names_;  // of what is shown
  std::set<std::string> spelled_;
};

/// What `write` gives, with names that differ from each other and from those of `others`.
template <class Write>
auto with_distinct_names(const Write& write, std::span<const std::string> others = {}) {
  LatexNames names;
  while (true) {
    LatexNames::mention(others);
    auto written = write();
    if (names.settle()) return written;
  }
}

/// A C expression of doubles, for reading: primes in names become _dot, sign is a function that the reader provides.
/// Whole programs are written by program.hpp.
std::string to_c(Expr expression, const PrintLimits& limits = {});

/// Expressions with their shared parts named, so that its length is proportional to the number of nodes.
struct Listing {
  struct Definition {
    std::string name;  ///< "_1", "_2", ...: more underscores where symbols have such names
    std::string text;  ///< reads symbols and earlier definitions
  };
  std::vector<Definition> definitions;
  std::vector<std::string> results;
};

/// Refuses what would exceed the limit in all, which only huge numbers can cause.
Listing make_listing(std::span<const Expr> expressions, const PrintLimits& limits = {100'000'000});
/// One definition "_1 = ..." a line, then one result a line.
std::string to_text(const Listing& listing);
std::string to_text(std::span<const Expr> expressions);
/// Reads such lines back into the same nodes. Throws FormulaError with the line of the listing.
std::vector<Expr> parse_listing(Graph& graph, std::string_view text);

}  // namespace dalembert
