// Many motions of one model.

#include <dalembert/study/sweep.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

using Texts = std::vector<std::string>;
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

SweepKind kind_of(const std::string& name) {
  if (name == "grid") return SweepKind::grid;
  if (name == "list") return SweepKind::list;
  if (name == "random") return SweepKind::random;
  if (name == "sobol") return SweepKind::sobol;
  throw InputError({"", {}, "kind", "there is no kind of sweep " + name, "use grid, list, random or sobol"});
}

std::vector<Text> to_texts(const Texts& texts) { return {texts.begin(), texts.end()}; }

std::optional<SweepSection> make_section(const Texts& events, const std::string& when, const std::string& direction,
                                         const std::string& every, std::size_t skip, const Texts& columns) {
  if (events.empty() && when.empty() && every.empty()) return {};
  return SweepSection{to_texts(events), when, direction, every, skip, to_texts(columns)};
}

SweepResult run(const LoadedModel& self, Sweep sweep, std::size_t threads, py::object show) {
  Unlocked unlocked(std::move(show));
  SweepOptions options{.threads = threads,
                       .progress = [&](std::size_t done) { unlocked(static_cast<double>(done)); },
                       .stop = unlocked.stop()};
  sweep.set = self.overrides();
  SweepResult result = run_sweep(self.description(), sweep, options);
  unlocked.finish();
  return result;
}

}  // namespace

void declare_sweep(py::module_& module) {
  Record<SweepTable>::declare(module, "SweepTable", "Rows of numbers, with texts behind them.");
  Record<SweepResult>::declare(module, "SweepResult", "The tables of a sweep.");
  py::class_<Sweep>(module, "Sweep", "Which runs, and what is kept of them.");
}

void bind_sweep(py::module_&) {
  Record<SweepTable>()
      .field("name", &SweepTable::name)
      .field("columns", &SweepTable::columns)
      .field("labels", &SweepTable::labels)
      .field("texts", &SweepTable::texts)
      .property("numbers", "NDArray[np.float64]", [](const SweepTable& self, py::handle owner) {
        constexpr py::ssize_t width = sizeof(double);
        const auto rows = static_cast<py::ssize_t>(self.size()),
                   columns = static_cast<py::ssize_t>(self.columns.size());
        return view(self.numbers.data(), {rows, columns}, {columns * width, width}, owner);
      });
  Record<SweepResult>().field("tables", &SweepResult::tables);
  py::class_<Sweep> type(py::reinterpret_borrow<py::object>(py::type::of<Sweep>()));
  type.def(py::init([](const std::string& kind, const std::vector<std::pair<std::string, std::vector<double>>>& axes,
                       std::size_t count, std::uint64_t seed) {
             Sweep sweep{.kind = kind_of(kind), .count = count, .seed = seed};
             for (const auto& [name, values] : axes) sweep.axes.push_back({name, values});
             return sweep;
           }),
           py::arg("kind"), py::arg("axes"), py::arg("count"), py::arg("seed"))
      .def("keep",
           [](Sweep& self, const NamedTexts& formulas) {
             for (const auto& [name, formula] : formulas) self.keep.push_back({name, formula});
           })
      .def("section",
           [](Sweep& self, const Texts& events, const std::string& when, const std::string& direction,
              const std::string& every, std::size_t skip,
              const Texts& columns) { self.section = make_section(events, when, direction, every, skip, columns); })
      .def("motion", [](Sweep& self, const Texts& formulas) { self.motion = to_texts(formulas); })
      .def("times",
           [](Sweep& self, const std::string& until, const std::string& every, const std::string& tolerance) {
             self.until = until;
             self.every = every;
             self.tolerance = tolerance;
           })
      .def("count_runs", [](const Sweep& self) { return count_runs(self); });
  Record<LoadedModel>().type().def("sweep", run, py::arg("sweep"), py::arg("threads"), py::arg("show"));
}

}  // namespace dalembert::python
