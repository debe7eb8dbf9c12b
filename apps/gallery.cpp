#include <fmt/format.h>

#include <algorithm>
#include <dalembert/report/gallery.hpp>
#include <dalembert/report/page.hpp>
#include <dalembert/report/picture.hpp>
#include <dalembert/report/report.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "model_options.hpp"
#include "output.hpp"
#include "principle.hpp"

using namespace dalembert;

namespace {

struct GalleryArguments {
  std::vector<std::string> models;
  std::string folder;
};

/// "models:pendulum" and "some/pendulum.toml" are both pendulum.
std::string page_name(const std::string& model) {
  const std::string bundled = "models:";
  return model.starts_with(bundled) ? model.substr(bundled.size()) : std::filesystem::path(model).stem().string();
}

/// The page of one model in the folder, and its entry in the list.
GalleryEntry add_model(const std::string& name, const std::string& folder) {
  ModelOptions which;
  which.model = name;
  Model model = load_start(which).model;
  const System system(derive_motion(model, "multipliers"));
  const SimulateSettings& own = system.model().simulate;
  SimulateOptions plan;
  plan.every = page_interval(own.until, own.every);
  const Trajectory motion = system.simulate(plan);
  const Scene scene = make_scene(system.model(), motion);
  GalleryEntry entry{model.name, model.about, page_name(name) + ".html", {}};
  if (scene.remark.empty() && !motion.rows.empty()) {
    const double last = motion.rows.back()[0], middle = motion.rows[motion.rows.size() / 3][0];
    entry.picture = write_picture(scene, motion, {.times = {0, std::min(middle, last)}, .width = 300, .height = 200});
  }
  write_file((std::filesystem::path(folder) / entry.page).string(),
             write_page(system, motion, {.tolerance = own.tolerance}));
  return entry;
}

/// Known before anything is written: each can be read, and no page would take another's place.
void check_models(const std::vector<std::string>& names) {
  std::map<std::string, std::string> pages;
  for (const std::string& name : names) {
    read_description(find_model(name));
    const auto [known, added] = pages.emplace(page_name(name), name);
    if (!added)
      throw InputError({"",
                        {},
                        "MODEL",
                        fmt::format("{} and {} would both be {}.html", known->second, name, known->first),
                        "give each once, or rename a file"});
  }
}

ExitStatus run(const GalleryArguments& options) {
  std::vector<std::string> names = options.models;
  if (names.empty())
    for (const ModelFile& file : list_models()) names.push_back("models:" + file.name);
  check_models(names);
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error)
    throw InputError({options.folder, {}, "--output", "the folder cannot be made: " + error.message(), "name another"});
  const auto file_of = [&](const std::string& page) { return (std::filesystem::path(options.folder) / page).string(); };
  for (const std::string& name : names) try_file(file_of(page_name(name) + ".html"));
  try_file(file_of("index.html"));
  std::vector<GalleryEntry> entries;
  for (const std::string& name : names) {
    entries.push_back(add_model(name, options.folder));
    say(fmt::format("{}\n", file_of(entries.back().page)));
  }
  write_file(file_of("index.html"), write_gallery(entries));
  return ExitStatus::fine;
}

}  // namespace

void add_gallery(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<GalleryArguments>();
  CLI::App* command = app.add_subcommand("gallery", "A folder of pages, one a model, with a list of pictures");
  command->add_option("MODEL", options->models, "Model files, or models:NAME; all bundled ones where none is named");
  command->add_option("-o,--output", options->folder, "Folder to write to; made where there is none")->required();
  command->footer("Example: dalembert gallery models:pendulum models:rolling_disk_body -o gallery");
  command->callback([options, &status] { status = run(*options); });
}
