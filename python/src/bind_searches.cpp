// inverse, periodic and fit: motions that are looked for.

#include <dalembert/report/fit.hpp>
#include <dalembert/report/periodic.hpp>
#include <dalembert/study/inverse.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

InverseMotion inverse(const LoadedModel& self, std::optional<double> until, std::optional<double> every,
                      std::optional<double> tolerance, py::object show) {
  Unlocked unlocked(std::move(show));
  const Description& description = self.description();
  InverseOptions plan{.until = until,
                      .every = every,
                      .tolerance = tolerance,
                      .progress = [&](double t) { unlocked(t); },
                      .stop = unlocked.stop()};
  for (std::size_t k = 0; k < description.inverse.follow.size(); ++k) {
    plan.follow.push_back(followed_name(description, k));
    plan.shown.push_back(description.inverse.follow[k].name.text);
  }
  for (const Text& input : description.inverse.by) plan.by.push_back(input.text);
  const auto with = [&](Followed as) { return self.with(with_followed(description, as)); };
  const Model bound = unlocked.ask([&] { return with(Followed::constraints)->started(); });
  InverseMotion found = solve_inverse(bound, fork(with(Followed::outputs)->model()), plan);
  unlocked.finish();
  return found;
}

PeriodicMotion periodic(const LoadedModel& self, const std::vector<std::string>& free, std::optional<double> period,
                        std::optional<double> tolerance) {
  const Description& description = self.description();
  PeriodicOptions plan{.free = free, .period = period, .tolerance = tolerance};
  if (plan.free.empty())
    for (const Text& name : description.periodic.free) plan.free.push_back(name.text);
  if (!description.periodic.section.empty()) plan.section = section_name(description);
  if (!description.periodic.period.empty()) plan.period_name = period_name(description);
  return find_periodic(self.with(with_section(description))->started(), plan);
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Columns of numbers as the table of a file; what is not finite was not measured.
CsvTable make_table(const std::vector<std::string>& columns, const Numbers& numbers) {
  CsvTable table{"", columns, {}, {}};
  const auto numbers_of = numbers.unchecked<2>();
  for (py::ssize_t i = 0; i < numbers_of.shape(0); ++i) {
    auto& row = table.rows.emplace_back(columns.size());
    table.lines.push_back(static_cast<std::size_t>(i) + 1);
    for (py::ssize_t k = 0; k < numbers_of.shape(1); ++k)
      if (std::isfinite(numbers_of(i, k))) row[static_cast<std::size_t>(k)] = numbers_of(i, k);
  }
  return table;
}

using Bounds = std::vector<std::tuple<std::string, double, double>>;

Fit fit_model(const LoadedModel& self, const CsvTable& data, const Bounds& parameters,
              const std::vector<std::string>& columns, const NamedNumbers& deviations,
              std::optional<double> tolerance) {
  FitOptions plan{.columns = columns, .deviations = deviations, .tolerance = tolerance};
  for (const auto& [name, low, high] : parameters) plan.parameters.push_back({name, low, high});
  return fit(self.started(), data, plan);
}

void bind_fit() {
  Record<FittedParameter>()
      .field("name", &FittedParameter::name)
      .field("start", &FittedParameter::start)
      .field("value", &FittedParameter::value)
      .field("deviation", &FittedParameter::deviation)
      .field("at_bound", &FittedParameter::at_bound);
  Record<FittedColumn>()
      .field("name", &FittedColumn::name)
      .field("deviation", &FittedColumn::deviation)
      .field("residual", &FittedColumn::residual)
      .field("count", &FittedColumn::count);
  Record<Fit>()
      .field("parameters", &Fit::parameters)
      .field("covariance", &Fit::covariance)
      .field("correlation", &Fit::correlation)
      .field("not_identifiable", &Fit::not_identifiable)
      .field("columns", &Fit::columns)
      .field("residual", &Fit::residual)
      .field("motions", &Fit::motions)
      .field("converged", &Fit::converged)
      .field("residuals", &Fit::residuals)
      .field("notes", &Fit::notes)
      .property("values", "dict[str, float]",
                [](const Fit& self, py::handle) {
                  py::dict values;
                  for (const FittedParameter& each : self.parameters) values[py::str(each.name)] = each.value;
                  return py::object(values);
                })
      .reported(write_text, write_json)
      .type()
      .def("__bool__", [](const Fit& self) { return self.converged; })
      .def("svg", py::overload_cast<const Fit&, const std::string&>(write_svg), py::arg("title") = "",
           "The residuals over time, as a drawing.");
}

}  // namespace

void declare_searches(py::module_& module) {
  Record<InverseMotion>::declare(module, "InverseMotion", "A motion with the inputs that make it.");
  Record<PeriodicMotion>::declare(module, "PeriodicMotion", "A motion that comes back, with Floquet's multipliers.");
  Record<FittedParameter>::declare(module, "FittedParameter",
                                   "A parameter from measurements, and how well it is known.");
  Record<FittedColumn>::declare(module, "FittedColumn", "How well a measured column is met.");
  Record<Fit>::declare(module, "Fit", "Parameters from measurements: fit.values are arguments of simulate.");
  py::class_<CsvTable>(module, "CsvTable", "Measured columns.");
}

void bind_searches(py::module_& module) {
  Record<InverseMotion>().field("motion", &InverseMotion::motion).field("index", &InverseMotion::index);
  Record<PeriodicMotion>()
      .field("period", &PeriodicMotion::period)
      .field("start", &PeriodicMotion::start)
      .field("coordinates", &PeriodicMotion::coordinates)
      .field("found", &PeriodicMotion::found)
      .field("state", &PeriodicMotion::state)
      .field("multipliers", &PeriodicMotion::multipliers)
      .field("has_own", &PeriodicMotion::has_own)
      .field("stable", &PeriodicMotion::stable)
      .field("verdict", &PeriodicMotion::verdict)
      .field("residual", &PeriodicMotion::residual)
      .field("iterations", &PeriodicMotion::iterations)
      .field("notes", &PeriodicMotion::notes)
      .reported(write_text, write_json);
  bind_fit();
  Record<LoadedModel>().type().def("inverse", inverse).def("periodic", asked(periodic)).def("fit", asked(fit_model));
  module.def("_read_csv", read_csv);
  module.def("_make_table", make_table);
}

}  // namespace dalembert::python
