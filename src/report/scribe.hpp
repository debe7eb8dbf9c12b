#pragma once
// Formulas for people, simplified within an allowance of work, and laid out on lines.

#include <array>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace dalembert {

/// Simplifies with so much work for each formula and for all; what comes too late or is too large is written as it is.
/// A formula that comes again is not simplified again, with other names neither.
class Scribe {
 public:
  enum class Style : std::uint8_t { text, latex };
  /// Work for one formula and for all; characters of one formula, more than which are an error.
  struct Allowance {
    double one, all;
    std::size_t characters = 1'000'000;
  };
  Scribe(Style style, const Allowance& allowance) : style_(style), allowance_(allowance), work_(allowance.all) {}

  Style style() const { return style_; }
  /// Terms that read one of the names `first` come first, in this order.
  std::string operator()(Expr expression, std::span<const std::string> first = {});
  /// The same as a tree of notation; none where it was not simplified.
  std::optional<Shown> show(Expr expression, std::span<const std::string> first = {});
  std::string operator()(const Shown& shown) const;
  /// A name as the style shows a symbol.
  std::string name(const std::string& name) const;
  /// As it stands in the graph.
  std::string plain(Expr expression) const;
  std::size_t unsimplified() const { return unsimplified_; }

 private:
  struct Simplified {
    std::vector<std::string> names;  // of its symbols, in order of age
    std::optional<Shown> shown;
  };
  std::optional<Shown> simplify(Expr expression);
  Shown simplify_terms(Expr expression);

  Style style_;
  Allowance allowance_;
  Work work_;
  std::size_t unsimplified_ = 0;
  std::map<std::string, Simplified> simplified_;  // by what formulas are but for names
};

/// Nodes written out: no simplification makes that short.
inline constexpr double hopeless_size = 5000;

/// All components of a vector have formulas.
inline bool is_readable(const std::array<std::string, 3>& formula) {
  return !formula[0].empty() && !formula[1].empty() && !formula[2].empty();
}

/// Longest line of text, and about that of a page of LaTeX.
inline constexpr std::size_t widest_line = 160;

/// A line of text broken where it is too long: after commas and before plus and minus signs, at the outermost brackets
/// that do. What follows is indented by four spaces more than the first line is.
std::string wrap_text(const std::string& line);
/// The same for each line of a text.
std::string wrap_lines(const std::string& text);
/// The right side of an equation in LaTeX, broken at the sums outside all brackets where it is wider than a page; with
/// `aligned` around it then.
std::string wrap_latex(const std::string& formula);
/// Brackets \left( and \right) of factors that are no higher than a line as ( and ).
std::string plain_brackets(const std::string& latex);
/// How wide a formula stands on paper, in signs of ordinary width, about.
double latex_width(const std::string& formula);

}  // namespace dalembert
