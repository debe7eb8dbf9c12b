#pragma once
// The parts of the module. Classes are declared before any method names them.

#include "convert.hpp"
#include "expression.hpp"
#include "loaded.hpp"

namespace dalembert::python {

void register_errors();
void declare_trajectory(py::module_& module);
void bind_trajectory(py::module_& module);
void declare_reports(py::module_& module);
void bind_reports(py::module_& module);
void declare_studies(py::module_& module);
void bind_studies(py::module_& module);
void declare_equations(py::module_& module);
void bind_equations(py::module_& module);
void declare_model(py::module_& module);
void bind_model(py::module_& module);
void bind_commands(py::module_& module);
void declare_description(py::module_& module);
void bind_description(py::module_& module);
void declare_searches(py::module_& module);
void bind_searches(py::module_& module);
void declare_sweep(py::module_& module);
void bind_sweep(py::module_& module);

/// Equations with a graph that only the holder of the interpreter's lock touches.
struct OwnEquations {
  std::shared_ptr<const LoadedModel> model;
  Equations equations;
};

using Unlock = py::call_guard<py::gil_scoped_release>;
using ModelPointer = std::shared_ptr<const LoadedModel>;
using ModelClass = py::class_<LoadedModel, std::shared_ptr<LoadedModel>>;

}  // namespace dalembert::python
