#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <dalembert/model/description.hpp>
#include <filesystem>

// Where the bundled models are: what DALEMBERT_MODELS says, beside the running program as installed (so that a moved
// installation still finds them), the source tree of a build, the place of installation.

namespace dalembert {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> candidates() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("DALEMBERT_MODELS")) folders.emplace_back(given);
  std::error_code none;
  fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (!none) folders.push_back(program.parent_path().parent_path() / "share" / "dalembert" / "models");
#ifdef DALEMBERT_MODELS_FOLDER
  folders.emplace_back(DALEMBERT_MODELS_FOLDER);
#endif
#ifdef DALEMBERT_INSTALLED_MODELS
  folders.emplace_back(DALEMBERT_INSTALLED_MODELS);
#endif
  return folders;
}

fs::path models_folder() {
  std::error_code none;
  for (const fs::path& folder : candidates())
    if (fs::is_directory(folder, none)) return folder;
  throw ModelError({"", {}, "models", "the bundled models are not found", "set DALEMBERT_MODELS to their folder"});
}

std::vector<std::string> model_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<ModelFile> list_models() {
  std::vector<ModelFile> models;
  fs::path folder = models_folder();
  for (const std::string& name : model_names(folder)) {
    std::string path = folder / (name + ".toml");
    models.push_back({name, read_description(path).about, path});
  }
  return models;
}

std::string find_model(const std::string& name_or_path) {
  constexpr std::string_view prefix = "models:";
  if (!name_or_path.starts_with(prefix)) return name_or_path;
  std::string name = name_or_path.substr(prefix.size());
  fs::path folder = models_folder();
  std::vector<std::string> names = model_names(folder);
  if (std::ranges::find(names, name) != names.end()) return folder / (name + ".toml");
  std::string nearest = nearest_name(name, names);
  throw ModelError(
      {"",
       {},
       name_or_path,
       "there is no bundled model of that name",
       nearest.empty() ? "`dalembert models` lists them" : fmt::format("did you mean 'models:{}'?", nearest)});
}

}  // namespace dalembert
