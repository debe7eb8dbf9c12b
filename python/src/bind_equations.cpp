// Equations: their parts as expressions, their values, as text and LaTeX.

#include <dalembert/report/report.hpp>

#include "bindings.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

using Get = Expr Equations::*;
using GetList = std::vector<Expr> Equations::*;

py::object expression(const OwnEquations& self, Expr expr) {
  return expr ? py::cast(Expression{self.equations.graph, expr}) : py::none();
}

/// Rows of entries as a full matrix; of a symmetric one the other half too.
py::object matrix(const OwnEquations& self, const std::vector<std::vector<Entry>>& rows, std::size_t columns,
                  bool is_lower_half) {
  Graph& graph = *self.equations.graph;
  std::vector<Expr> all(rows.size() * columns, graph[graph.zero()]);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Entry& entry : rows[i]) {
      all[i * columns + entry.column] = entry.value;
      if (is_lower_half) all[entry.column * columns + i] = entry.value;
    }
  return to_array(self.equations.graph, all, columns);
}

std::vector<std::vector<Entry>> jacobian_rows(const Equations& equations) {
  std::vector<std::vector<Entry>> rows;
  for (const ConstraintRow& row : equations.rows) rows.push_back(row.jacobian);
  return rows;
}

template <class Part>
py::object of_rows(const OwnEquations& self, Part part) {
  std::vector<Expr> list;
  for (const ConstraintRow& row : self.equations.rows) list.push_back(part(row));
  return to_array(self.equations.graph, list);
}

std::vector<std::string> row_names(const Equations& equations) {
  std::vector<std::string> names;
  for (const ConstraintRow& row : equations.rows) names.push_back(row.name);
  return names;
}

/// A fork, so that the lock of the interpreter is not needed while it is written.
template <class Write>
std::string write_apart(const OwnEquations& self, Write write) {
  const Equations own = fork(self.equations);
  py::gil_scoped_release release;
  return write(own);
}

SymbolicSolution solve(const OwnEquations& self, double work) {
  SymbolicSolution made{fork(self.equations), {}};  // before the lock is given up: Python may build in that graph
  py::gil_scoped_release release;
  made.solution = solve_symbolically_in(made.equations, work);
  return made;
}

void bind_parts() {
  Record<OwnEquations> type;
  const auto list = [&](const char* name, GetList member) {
    type.property(name, "NDArray[np.object_]", [member](const OwnEquations& self, py::handle) {
      return to_array(self.equations.graph, self.equations.*member);
    });
  };
  list("coordinates", &Equations::coordinates);
  list("velocities", &Equations::velocities);
  list("accelerations", &Equations::accelerations);
  list("kinematics", &Equations::rates);
  list("bias", &Equations::bias);
  list("force", &Equations::force);
  const auto one = [&](const char* name, Get member) {
    type.property(name, "Expr",
                  [member](const OwnEquations& self, py::handle) { return expression(self, self.equations.*member); });
  };
  one("lagrangian", &Equations::lagrangian);
  one("energy", &Equations::energy);
  one("jacobi", &Equations::jacobi);
  type.property("principle", "str", [](const OwnEquations& self, py::handle) { return py::str(self.equations.by); });
  type.property("mass_matrix", "NDArray[np.object_]", [](const OwnEquations& self, py::handle) {
    return matrix(self, self.equations.mass, self.equations.velocities.size(), true);
  });
  type.property("jacobian", "NDArray[np.object_]", [](const OwnEquations& self, py::handle) {
    return matrix(self, jacobian_rows(self.equations), self.equations.velocities.size(), false);
  });
  type.property("drift", "NDArray[np.object_]", [](const OwnEquations& self, py::handle) {
    return of_rows(self, [](const ConstraintRow& row) { return row.drift; });
  });
  type.property("offset", "NDArray[np.object_]", [](const OwnEquations& self, py::handle) {
    return of_rows(self, [](const ConstraintRow& row) { return row.offset; });
  });
  type.property("constraints", "list[str]",
                [](const OwnEquations& self, py::handle) { return py::cast(row_names(self.equations)); });
}

}  // namespace

void declare_equations(py::module_& module) {
  Record<OwnEquations>::declare(module, "Equations", "M u' + bias = A^T lambda, A u' + drift = 0, as formulas.");
  Record<SymbolicSolution>::declare(module, "Solution", "Accelerations and multipliers as formulas.");
  Record<EquationValues>::declare(module, "EquationValues", "Equations in numbers, at one state.");
}

void bind_equations(py::module_&) {
  bind_parts();
  Record<OwnEquations> type;
  const auto text = [](const OwnEquations& self) {
    return write_apart(self, [](const Equations& own) { return write_text(own); });
  };
  type.shown_as(text);
  type.type()
      .def(
          "text",
          [](const OwnEquations& self, bool expand) {
            return write_apart(self, [&](const Equations& own) { return write_text(own, EquationStyle{expand}); });
          },
          py::arg("expand") = false, "As derive writes it; `expand`: no names for parts of what is large.")
      .def(
          "latex",
          [](const OwnEquations& self, bool expand) {
            return write_apart(self, [&](const Equations& own) { return write_latex(own, EquationStyle{expand}); });
          },
          py::arg("expand") = false, "LaTeX, as derive --as latex writes it.")
      .def(
          "c",
          [](const OwnEquations& self) { return write_apart(self, [](const Equations& own) { return write_c(own); }); },
          "C source, as derive --as c writes it.")
      .def(
          "to_json",
          [](const OwnEquations& self) {
            return write_apart(self, [](const Equations& own) { return write_json(own); });
          },
          "The document of derive --json.")
      .def(
          "by",
          [](const OwnEquations& self, const std::string& by) {
            return OwnEquations{self.model, self.model->equations(by)};
          },
          Unlock(), py::arg("principle"), "The same model's equations by another principle.")
      .def(
          "values",
          [](const OwnEquations& self, std::optional<double> time) {
            const Equations equations = self.model->equations("multipliers");
            return evaluate_equations(equations, self.model->state_at(time));
          },
          Unlock(), py::arg("time") = py::none(),
          "By multipliers, in numbers at the start or the state reached at a time.")
      .def("solve", solve, py::arg("work") = 2e8, "Accelerations and multipliers as formulas, for people to read.");
  Record<SymbolicSolution>()
      .property("accelerations", "NDArray[np.object_]",
                [](const SymbolicSolution& self, py::handle) {
                  return to_array(self.equations.graph, self.solution.accelerations);
                })
      .property("multipliers", "NDArray[np.object_]",
                [](const SymbolicSolution& self, py::handle) {
                  return to_array(self.equations.graph, self.solution.multipliers);
                })
      .property("remark", "str",
                [](const SymbolicSolution& self, py::handle) { return py::str(self.solution.remark); });
  Record<EquationValues>()
      .field("state", &EquationValues::state)
      .field("mass_matrix", &EquationValues::mass)
      .field("bias", &EquationValues::bias)
      .field("jacobian", &EquationValues::jacobian)
      .field("drift", &EquationValues::drift)
      .field("kinematics", &EquationValues::kinematics)
      .field("offset", &EquationValues::offset)
      .field("accelerations", &EquationValues::accelerations)
      .field("multipliers", &EquationValues::multipliers);
}

}  // namespace dalembert::python
