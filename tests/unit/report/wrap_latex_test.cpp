// Formulas in LaTeX that are wider than a page.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/expr/display.hpp>
#include <regex>

#include "report/scribe.hpp"

namespace dalembert {
namespace {

constexpr double page = 60;

std::vector<std::string> lines_of(const std::string& wrapped) {
  std::vector<std::string> lines;
  std::stringstream stream(wrapped);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(std::regex_replace(
        line, std::regex(R"(\\begin\{aligned\}\[t\] & | *& \\quad\{\}| \\\\$| \\end\{aligned\})"), ""));
  return lines;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

std::string sum_of(int terms) {
  std::string text = "a_{0} x";
  for (int k = 1; k < terms; ++k) text += (k % 3 == 0 ? " - a_{" : " + a_{") + std::to_string(k) + "} x";
  return text;
}

/// Joined again and with brackets as they were, it is the formula; no line is wider than a page.
void expect_broken(const std::string& formula) {
  const std::vector<std::string> lines = lines_of(wrap_latex(formula));
  EXPECT_GT(lines.size(), 1u) << formula;
  std::string joined;
  for (const std::string& line : lines) {
    EXPECT_LE(latex_width(line), page) << line;
    EXPECT_EQ(count(line, "\\left("), count(line, "\\right)")) << line;
    joined += line;
  }
  joined = std::regex_replace(joined, std::regex(R"(\\bigl\()"), "\\left(");
  joined = std::regex_replace(joined, std::regex(R"(\\bigr\))"), "\\right)");
  EXPECT_EQ(joined, formula);
}

TEST(WrapLatex, LeavesWhatFits) { EXPECT_EQ(wrap_latex(sum_of(8)), sum_of(8)); }

TEST(WrapLatex, BreaksBeforeSignsAndInsideLongBrackets) {
  expect_broken(sum_of(40));
  expect_broken("m \\left(" + sum_of(40) + "\\right) y");
  expect_broken("m \\left(" + sum_of(10) + " + k \\left(" + sum_of(40) + "\\right)\\right) \\left(u + v\\right)");
}

TEST(WrapLatex, ALongNumeratorStandsAfterItsDenominator) {
  const std::vector<std::string> lines = lines_of(wrap_latex("\\frac{" + sum_of(40) + "}{2 l}"));
  EXPECT_THAT(lines[0], testing::StartsWith("\\frac{1}{2 l} \\bigl(a_{0} x + a_{1} x"));
  EXPECT_THAT(lines.back(), testing::EndsWith("\\bigr)"));
  for (const std::string& line : lines) EXPECT_LE(latex_width(line), page) << line;
}

TEST(WrapLatex, AColumnIsAsWideAsItsWidestComponent) {
  const std::string column = "\\begin{pmatrix} " + sum_of(8) + " \\\\ " + sum_of(9) + " \\\\ 0 \\end{pmatrix}";
  EXPECT_EQ(wrap_latex(column), column);
  EXPECT_THAT(wrap_latex("\\begin{pmatrix} " + sum_of(40) + " \\\\ 0 \\\\ 0 \\end{pmatrix}"),
              testing::HasSubstr("\\begin{pmatrix} \\begin{aligned}[t]"));
}

TEST(LatexOfVectors, ACrossProductIsWrittenByItsSign) {
  const Shown inner = show_call("cross", {show_name("omega_B"), show_name("r")});
  EXPECT_EQ(to_latex(show_call("cross", {show_name("omega_B"), inner})),
            "\\omega_{B} \\times \\left(\\omega_{B} \\times r\\right)");
  EXPECT_EQ(to_latex(show_product({show_name("m"), inner})), "m \\left(\\omega_{B} \\times r\\right)");
  EXPECT_EQ(to_text(show_call("cross", {show_name("omega_B"), inner})), "cross(omega_B, cross(omega_B, r))");
}

TEST(LatexOfVectors, AnInnerProductIsWrittenByItsDot) {
  const Shown product = show_call("dot", {show_name("i_B"), show_sum({show_name("v"), show_name("w")})});
  EXPECT_EQ(to_latex(product), "i_{B} \\cdot \\left(v + w\\right)");
  EXPECT_EQ(to_text(product), "dot(i_B, v + w)");
}

TEST(LatexOfNames, WordsThatBelongTogetherStayTogether) {
  EXPECT_EQ(to_latex(show_name("velocity(front_wheel, contact).x")),
            "\\mathit{velocity}_{\\mathit{front\\_wheel},\\mathit{contact},x}");
  EXPECT_EQ(to_latex(show_name("a_b_c")), "a_{b,c}");
  EXPECT_EQ(to_latex(show_name("q_ab_2")), "q_{\\mathit{ab},2}");
  EXPECT_NE(to_latex(show_name("a_")), to_latex(show_name("a__")));
}

}  // namespace
}  // namespace dalembert
