// Expr: operators, derivatives, simplification, proofs, numbers.

#include <dalembert/expr/print.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/report/formula.hpp>
#include <set>

#include "expression.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

py::object not_implemented() { return py::reinterpret_borrow<py::object>(Py_NotImplemented); }

/// Both in one graph, in the order given.
template <class Make>
Expression combine(const Expression& a, const Expression& b, Make make) {
  const Expression both[] = {a, b};
  const GraphPointer graph = common_graph(both);
  return {graph, make(bring(a, *graph), bring(b, *graph))};
}

template <class Make>
auto binary(Make make, bool reflected = false) {
  return [make, reflected](const Expression& self, py::object other) -> py::object {
    const auto value = as_expression(other, self.graph);
    if (!value) return not_implemented();
    return py::cast(reflected ? combine(*value, self, make) : combine(self, *value, make));
  };
}

auto relation(Relation kind) {
  return [kind](const Expression& self, py::object other) -> py::object {
    const auto value = as_expression(other, self.graph);
    if (!value) return not_implemented();
    return py::cast(Comparing{self, *value, kind});
  };
}

bool are_same(const Expression& a, const Expression& b) {
  return combine(a, b, [](Expr x, Expr y) { return x == y ? x.graph()[x.graph().one()] : x.graph()[x.graph().zero()]; })
      .expr.is_one();
}

/// Equal expressions of different graphs have equal ones.
std::size_t hash_of(const Expression& self) {
  std::set<std::string> names;
  for (const Expr& symbol : free_symbols(std::span(&self.expr, 1))) names.insert(symbol.name());
  std::size_t hash = count_nodes(std::span(&self.expr, 1));
  for (const std::string& name : names) hash = hash * 1000003 + std::hash<std::string>()(name);
  return hash;
}

/// With a graph of its own, on which other threads do not wait.
template <class Work>
auto apart(const Expression& self, Work work) {
  auto graph = std::make_shared<Graph>();
  const Expr own = copy_to(*graph, std::span(&self.expr, 1))[0];
  py::gil_scoped_release release;
  return work(graph, own);
}

Expression simplify(const Expression& self) {
  return apart(self, [](const GraphPointer& graph, Expr own) {
    auto displayed = std::make_shared<const Displayed>(make_display(own));
    return Expression{graph, displayed->expression, displayed};
  });
}

ZeroTest is_zero(const Expression& self, double work) {
  return apart(self, [work](const GraphPointer&, Expr own) { return test_zero(own, {.work = work}); });
}

/// What the command `formula` says of a text, and of formulas that are there: one, or the three of a vector.
FormulaReport judge_text(const std::string& text) {
  Graph graph;
  return judge_formula(read_difference(text, open_scope(graph)));
}
FormulaReport judge(const std::vector<Expression>& parts) {
  Graph graph;
  const std::vector<Expr> own = bring(parts, graph);
  py::gil_scoped_release release;
  if (own.size() == 1) return judge_formula(own[0]);
  return judge_formula(Vector3{own.at(0), own.at(1), own.at(2)});
}

Expr symbol_of(const Expression& symbol, Graph& graph) {
  const Expr own = bring(symbol, graph);
  if (own.op() != Op::symbol)
    throw InputError({"", {}, "", write(symbol) + " is no symbol", "give a symbol, as da.symbols makes them"});
  return own;
}

Expression differentiate(const Expression& self, const Expression& by, std::size_t times) {
  const Expression both[] = {self, by};
  const GraphPointer graph = common_graph(both);
  const Expr symbol = symbol_of(by, *graph);
  Expr result = bring(self, *graph);
  for (std::size_t i = 0; i < times; ++i) result = derivative(result, symbol);
  return {graph, result};
}

Expression replace(const Expression& self, const std::vector<std::pair<Expression, Expression>>& pairs) {
  std::vector<Expression> all{self};
  for (const auto& [symbol, by] : pairs) all.insert(all.end(), {symbol, by});
  const GraphPointer graph = common_graph(all);
  std::vector<Replacement> replacements;
  for (const auto& [symbol, by] : pairs) replacements.push_back({symbol_of(symbol, *graph), bring(by, *graph)});
  return {graph, substitute(bring(self, *graph), replacements)};
}

double evaluate_at(const Expression& self, const std::vector<std::pair<std::string, double>>& values) {
  std::vector<Binding> bindings;
  std::set<std::string> missing;
  for (const Expr& symbol : free_symbols(std::span(&self.expr, 1))) missing.insert(symbol.name());
  for (const auto& [name, value] : values)
    if (const Expr symbol = self.graph->find_symbol(name)) {
      bindings.push_back({symbol, value});
      missing.erase(name);
    }
  if (!missing.empty())
    throw InputError({"", {}, *missing.begin(), "this symbol has no value", "give a number for every symbol"});
  return evaluate(self.expr, bindings);
}

std::vector<Expression> symbols_of(const Expression& self) {
  std::vector<Expression> list;
  for (const Expr& symbol : free_symbols(std::span(&self.expr, 1))) list.push_back({self.graph, symbol});
  return list;
}

/// The symbol of the rate: q of q'.
Expression rate(const Expression& self) {
  if (self.expr.op() != Op::symbol)
    throw InputError({"", {}, "", "only a symbol has a rate of its own", "take the rate of a coordinate"});
  return {self.graph, self.graph->symbol(self.expr.name() + "'")};
}

std::string describe_expression(const Expression& self) {
  constexpr double longest = 4000;
  if (self.displayed || count_written(self.expr) < longest) return write(self);
  return "<Expr of " + std::to_string(count_nodes(std::span(&self.expr, 1))) + " nodes; str() writes it>";
}

std::string latex(const Expression& self) { return self.displayed ? to_latex(*self.displayed) : to_latex(self.expr); }

const char* relation_sign(Relation relation) {
  return relation == Relation::equal ? "=" : relation == Relation::greater_equal ? ">=" : "<=";
}
const char* relation_latex(Relation relation) {
  return relation == Relation::equal ? " = " : relation == Relation::greater_equal ? " \\ge " : " \\le ";
}

std::string write_relation(const Comparing& self) {
  return write(self.left) + " " + relation_sign(self.relation) + " " + write(self.right);
}

/// The tree that other systems build their own expressions from: (operation, arguments...).
py::object tree_of(const Expression& self) {
  Graph& graph = *self.graph;
  std::vector<NodeId> order{self.expr.id()};
  std::set<NodeId> seen{self.expr.id()};
  for (std::size_t k = 0; k < order.size(); ++k)
    graph.for_each_child(order[k], [&](NodeId child) {
      if (seen.insert(child).second) order.push_back(child);
    });
  py::list nodes;  // ascending ids: arguments first
  const auto number = [&](NodeId id) { return graph.value(id).get_str(); };
  for (const NodeId id : seen) {
    py::list arguments, weights;
    for (const Part& part : graph.parts(id)) {
      arguments.append(part.node);
      weights.append(number(part.weight));
    }
    for (const NodeId argument : graph.arguments(id)) arguments.append(argument);
    const Op op = graph.op(id);
    std::string name(function_name(op)), text;
    if (op == Op::constant) name = "constant", text = number(id);
    if (op == Op::pi) name = "pi";
    if (op == Op::symbol) name = "symbol", text = graph.name(id);
    if (op == Op::sum) name = "sum", text = number(graph.offset(id));
    if (op == Op::product) name = "product";
    if (op == Op::power) name = "power";
    nodes.append(py::make_tuple(id, name, text, arguments, weights));
  }
  return nodes;
}

// --- native code over arrays

struct NativeFunction {
  Function function;
  std::size_t inputs = 0, outputs = 0;
};

NativeFunction lambdify(const std::vector<Expression>& outputs, const std::vector<Expression>& inputs) {
  Graph graph;
  std::vector<Expr> symbols;
  for (const Expression& each : inputs) symbols.push_back(symbol_of(each, graph));
  const std::vector<Expr> expressions = bring(outputs, graph);
  py::gil_scoped_release release;
  return {compile(make_program(symbols, {}, expressions)), symbols.size(), outputs.size()};
}

using Columns = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// `columns`: one row an input, one column a point; the result one row an output.
py::array_t<double> evaluate_columns(const NativeFunction& self, const Columns& columns) {
  constexpr std::size_t lanes = Function::lane_count;
  if (columns.ndim() != 2 || static_cast<std::size_t>(columns.shape(0)) != self.inputs)
    throw InputError(
        {"", {}, "", "one row of numbers an input is needed", "give as many arguments as there are symbols"});
  const auto points = static_cast<std::size_t>(columns.shape(1));
  py::array_t<double> result({self.outputs, points});
  const double* in = columns.data();
  double* out = result.mutable_data();
  py::gil_scoped_release release;
  Scratch scratch = self.function.make_scratch();
  self.function.set_parameters(scratch, {});
  std::vector<double> from(lanes * self.inputs), to(lanes * self.outputs);
  for (std::size_t k = 0; k < points; k += lanes) {
    for (std::size_t i = 0; i < self.inputs; ++i)
      for (std::size_t l = 0; l < lanes; ++l) from[lanes * i + l] = in[i * points + std::min(k + l, points - 1)];
    self.function.evaluate_lanes(scratch, from, to);
    for (std::size_t i = 0; i < self.outputs; ++i)
      for (std::size_t l = 0; l < lanes && k + l < points; ++l) out[i * points + k + l] = to[lanes * i + l];
  }
  return result;
}

void bind_operators(py::class_<Expression>& type) {
  const auto add = [](Expr a, Expr b) { return a + b; };
  const auto subtract = [](Expr a, Expr b) { return a - b; };
  const auto multiply = [](Expr a, Expr b) { return a * b; };
  const auto divide = [](Expr a, Expr b) { return a / b; };
  const auto power = [](Expr a, Expr b) { return pow(a, b); };
  type.def("__add__", binary(add)).def("__radd__", binary(add, true));
  type.def("__sub__", binary(subtract)).def("__rsub__", binary(subtract, true));
  type.def("__mul__", binary(multiply)).def("__rmul__", binary(multiply, true));
  type.def("__truediv__", binary(divide)).def("__rtruediv__", binary(divide, true));
  type.def("__pow__", binary(power)).def("__rpow__", binary(power, true));
  type.def("__neg__", [](const Expression& self) { return Expression{self.graph, -self.expr}; });
  type.def("__pos__", [](const Expression& self) { return self; });
  type.def("__abs__", [](const Expression& self) { return Expression{self.graph, abs(self.expr)}; });
  type.def("__eq__", relation(Relation::equal)).def("__ge__", relation(Relation::greater_equal));
  type.def("__le__", relation(Relation::less_equal));
  type.def("__hash__", hash_of);
  type.def("__float__", [](const Expression& self) { return evaluate_at(self, {}); });
}

}  // namespace

void declare_expressions(py::module_& module) {
  py::class_<Expression>(module, "Expr",
                         "A formula: built by operators, differentiated, simplified, proved, compiled.");
  py::class_<Comparing>(module, "Relation", "left = right, left >= right or left <= right, as a constraint is given.");
  py::class_<NativeFunction>(module, "Function", "Formulas compiled to native code.");
  Record<ZeroTest>::declare(module, "ZeroTest", "The verdict on a formula and its evidence.");
  Record<FormulaReport>::declare(module, "FormulaReport", "What a formula is: canonical form, LaTeX, zero or not.");
  name_class(typeid(Expression), "Expr");
}

void bind_expressions(py::module_& module) {
  py::class_<Expression> type(py::reinterpret_borrow<py::object>(py::type::of<Expression>()));
  bind_operators(type);
  type.def("diff", differentiate, py::arg("by"), py::arg("times") = 1, "The partial derivative by a symbol.");
  type.def("_replace", replace);
  type.def("_evaluate", evaluate_at);
  type.def("simplify", simplify, "The shortest readable form that is found.");
  type.def("is_zero", is_zero, py::arg("work") = CanonicalLimits{}.work,
           "Is it zero wherever it is defined? Three answers, with evidence.");
  type.def("latex", latex, "LaTeX for math mode.");
  type.def("_repr_latex_", [](const Expression& self) { return "$\\displaystyle " + latex(self) + "$"; });
  type.def("__repr__", describe_expression).def("__str__", write);
  type.def("_tree", tree_of);
  type.def("_lambdify",
           [](const Expression& self, const std::vector<Expression>& inputs) { return lambdify({self}, inputs); });
  add_property(type, "free_symbols", "list[Expr]",
               [](py::handle self) { return py::cast(symbols_of(self.cast<const Expression&>())); });
  add_property(type, "rate", "Expr", [](py::handle self) { return py::cast(rate(self.cast<const Expression&>())); });
  add_property(type, "name", "str | None", [](py::handle self) -> py::object {
    const auto& own = self.cast<const Expression&>();
    return own.expr.op() == Op::symbol ? py::object(py::str(own.expr.name())) : py::none();
  });

  py::class_<Comparing> equation(py::reinterpret_borrow<py::object>(py::type::of<Comparing>()));
  equation.def("__repr__", write_relation).def("__str__", write_relation);
  equation.def("_repr_latex_", [](const Comparing& self) {
    return with_distinct_names([&] {
      return "$\\displaystyle " + latex(self.left) + relation_latex(self.relation) + latex(self.right) + "$";
    });
  });
  equation.def("__bool__", [](const Comparing& self) {
    if (self.relation != Relation::equal)
      throw py::type_error("an inequality between formulas is neither true nor false");
    return are_same(self.left, self.right);
  });
  add_property(equation, "_sign", "str",
               [](py::handle self) { return py::cast(relation_sign(self.cast<const Comparing&>().relation)); });
  add_property(equation, "left", "Expr", [](py::handle self) { return py::cast(self.cast<const Comparing&>().left); });
  add_property(equation, "right", "Expr",
               [](py::handle self) { return py::cast(self.cast<const Comparing&>().right); });

  Record<ZeroTest>()
      .field("verdict", &ZeroTest::verdict)
      .field("evidence", &ZeroTest::evidence)
      .field("work", &ZeroTest::work)
      .type()
      .def("__bool__", [](const ZeroTest& self) { return self.verdict == Verdict::zero; });

  Record<FormulaReport>()
      .field("text", &FormulaReport::text)
      .field("latex", &FormulaReport::latex)
      .field("zero", &FormulaReport::zero)
      .field("evidence", &FormulaReport::evidence)
      .reported(write_text, write_json)
      .type()
      .def("_repr_latex_", [](const FormulaReport& self) { return "$\\displaystyle " + self.latex + "$"; });
  module.def("_judge_text", judge_text, py::call_guard<py::gil_scoped_release>());
  module.def("_judge", judge);

  py::class_<NativeFunction> native(py::reinterpret_borrow<py::object>(py::type::of<NativeFunction>()));
  native.def("_evaluate", evaluate_columns);
  add_property(native, "is_native", "bool",
               [](py::handle self) { return py::cast(self.cast<const NativeFunction&>().function.is_native_lanes()); });

  module.def(
      "parse", [](const std::string& text) { return parse(text); }, py::arg("text"), "A formula from its text.");
  module.def("_symbols", [](const std::vector<std::string>& names) {
    const auto graph = std::make_shared<Graph>();
    std::vector<Expression> symbols;
    for (const std::string& name : names) symbols.push_back({graph, graph->symbol(name)});
    return symbols;
  });
  module.def("_number", [](py::object value) {
    const auto number = as_expression(value, std::make_shared<Graph>());
    if (!number)
      throw py::type_error("a number or an expression is needed, not " + py::repr(value).cast<std::string>());
    return *number;
  });
  module.def("_lambdify", lambdify);
  module.def("_apply", [](const std::string& name, const std::vector<Expression>& arguments) {
    const GraphPointer graph = common_graph(arguments);
    std::vector<Expr> own = bring(arguments, *graph);
    if (name == "sqrt") return Expression{graph, sqrt(own.at(0))};
    if (name == "atan2") return Expression{graph, graph->atan2(own.at(0), own.at(1))};
    for (const Op op : {Op::min, Op::max})
      if (function_name(op) == name) return Expression{graph, graph->extremum(op, own)};
    for (int op = static_cast<int>(Op::sin); op <= static_cast<int>(Op::sign); ++op)
      if (function_name(static_cast<Op>(op)) == name)
        return Expression{graph, graph->unary(static_cast<Op>(op), own.at(0))};
    throw InputError({"", {}, name, "there is no such function", "docs/reference/formulas.md lists them"});
  });
}

}  // namespace dalembert::python
