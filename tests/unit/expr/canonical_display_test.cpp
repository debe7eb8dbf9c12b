#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>
#include <fstream>
#include <sstream>

#include "support/paths.hpp"

using namespace dalembert;

namespace {

std::string golden_path(const std::string& name) {
  return std::string(testing_support::tests_folder) + "/golden/display/" + name;
}

/// Compares with the golden file; with DALEMBERT_UPDATE_GOLDEN=1 in the environment, writes it.
void expect_golden(const std::string& name, const std::string& text) {
  if (const char* update = std::getenv("DALEMBERT_UPDATE_GOLDEN"); update && std::string(update) == "1") {
    std::ofstream(golden_path(name)) << text;
    return;
  }
  std::ifstream file(golden_path(name));
  ASSERT_TRUE(file) << "cannot read " << golden_path(name);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << "golden file " << name << "; DALEMBERT_UPDATE_GOLDEN=1 rewrites it";
}

/// The form is the expression by proof, and by its value at a point; its text parses to that value.
void expect_same(Expr expression, const Displayed& displayed) {
  ASSERT_TRUE(displayed.complete) << displayed.remark;
  EXPECT_TRUE(are_equal(expression, displayed.expression)) << to_text(displayed);
  std::vector<Binding> point;
  double value = 0.3;
  for (const Expr& symbol : free_symbols({&expression, 1})) point.push_back({symbol, value += 0.17});
  double expected = evaluate(expression, point);
  Expr parsed = parse_expression(expression.graph(), to_text(displayed));
  EXPECT_NEAR(evaluate(displayed.expression, point), expected, 1e-12 * (1 + std::abs(expected)));
  EXPECT_NEAR(evaluate(parsed, point), expected, 1e-12 * (1 + std::abs(expected))) << to_text(displayed);
}

TEST(Display, FormulasReadAsTheGoldenFileSays) {
  std::ifstream file(golden_path("formulas.txt"));
  ASSERT_TRUE(file) << "cannot read " << golden_path("formulas.txt") << ", which also names the formulas";
  std::string text;
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("    ")) continue;
    Graph graph;
    Expr expression = parse_expression(graph, line);
    Displayed displayed = make_display(expression);
    expect_same(expression, displayed);
    ++count;
    text += line + "\n    " + to_text(displayed) + "\n    " + to_latex(displayed) + "\n";
  }
  EXPECT_GE(count, 25);
  expect_golden("formulas.txt", text);
}

TEST(Display, TheWantedFormsAreFound) {
  auto display = [](std::string_view formula) {
    Graph graph;
    return to_text(make_display(parse_expression(graph, formula)));
  };
  EXPECT_EQ(display("-m*m2/(m + m2)*(g*sin(al) + g*sin(be))"), "-m*m2*g*(sin(al) + sin(be))/(m + m2)");
  EXPECT_EQ(display("m*g*sin(al)^2 - m*g"), "-m*g*cos(al)^2");
  EXPECT_EQ(display("sin(a)*cos(b) + cos(a)*sin(b)"), "sin(a + b)");
}

TEST(Display, TheSignOfAWholeSumStandsBeforeBrackets) {
  for (const char* formula : {"-1 - x^2", "-x - y - z", "log(-1 - x)", "2/(-1 - x)", "(-1 - x)/y", "y*(-1 - x)"}) {
    Graph graph;
    Expr expression = parse_expression(graph, formula);
    Displayed displayed = make_display(expression);
    EXPECT_TRUE(are_equal(expression, displayed.expression)) << formula;
    EXPECT_TRUE(are_equal(expression, parse_expression(graph, to_text(displayed))))
        << formula << " reads " << to_text(displayed);
  }
  Graph graph;
  Displayed displayed = make_display(parse_expression(graph, "-1 - x^2"));
  EXPECT_EQ(to_text(displayed), "-(x^2 + 1)");
  EXPECT_EQ(to_latex(displayed), "-\\left(x^{2} + 1\\right)");
}

struct DoublePendulum {
  Graph g;
  Expr l1 = g.symbol("l1"), l2 = g.symbol("l2"), m1 = g.symbol("m1"), m2 = g.symbol("m2"), gravity = g.symbol("g");
  Expr a = g.symbol("a"), b = g.symbol("b"), da = g.symbol("a'"), db = g.symbol("b'");
  Expr first, second;

  /// From L = T - V in Cartesian coordinates, M q'' = h solved by Cramer's rule.
  DoublePendulum() {
    std::vector<Replacement> flow{{a, da}, {b, db}};
    auto dot = [&](Expr e) { return directional_derivative(e, flow); };
    Expr x1 = l1 * sin(a), y1 = -l1 * cos(a), x2 = x1 + l2 * sin(b), y2 = y1 - l2 * cos(b);
    Expr kinetic = m1 * (pow(dot(x1), 2) + pow(dot(y1), 2)) / 2 + m2 * (pow(dot(x2), 2) + pow(dot(y2), 2)) / 2;
    Expr lagrangian = kinetic - gravity * (m1 * y1 + m2 * y2);
    Expr q[] = {a, b}, rates[] = {da, db}, mass[2][2], force[2];
    for (int i = 0; i < 2; ++i) {
      Expr momentum = derivative(lagrangian, rates[i]);
      for (int j = 0; j < 2; ++j) mass[i][j] = derivative(momentum, rates[j]);
      force[i] = derivative(lagrangian, q[i]) - dot(momentum);
    }
    Expr determinant = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    first = (force[0] * mass[1][1] - force[1] * mass[0][1]) / determinant;
    second = (force[1] * mass[0][0] - force[0] * mass[1][0]) / determinant;
  }
};

TEST(Display, DoublePendulumInADifferenceAngle) {
  DoublePendulum p;
  Displayed first = make_display(p.first, {}, {.work = 2e9}), second = make_display(p.second, {}, {.work = 2e9});
  expect_same(p.first, first);
  expect_same(p.second, second);
  // The forms of the textbooks, with the denominator 2 m1 + m2 - m2 cos(2a - 2b) = 2 (m1 + m2 sin(a - b)^2).
  Expr textbook =
      parse_expression(p.g,
                       "(-g*(2*m1 + m2)*sin(a) - m2*g*sin(a - 2*b) - 2*sin(a - b)*m2*(b'^2*l2 + a'^2*l1*cos(a - b)))"
                       "/(l1*(2*m1 + m2 - m2*cos(2*a - 2*b)))");
  EXPECT_TRUE(are_equal(first.expression, textbook));
  expect_golden("double_pendulum.txt", "a'' = " + to_text(first) + "\nb'' = " + to_text(second) + "\n" +
                                           to_latex(first) + "\n" + to_latex(second) + "\n");
}

TEST(Display, TooLargeIsShownAsItIsAndSaysSo) {
  Graph g;
  Expr e = parse_expression(g, "(x + y + z)^1000000 + x");
  Displayed displayed = make_display(e);
  EXPECT_FALSE(displayed.complete);
  EXPECT_EQ(displayed.expression, e);
  EXPECT_FALSE(displayed.remark.empty());
  EXPECT_EQ(to_text(displayed), to_text(e));
  Displayed short_of_work = make_display(parse_expression(g, "sin(a)*cos(b) + cos(a)*sin(b)"), {}, {.work = 0});
  EXPECT_FALSE(short_of_work.complete);
}

TEST(Canonical, EqualExpressionsHaveOneForm) {
  const char* pairs[][2] = {
      {"(x + y)^2", "x^2 + 2*x*y + y^2"},
      {"sin(a + b)", "sin(a)*cos(b) + cos(a)*sin(b) + 0*sin(a)"},
      {"1/(sqrt(x) - sqrt(y))", "(sqrt(x) + sqrt(y))/(x - y)"},
      {"1/(sqrt(x^2 + 1) - x)", "sqrt(x^2 + 1) + x"},
      {"cos(x)^2/(1 + sin(x))", "1 - sin(x)"},
      {"tan(x)^2", "1/cos(x)^2 - 1"},
      {"sqrt(8)/sqrt(3)", "2*sqrt(6)/3"},
  };
  for (const auto& [left, right] : pairs) {
    Graph g;
    Displayed a = make_canonical(parse_expression(g, left)), b = make_canonical(parse_expression(g, right));
    ASSERT_TRUE(a.complete && b.complete);
    EXPECT_EQ(to_text(a), to_text(b)) << left;
    EXPECT_EQ(a.expression, b.expression) << left;
  }
}

TEST(Canonical, NoFormHasAZeroInItsDenominatorThatTheExpressionHasNot) {
  // Each at a point where what it divides by is not zero, but its conjugate is.
  const struct {
    const char *expression, *at, *value;
  } cases[] = {
      {"1/(1 + sin(x))", "x = pi/2", "1/2"},
      {"1/(sin(x)*cos(y) - cos(x)*sin(y))", "x = pi/6; y = -pi/6", "2/sqrt(3)"},
      {"sin(x + y)/(sin(x)*cos(y) - cos(x)*sin(y))", "x = pi/6; y = -pi/6", "0"},
      {"1/(a*cos(x) + b*sin(x))", "a = 1; b = 1; x = pi/4", "1/sqrt(2)"},
      {"1/(1 + sqrt(x))", "x = 1", "1/2"},
      {"1/(x + sqrt(y))", "x = 1; y = 1", "1/2"},
      {"(x - 2)/(x + sqrt(2))", "x = sqrt(2)", "(sqrt(2) - 2)/sqrt(8)"},
      {"y/(sin(x)*(2*sin(x) + 1))", "y = 1; x = pi/6", "1"},
  };
  for (const auto& [text, where, value] : cases) {
    Graph g;
    const Expr given = parse_expression(g, text);
    std::vector<Replacement> at;
    std::stringstream list(where);
    for (std::string name, equal, number; list >> name >> equal && std::getline(list, number, ';');)
      at.push_back({g.symbol(name), parse_expression(g, number)});
    for (const Displayed& form : {make_canonical(given), make_display(given)}) {
      ASSERT_TRUE(form.complete) << text;
      EXPECT_TRUE(are_equal(given, form.expression)) << to_text(form);
      EXPECT_TRUE(are_equal(substitute(form.expression, at), parse_expression(g, value))) << to_text(form);
    }
  }
}

TEST(Shown, BracketsAndSigns) {
  Shown x = show_name("x"), y = show_name("y");
  Shown difference = show_sum({x, show_product({show_number(-1), y})});
  EXPECT_EQ(to_text(difference), "x - y");
  EXPECT_EQ(to_text(show_product({show_number(-2), x, difference})), "-2*x*(x - y)");
  EXPECT_EQ(to_text(show_quotient(show_number(-1), show_product({x, y}))), "-1/(x*y)");
  EXPECT_EQ(to_text(show_power(difference, mpq_class(1, 2))), "sqrt(x - y)");
  EXPECT_EQ(to_text(show_power(show_power(x, 2), 3)), "(x^2)^3");
  EXPECT_EQ(to_text(show_power(show_quotient(x, y), mpq_class(1, 3))), "(x/y)^(1/3)");
  EXPECT_EQ(to_latex(show_quotient(x, y)), "\\frac{x}{y}");
  Graph g;
  EXPECT_EQ(to_expr(difference, g), g.symbol("x") - g.symbol("y"));
}

TEST(Display, OfHighDegreesIsStillEqual) {
  Graph g;
  Expr given = parse_expression(g, "(a^2 + b^2/c^2 - d^2)/(a^40000 + x/e^2)");
  std::vector<Binding> at{{g.symbol("a"), 0.5}, {g.symbol("b"), 0.7}, {g.symbol("c"), 1.3},
                          {g.symbol("d"), 0.4}, {g.symbol("x"), 1.1}, {g.symbol("e"), 0.9}};
  EXPECT_NEAR(evaluate(make_display(given).expression, at), evaluate(given, at), 1e-13);
}

}  // namespace
