// The extension module dalembert._core.

#include <dalembert/base/advice.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/report/report.hpp>

#include "bindings.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

void raise(const char* type, const std::exception& error) {
  const Failure failure = describe_failure(error);
  const Complaint& complaint = failure.complaint;
  const Advice advice = find_advice(complaint);
  const py::object made =
      py::module_::import("dalembert.errors")
          .attr(type)(to_text(complaint), complaint.file, complaint.place.line, complaint.place.column, complaint.key,
                      complaint.problem, advice.expected, advice.remedy);
  PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
}

}  // namespace

/// What is not ours (no memory, an index of pybind11) is left to pybind11.
void register_errors() {
  py::register_exception_translator([](std::exception_ptr caught) {
    try {
      if (caught) std::rethrow_exception(caught);
    } catch (const FormulaError& error) {
      raise("FormulaError", error);
    } catch (const InputError& error) {
      raise("ModelError", error);
    } catch (const OutputError& error) {
      raise("OutputError", error);
    } catch (const LimitError& error) {
      raise("LimitError", error);
    } catch (const ComputationError& error) {
      raise("ComputationError", error);
    }
  });
}

}  // namespace dalembert::python

PYBIND11_MODULE(_core, module) {
  using namespace dalembert::python;
  module.doc() = "The engine of dalembert. The package dalembert is what is meant to be used.";
  register_errors();
  declare_expressions(module);
  declare_trajectory(module);
  declare_reports(module);
  declare_studies(module);
  declare_equations(module);
  declare_description(module);
  declare_model(module);
  declare_sweep(module);
  declare_searches(module);
  bind_expressions(module);
  bind_trajectory(module);
  bind_reports(module);
  bind_studies(module);
  bind_equations(module);
  bind_model(module);
  bind_commands(module);
  bind_description(module);
  bind_sweep(module);
  bind_searches(module);
  module.def("_fields", field_annotations);
  module.def("_printable", &dalembert::printable);
  module.attr("__version__") = DALEMBERT_VERSION;
}
