#pragma once
// Formulas that are text already, as LaTeX.

#include <string>
#include <vector>

namespace dalembert {

/// A formula's text in LaTeX for math mode, parts in the order in which they stand.
std::string text_to_latex(const std::string& formula);

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
