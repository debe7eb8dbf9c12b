#include <fmt/format.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/study/formula.hpp>

namespace dalembert {
namespace {

FormulaReport judge_scalar(Expr expression) {
  const ZeroTest test = test_zero(expression);
  std::optional<bool> zero;
  if (test.verdict != Verdict::undecided) zero = test.verdict == Verdict::zero;
  const Displayed shown = make_display(zero == true ? expression.graph().constant(0) : expression);
  return {to_text(shown), to_latex(shown), zero, shown.complete ? test.evidence : test.evidence + "; " + shown.remark};
}

FormulaReport judge_vector(const Vector3& vector) {
  const FormulaReport parts[] = {judge_scalar(vector[0]), judge_scalar(vector[1]), judge_scalar(vector[2])};
  FormulaReport report{fmt::format("[{}, {}, {}]", parts[0].text, parts[1].text, parts[2].text),
                       fmt::format("\\begin{{pmatrix}} {} \\\\ {} \\\\ {} \\end{{pmatrix}}", parts[0].latex,
                                   parts[1].latex, parts[2].latex),
                       true,
                       {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool nonzero = report.zero == false;
    if (!nonzero && parts[i].zero != true) report.zero = parts[i].zero;
    report.evidence += fmt::format("{}.{}: {}", i == 0 ? "" : "; ", "xyz"[i], parts[i].evidence);
  }
  return report;
}

}  // namespace

FormulaReport judge_formula(const Quantity& value) {
  if (const Expr* scalar = std::get_if<Expr>(&value)) return judge_scalar(*scalar);
  return judge_vector(std::get<Vector3>(value));
}

Quantity read_difference(const std::string& text, const Scope& scope) {
  const Formula formula = parse_syntax(text, true);
  const Quantity left = interpret(formula, formula.left, scope);
  if (formula.relation == Relation::none) return left;
  if (formula.relation != Relation::equal)
    throw FormulaError({"", formula.relation_place, "", "an inequality has no canonical form", "write = or one side"});
  const Quantity right = interpret(formula, formula.right, scope);
  if (left.index() != right.index())
    throw FormulaError({"", formula.relation_place, "", "a vector equals a scalar",
                        "both sides of an equation must be scalars, or both vectors"});
  if (const Expr* scalar = std::get_if<Expr>(&left)) return *scalar - std::get<Expr>(right);
  Vector3 difference = std::get<Vector3>(left);
  for (std::size_t i = 0; i < 3; ++i) difference[i] -= std::get<Vector3>(right)[i];
  return difference;
}

}  // namespace dalembert
