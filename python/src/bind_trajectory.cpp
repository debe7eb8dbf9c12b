// A motion: columns as views, how it ended, files.

#include <dalembert/report/gallery.hpp>
#include <dalembert/report/page.hpp>
#include <dalembert/report/picture.hpp>
#include <dalembert/report/report.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"
#include "record.hpp"

namespace dalembert::python {
namespace {

/// The numbers alone, alive as long as an array looks at them.
py::object owner_of(const Table& rows) {
  using Data = std::shared_ptr<const double[]>;
  return py::capsule(new Data(rows.data()), [](void* data) { delete static_cast<Data*>(data); });
}

py::object column(const Trajectory& run, const std::string& name) {
  const std::span<const double> numbers = run[name];
  return view(numbers.data(), numbers.size(), owner_of(run.rows));
}

py::object all_rows(const Trajectory& run) {
  constexpr py::ssize_t width = sizeof(double);
  const auto rows = static_cast<py::ssize_t>(run.rows.size()),
             columns = static_cast<py::ssize_t>(run.rows.column_count());
  if (rows == 0 || columns == 0) return py::array_t<double>({rows, columns});
  const double* first = run.rows.column(0).data();
  const py::ssize_t stride = columns > 1 ? (run.rows.column(1).data() - first) * width : rows * width;
  return view(first, {rows, columns}, {width, stride}, owner_of(run.rows));
}

std::string make_page(const Trajectory& run, const LoadedModel& model, const std::string& by, bool with_joints,
                      const std::vector<std::string>& columns, const std::optional<PageBeside>& beside,
                      std::optional<std::size_t> served) {
  const System system = model.system(by, with_joints);
  return write_page(
      system, run,
      {.plot = columns, .tolerance = system.model().simulate.tolerance, .beside = beside, .served = served});
}

/// What a page that is served asks for.
std::string make_page_motion(const Trajectory& run, const LoadedModel& model) {
  return write_page_motion(run, parameter_values(model.model()));
}

PageBeside make_beside(const std::string& title, const Trajectory& run, const LoadedModel& model) {
  return {title, run, parameter_values(model.model())};
}

std::string list_pages(const std::vector<std::array<std::string, 4>>& entries) {
  std::vector<GalleryEntry> list;
  for (const auto& [title, about, page, picture] : entries) list.push_back({title, about, page, picture});
  return write_gallery(list);
}

std::string draw_picture(const Trajectory& run, const LoadedModel& model, const std::string& by,
                         const std::vector<double>& times, double width, double height) {
  return write_picture(make_scene(fork(model.system(by).model()), run), run,
                       {.times = times, .width = width, .height = height});
}

std::string write_as(const Trajectory& run, const std::string& path, const std::string& name,
                     const std::vector<std::string>& columns) {
  const Trajectory chosen = columns.empty() ? run : select_columns(run, columns);
  switch (file_kind(path)) {
    case FileKind::csv: return write_csv(chosen);
    case FileKind::json: return write_json(chosen);
    case FileKind::hdf5: return write_hdf5(chosen, name);
    case FileKind::svg: return write_svg(chosen, {name, columns});
    case FileKind::html: break;
    case FileKind::png:
      throw InputError({path, {}, "", "PNG files are written by the command only", "save it as .svg, or use plot()"});
  }
  return {};
}

}  // namespace

void declare_trajectory(py::module_& module) {
  Record<Trajectory>::declare(module, "Trajectory", "A motion: rows of numbers under named columns, and how it ended.");
  Record<EventRecord>::declare(module, "EventRecord", "An event or a contact that closed or opened.");
  Record<Impact>::declare(module, "Impact", "What velocities jumped by.");
  Record<Drift>::declare(module, "Drift", "How far something that should stay constant moved.");
  Record<Summary>::declare(module, "Summary", "How well what should be constant is.");
  Record<Statistics>::declare(module, "Statistics", "What the integration took.");
  py::class_<PageBeside>(module, "PageBeside", "A second motion for a page.");
  Record<State>::declare(module, "State", "A time with coordinates and velocities of equations.");
  Record<ModelState>::declare(module, "ModelState", "A time with the model's coordinates and their rates.");
}

void bind_trajectory(py::module_& module) {
  Record<State>().field("t", &State::t).field("q", &State::q).field("u", &State::u).field("choice", &State::choice);
  Record<ModelState>().field("t", &ModelState::t).field("q", &ModelState::q).field("rates", &ModelState::rates);
  Record<Impact>()
      .field("impulse", &Impact::impulse)
      .field("energy_lost", &Impact::energy_lost)
      .field("several_outcomes", &Impact::several_outcomes);
  Record<EventRecord>()
      .field("name", &EventRecord::name)
      .field("kind", &EventRecord::kind)
      .field("t", &EventRecord::t)
      .field("state", &EventRecord::state)
      .field("impact", &EventRecord::impact);
  Record<Drift>().field("name", &Drift::name).field("start", &Drift::start).field("largest", &Drift::largest);
  Record<Summary>()
      .field("largest_kinetic", &Summary::largest_kinetic)
      .field("energy", &Summary::energy)
      .field("balance", &Summary::balance)
      .field("integrals", &Summary::integrals)
      .field("largest_residual", &Summary::largest_residual);
  Record<Statistics>()
      .field("steps", &Statistics::steps)
      .field("rejected", &Statistics::rejected)
      .field("evaluations", &Statistics::evaluations)
      .field("projections", &Statistics::projections)
      .field("crossings", &Statistics::crossings)
      .field("selections", &Statistics::selections)
      .field("choices", &Statistics::choices)
      .field("seconds", &Statistics::seconds);
  Record<Trajectory> run;
  run.field("columns", &Trajectory::columns)
      .field("status", &Trajectory::status)
      .field("message", &Trajectory::message)
      .field("events", &Trajectory::events)
      .field("notes", &Trajectory::notes)
      .field("statistics", &Trajectory::statistics)
      .field("summary", &Trajectory::summary)
      .field("error", &Trajectory::error)
      .field("last", &Trajectory::last);
  run.shown_as([](const Trajectory& self) { return write_summary(self); });
  run.property("rows", "NDArray[np.float64]", [](const Trajectory& self, py::handle) { return all_rows(self); });
  run.type()
      .def("__getitem__", column, py::arg("column"))
      .def("__len__", [](const Trajectory& self) { return self.rows.size(); })
      .def("__bool__", [](const Trajectory& self) { return static_cast<bool>(self); })
      .def("brief", &Trajectory::brief, "How it ended, in a line.")
      .def(
          "to_json", [](const Trajectory& self) { return write_json(self); }, Unlock())
      .def("_write_as",
           [](const Trajectory& self, const std::string& path, const std::string& name,
              const std::vector<std::string>& columns) { return py::bytes(write_as(self, path, name, columns)); })
      .def("_page", asked(make_page))
      .def("_page_motion", make_page_motion, Unlock())

      .def("_picture", draw_picture, Unlock());
  module.def("_beside", make_beside, Unlock());
  module.def("_page_interval", page_interval);
  module.def("_write_gallery", list_pages);
  module.def("_waiting_page", write_waiting_page);
  module.def("_try_file", try_file);
  module.def("_write_file",
             [](const std::string& path, const py::bytes& contents) { write_file(path, std::string_view(contents)); });
}

}  // namespace dalembert::python
