#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/expr/formula.hpp>

using namespace dalembert;

namespace {

using testing::HasSubstr;

Complaint complaint_of(std::string_view text, bool relation = false) {
  Graph g;
  try {
    Formula formula = parse_syntax(text, relation);
    interpret(formula, formula.left, plain_scope(g));
  } catch (const FormulaError& error) {
    return error.complaint();
  }
  ADD_FAILURE() << "no error in: " << text;
  return {};
}

void expect_error(std::string_view text, std::size_t column, std::string_view problem, std::string_view remedy = "") {
  Complaint complaint = complaint_of(text);
  EXPECT_EQ(complaint.place.line, 1u) << text;
  EXPECT_EQ(complaint.place.column, column) << text;
  EXPECT_THAT(complaint.problem, HasSubstr(std::string(problem))) << text;
  EXPECT_THAT(complaint.remedy, HasSubstr(std::string(remedy))) << text;
}

class Parser : public testing::Test {
 protected:
  Expr parse(std::string_view text) { return parse_expression(g, text); }
  Expr number(const char* text) { return g.constant(mpq_class(text)); }

  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
};

TEST_F(Parser, NumbersAreExact) {
  EXPECT_EQ(parse("0.1"), number("1/10"));
  EXPECT_EQ(parse("1e-3"), number("1/1000"));
  EXPECT_EQ(parse("1.25E+2"), number("125"));
  EXPECT_EQ(parse(".5"), number("1/2"));
  EXPECT_EQ(parse("5."), number("5"));
  EXPECT_EQ(parse("0.1 + 0.2"), number("3/10"));
  EXPECT_EQ(parse("1/3"), number("1/3"));
  EXPECT_EQ(parse("00012"), number("12"));
}

TEST_F(Parser, PrecedenceIsThatOfMathematics) {
  EXPECT_EQ(parse("-x^2"), -pow(x, 2));
  EXPECT_EQ(parse("2^-1"), number("1/2"));
  EXPECT_EQ(parse("x^y^z"), pow(x, pow(y, z)));
  EXPECT_EQ(parse("(x^y)^z"), pow(pow(x, y), z));
  EXPECT_EQ(parse("x - y - z"), x - y - z);
  EXPECT_EQ(parse("x - (y - z)"), x - y + z);
  EXPECT_EQ(parse("x/y/z"), x / (y * z));
  EXPECT_EQ(parse("x/y*z"), x * z / y);
  EXPECT_EQ(parse("x/(y*z)"), x / (y * z));
  EXPECT_EQ(parse("x + y*z^2"), x + y * pow(z, 2));
  EXPECT_EQ(parse("x*-y"), -(x * y));
  EXPECT_EQ(parse("x - -y"), x + y);
  EXPECT_EQ(parse("--x"), x);
  EXPECT_EQ(parse("+x"), x);
  EXPECT_EQ(parse("2^-x^2"), pow(g.constant(2), -pow(x, 2)));
  EXPECT_EQ(parse("-2^2"), g.constant(-4));
}

TEST_F(Parser, NamesMayBeOfAnyLettersAndCarryPrimesAndTemplates) {
  EXPECT_EQ(parse("θ'"), g.symbol("θ'"));
  EXPECT_EQ(parse("q''"), g.symbol("q''"));
  EXPECT_EQ(parse("m_2a"), g.symbol("m_2a"));
  Formula formula = parse_syntax("x{k-1}'' + link{k} + {k + 1}*a{i}_{j}b");
  EXPECT_EQ(formula.nodes[0].text, "x{k-1}");
  EXPECT_EQ(formula.nodes[0].primes, 2);
  EXPECT_EQ(formula.nodes[1].text, "link{k}");
  EXPECT_EQ(formula.nodes[2].text, "{k + 1}");
  EXPECT_EQ(formula.nodes[3].text, "a{i}_{j}b");
}

TEST_F(Parser, EveryFunctionIsThere) {
  EXPECT_EQ(parse("sin(x) + cos(x) + tan(x)"), sin(x) + cos(x) + tan(x));
  EXPECT_EQ(parse("asin(x) + acos(x) + atan(x)"), asin(x) + acos(x) + atan(x));
  EXPECT_EQ(parse("sinh(x) + cosh(x) + tanh(x)"), sinh(x) + cosh(x) + tanh(x));
  EXPECT_EQ(parse("exp(x) + log(x) + sqrt(x)"), exp(x) + log(x) + sqrt(x));
  EXPECT_EQ(parse("abs(x) + sign(x) + atan2(y, x)"), abs(x) + sign(x) + atan2(y, x));
  EXPECT_EQ(parse("min(x, y, z) + max(x, y)"), min(min(x, y), z) + max(x, y));
  EXPECT_EQ(parse("2*pi"), 2 * g.pi());
}

TEST_F(Parser, VectorsHaveTheirArithmetic) {
  EXPECT_EQ(parse("dot([x, y, z], [1, 2, 3])"), x + 2 * y + 3 * z);
  EXPECT_EQ(parse("cross([x, 0, 0], [0, y, 0]).z"), x * y);
  EXPECT_EQ(parse("norm([x, y, 0])"), sqrt(pow(x, 2) + pow(y, 2)));
  EXPECT_EQ(parse("([x, 0, 1] + 2*[y, 0, 0]*z - [1, 0, 0]).x"), x + 2 * y * z - 1);
  EXPECT_EQ(parse("(-[x, y, z]/2).y"), -y / 2);
  EXPECT_EQ(parse("[x, y, z].y^2"), pow(y, 2));
}

TEST_F(Parser, RelationsHaveTwoSides) {
  Formula formula = parse_syntax("x^2 + y^2 = z^2", true);
  EXPECT_EQ(formula.relation, Relation::equal);
  EXPECT_EQ(formula.relation_place.column, 11u);
  Scope scope = plain_scope(g);
  EXPECT_EQ(interpret_scalar(formula, formula.left, scope), pow(x, 2) + pow(y, 2));
  EXPECT_EQ(interpret_scalar(formula, formula.right, scope), pow(z, 2));
  EXPECT_EQ(parse_syntax("x >= 0", true).relation, Relation::greater_equal);
  EXPECT_EQ(parse_syntax("x <= 0", true).relation, Relation::less_equal);
  EXPECT_THAT(complaint_of("x = y = z", true).problem, HasSubstr("second"));
  expect_error("x = 0", 3, "a relation (=) cannot stand here");
}

TEST_F(Parser, CallsThatAreNotBuiltInGoToTheScopeUninterpreted) {
  Formula formula = parse_syntax("1 + sum(k, 1, 2, bad(k)) * sin(f()).x");
  Scope scope = plain_scope(g);
  std::vector<std::string> asked;
  scope.name = [&](const SyntaxNode& name) -> std::optional<Quantity> {
    asked.push_back(name.text);
    return x;
  };
  scope.call = [&](const Formula& f, std::uint32_t call) -> std::optional<Quantity> {
    asked.push_back(f.nodes[call].text + "/" + std::to_string(f.children(call).size()));
    return y;
  };
  EXPECT_THROW(interpret(formula, formula.left, scope), FormulaError);  // .x of a scalar
  EXPECT_EQ(asked, (std::vector<std::string>{"sum/4", "f/0"}));
  Formula inner = parse_syntax("f(x)*2 + f(f(x), y)^2");
  asked.clear();
  EXPECT_EQ(interpret_scalar(inner, inner.left, scope), 2 * y + pow(y, 2));
  EXPECT_EQ(asked, (std::vector<std::string>{"f/1", "f/2"}));
}

TEST_F(Parser, ErrorsNameTheirPlaceAndARemedy) {
  expect_error("", 1, "expected a value, found the end", "empty");
  expect_error("x +", 4, "expected a value, found the end");
  expect_error("x + * y", 5, "expected a value, found '*'");
  expect_error("2 x", 3, "expected an operator, found 'x'", "write *");
  expect_error("2(x)", 2, "expected an operator, found '('", "write *");
  expect_error("(x + y", 1, "this ( is not closed", "write )");
  expect_error("sin(x", 1, "the call of 'sin' is not closed");
  expect_error("[x, y", 1, "this [ is not closed");
  expect_error("x)", 2, "a ) that nothing opened");
  expect_error("[x, y)", 6, "a ) where ] was expected", "opened at 1:1");
  expect_error("x, y", 2, "a , outside", "point");
  expect_error("(x, y)", 3, "a , outside");
  expect_error("[x, y]", 1, "a vector with 2 components", "three");
  expect_error("x**2", 2, "'**'", "^");
  expect_error("x == y", 3, "'=='", "=");
  expect_error("x > y", 3, "unexpected character '>'", ">=");
  expect_error("θ − 1", 3, "unexpected character '−'", "write -");
  expect_error("x²", 2, "unexpected character '²'", "^2");
  expect_error("(x)'", 4, "a prime that does not follow a name");
  expect_error("x{k", 2, "no matching }");
  expect_error("x{}", 2, "nothing stands between");
  expect_error("v.w", 2, "unknown component '.w'", ".x, .y and .z");
  expect_error("sin'(x)", 1, "primes cannot follow");
  expect_error("f(x,)", 5, "expected a value, found ')'");
  expect_error("(x = y)", 4, "a relation (=) inside brackets", "1:1");
  expect_error("x\xff", 2, "not valid UTF-8");
  expect_error("x # y", 3, "unexpected character '#'");
}

TEST_F(Parser, MeaningErrorsNameTheirPlaceAndARemedy) {
  expect_error("1 + sn(x)", 5, "unknown function 'sn'", "did you mean 'sin'?");
  expect_error("1 + blob(x)", 5, "unknown function 'blob'", "write *");
  expect_error("1 + sin", 5, "the function sin without arguments");
  expect_error("sin(x, y)", 1, "sin takes 1 argument, not 2");
  expect_error("sin()", 1, "sin takes 1 argument, not 0");
  expect_error("1 + atan2(x)", 5, "atan2 takes 2 arguments, not 1");
  expect_error("min(x)", 1, "min takes 2 or more arguments, not 1");
  expect_error("sin([1, 2, 3])", 5, "sin takes scalars, and this is a vector");
  expect_error("dot(x, [1, 2, 3])", 5, "dot takes vectors, and this is a scalar", "[a, b, c]");
  expect_error("x + [1, 2, 3]", 5, "a vector is added to a scalar");
  expect_error("[1, 2, 3] + x", 13, "a scalar is added to a vector");
  expect_error("[1, 2, 3]*[1, 2, 3]", 11, "a vector is multiplied by a vector", "dot");
  expect_error("x/[1, 2, 3]", 2, "division by a vector");
  expect_error("[1, 2, 3]^2", 1, "a vector is raised to a power", "dot(v, v)");
  expect_error("2^[1, 2, 3]", 3, "a vector where a scalar is expected");
  expect_error("[[1, 2, 3], 0, 0]", 2, "a vector where a scalar is expected");
  expect_error("x.y", 2, "component .y of a scalar");
  expect_error("x/(y - y)", 2, "division by zero");
  expect_error("x + 0^-2", 7, "division by zero");
  expect_error("pi'", 1, "pi has no derivative");
}

TEST_F(Parser, PlacesCountLinesAndCodePoints) {
  Complaint complaint = complaint_of("θθ +\n  ψ*)");
  EXPECT_EQ(complaint.place.line, 2u);
  EXPECT_EQ(complaint.place.column, 5u);
}

TEST_F(Parser, UnknownNamesComeWithTheNearest) {
  Formula formula = parse_syntax("lenght + 1");
  Scope scope = plain_scope(g);
  scope.name = [](const SyntaxNode&) { return std::nullopt; };
  scope.known_names = [] { return std::vector<std::string>{"mass", "length", "theta"}; };
  try {
    interpret(formula, formula.left, scope);
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_STREQ(error.what(), "1:1: unknown name 'lenght'; did you mean 'length'?");
  }
  EXPECT_EQ(nearest_name("thta", {"mass", "theta"}), "theta");
  EXPECT_EQ(nearest_name("Theta", {"mass", "theta"}), "theta");
  EXPECT_EQ(nearest_name("q", {"x", "y"}), "");
  EXPECT_EQ(nearest_name("velocity", {"position"}), "");
}

TEST_F(Parser, LimitsAreNamed) {
  FormulaLimits limits;
  auto problem = [&](std::string_view text) -> std::string {
    try {
      parse_expression(g, text, limits);
    } catch (const FormulaError& error) {
      return error.complaint().problem;
    }
    return "none";
  };
  limits.characters = 10;
  EXPECT_THAT(problem("x + x + x + x"), HasSubstr("limit `characters`: 10"));
  limits = {};
  limits.nodes = 3;
  EXPECT_THAT(problem("x + x + x"), HasSubstr("limit `nodes`: 3"));
  limits = {};
  limits.nesting = 3;
  EXPECT_THAT(problem("((((x))))"), HasSubstr("limit `nesting`: 3"));
  limits = {};
  EXPECT_THAT(problem("1e999999999999999999999"), HasSubstr("limit `digits`: 40000"));
  EXPECT_THAT(problem("1" + std::string(50'000, '0')), HasSubstr("limit `digits`"));
  EXPECT_THAT(problem("x^1000001"), HasSubstr("limit `exponent`: 1000000"));
  EXPECT_THAT(problem("(x^1000000)^1000000"), HasSubstr("limit `exponent`"));
  EXPECT_THAT(problem("sinh((x^10001/2)^1000)"), HasSubstr("limit `exponent`"));
  EXPECT_THAT(problem("2^21000*3^21000*5^16000*7^16000*11^13000*13^13000"), HasSubstr("limit `constant`"));
  std::string calls;
  for (int i = 0; i < 200; ++i) calls += "f(";
  EXPECT_THAT(problem(calls), HasSubstr("limit `calls`: 100"));
}

}  // namespace
