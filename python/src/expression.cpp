#include "expression.hpp"

#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>

namespace dalembert::python {
namespace {

/// What a call's argument is called: a name, with primes and a member.
std::optional<std::string> written(const Formula& formula, std::uint32_t node) {
  const SyntaxNode& each = formula.nodes[node];
  if (each.kind == SyntaxNode::Kind::name) return each.text + std::string(each.primes, '\'');
  if (each.kind != SyntaxNode::Kind::member) return {};
  const auto inner = written(formula, formula.children(node)[0]);
  return inner ? std::optional(*inner + "." + each.text) : std::nullopt;
}

}  // namespace

Scope open_scope(Graph& graph) {
  Scope scope = plain_scope(graph);
  scope.call = [&graph](const Formula& formula, std::uint32_t call) -> std::optional<Quantity> {
    std::string name = formula.nodes[call].text + "(";
    for (std::uint32_t child : formula.children(call)) {
      const auto argument = written(formula, child);
      if (!argument) return {};
      name += (name.ends_with('(') ? "" : ", ") + *argument;
    }
    return graph.symbol(name + ")");
  };
  return scope;
}

Expr bring(const Expression& expression, Graph& graph) {
  if (expression.graph.get() == &graph) return expression.expr;
  return copy_to(graph, std::span(&expression.expr, 1))[0];
}

std::vector<Expr> bring(std::span<const Expression> expressions, Graph& graph) {
  std::vector<Expr> result;
  for (const Expression& each : expressions) result.push_back(bring(each, graph));
  return result;
}

GraphPointer common_graph(std::span<const Expression> expressions) {
  GraphPointer largest;
  for (const Expression& each : expressions)
    if (!largest || each.graph->size() > largest->size()) largest = each.graph;
  return largest ? largest : std::make_shared<Graph>();
}

Expression parse(const std::string& text, GraphPointer graph) {
  if (!graph) graph = std::make_shared<Graph>();
  const Formula formula = parse_syntax(text);
  return {graph, interpret_scalar(formula, formula.left, open_scope(*graph))};
}

py::object read_formula(const std::string& text) { return text.empty() ? py::none() : py::cast(parse(text)); }

std::optional<Expression> as_expression(py::handle value, const GraphPointer& graph) {
  if (py::isinstance<Expression>(value)) return value.cast<Expression>();
  if (PyBool_Check(value.ptr()) || py::isinstance<py::array>(value)) return {};  // arrays go element by element
  if (PyFloat_Check(value.ptr())) {
    const std::string digits = py::repr(py::float_(value.cast<double>()));
    if (!std::isfinite(value.cast<double>()))
      throw InputError({"", {}, "", digits + " is no number of formulas", "expected a finite number"});
    return parse(digits, graph);
  }
  if (PyIndex_Check(value.ptr())) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    return Expression{graph, graph->constant(mpq_class(py::str(number).cast<std::string>()))};
  }
  if (py::isinstance(value, py::module_::import("numbers").attr("Rational")))
    return Expression{graph, graph->constant(mpq_class(py::str(value).cast<std::string>()))};
  return {};
}

std::string write(const Expression& expression) {
  if (expression.displayed) return to_text(*expression.displayed);
  try {
    return to_text(expression.expr);
  } catch (const InputError&) {  // too long to be written out: shared parts by names
    return to_text(std::span(&expression.expr, 1));
  }
}

py::object to_array(const GraphPointer& graph, std::span<const Expr> expressions, std::optional<std::size_t> columns) {
  py::list list;
  for (const Expr& each : expressions) list.append(Expression{graph, each});
  const py::module_ numpy = py::module_::import("numpy");
  py::object array = numpy.attr("empty")(expressions.size(), py::arg("dtype") = "object");
  array[py::slice(0, static_cast<py::ssize_t>(expressions.size()), 1)] = list;
  if (!columns) return array;
  const std::size_t rows = *columns == 0 ? 0 : expressions.size() / *columns;
  return array.attr("reshape")(rows, *columns);
}

}  // namespace dalembert::python
