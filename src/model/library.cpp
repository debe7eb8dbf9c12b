#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dalembert/model/description.hpp>
#include <filesystem>
#include <memory>

// Where the bundled models are is said in description.hpp. No path of a build or an installation is compiled in here,
// so that either may be moved.

namespace dalembert {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

fs::path models_folder(const std::string& package) {
  if (const char* given = std::getenv("DALEMBERT_MODELS")) {
    if (is_folder(given)) return given;
    throw ModelError({"",
                      {},
                      "DALEMBERT_MODELS",
                      fmt::format("'{}' is not a folder", given),
                      "set it to the folder of the bundled models, or unset it"});
  }
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path inside = fs::path("share") / "dalembert" / "models", beside = program.parent_path();
  for (const fs::path& folder : {beside / inside, beside.parent_path() / inside, fs::path(package)})
    if (is_folder(folder)) return fs::canonical(folder);
  throw ModelError({"", {}, "models", "the bundled models are not found", "set DALEMBERT_MODELS to their folder"});
}

std::vector<std::string> model_names(const fs::path& folder) {
  std::vector<std::string> names;
  // The standard library's iterator ends the program where memory does.
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open && errno == ENOMEM) throw std::bad_alloc();
  if (!open) throw ModelError({folder, {}, "", "the folder of bundled models cannot be read", "make it readable"});
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name, ending = ".toml";
    if (name.ends_with(ending)) names.emplace_back(name.substr(0, name.size() - ending.size()));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<ModelFile> list_models(const std::string& package) {
  std::vector<ModelFile> models;
  fs::path folder = models_folder(package);
  for (const std::string& name : model_names(folder)) {
    std::string path = folder / (name + ".toml");
    models.push_back({name, read_description(path).about, path});
  }
  return models;
}

std::string find_model(const std::string& name_or_path, const std::string& package) {
  constexpr std::string_view prefix = "models:";
  const bool bundled = name_or_path.starts_with(prefix);
  std::error_code none;
  if (!bundled && (name_or_path.find_first_of("./") != std::string::npos || fs::exists(name_or_path, none)))
    return name_or_path;
  std::string name = bundled ? name_or_path.substr(prefix.size()) : name_or_path;
  fs::path folder = models_folder(package);
  std::vector<std::string> names = model_names(folder);
  const bool known = std::ranges::find(names, name) != names.end();
  if (known && bundled) return folder / (name + ".toml");
  if (known)
    throw ModelError({name, {}, "", "there is no such file", fmt::format("models:{} is the bundled model", name)});
  if (!bundled) return name_or_path;
  std::string nearest = nearest_name(name, names);
  throw ModelError(
      {"",
       {},
       name_or_path,
       "there is no bundled model of that name",
       nearest.empty() ? "`dalembert models` lists them" : fmt::format("did you mean 'models:{}'?", nearest)});
}

}  // namespace dalembert
