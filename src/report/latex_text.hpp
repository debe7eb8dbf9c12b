#pragma once
// Formulas that are text already, as LaTeX.

#include <dalembert/expr/display.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// A formula's text as notation, parts in the order in which they stand. FormulaError where it is none.
Shown text_to_shown(const std::string& formula);
/// The same in LaTeX for math mode.
std::string text_to_latex(const std::string& formula);

/// A name, of a symbol or call of dalembert's, in LaTeX.
std::string name_to_latex(const std::string& name);
/// A number as it stands in text, 1.5e-7 as 1.5 times a power of ten.
std::string number_to_latex(double value, int digits = 10);
/// Words as LaTeX sets them, inside \text{...} or by themselves: its special characters spelled.
std::string words_to_latex(std::string_view text);
/// beta(mu, nu, rho), and dL/domega, of a frame's velocities.
std::string bracket_latex(const std::string& mu, const std::string& nu, const std::string& rho);
std::string momentum_latex(const std::string& velocity);
/// F(on, of), or M(on, of) for a couple: what is named after two things is told from one name with a _ in it.
std::string force_latex(bool is_couple, const std::string& on, const std::string& of = {});

/// Lines of `align`: left and right side of each, wide right sides broken.
class LatexLines {
 public:
  void add(const std::string& left, const std::string& right);
  /// "% ..." before the lines.
  void remark(const std::string& text);
  std::string text() const;

 private:
  std::vector<std::string> lines_;
  std::string remarks_;
};

}  // namespace dalembert
