#pragma once
// Expressions in Python: each owns its graph together with those made from it. Graphs are touched by the holder of the
// interpreter's lock only; what takes long works on a copy of its own.

#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>

#include "convert.hpp"

namespace dalembert::python {

using GraphPointer = std::shared_ptr<Graph>;

struct Expression {
  GraphPointer graph;
  Expr expr;
  std::shared_ptr<const Displayed> displayed = {};  ///< how it is to be read, where that was worked out
};

/// left = right, left >= right or left <= right.
struct Comparing {
  Expression left, right;
  Relation relation = Relation::equal;
};

/// The expression in a graph, which may be its own.
Expr bring(const Expression& expression, Graph& graph);
/// All in one graph: the largest of theirs.
GraphPointer common_graph(std::span<const Expression> expressions);
std::vector<Expr> bring(std::span<const Expression> expressions, Graph& graph);

/// Calls that formulas do not know, as reaction(rod), are symbols of that name.
Scope open_scope(Graph& graph);
/// A formula in such a scope.
Expression parse(const std::string& text, GraphPointer graph = {});
/// An expression, a number (a float as its shortest decimal, as in model files) or nothing else.
std::optional<Expression> as_expression(py::handle value, const GraphPointer& graph);
std::string write(const Expression& expression);
/// Expressions of a graph as a NumPy array of objects: of one index, or with `columns` of two.
py::object to_array(const GraphPointer& graph, std::span<const Expr> expressions,
                    std::optional<std::size_t> columns = {});

void declare_expressions(py::module_& module);
void bind_expressions(py::module_& module);

}  // namespace dalembert::python
