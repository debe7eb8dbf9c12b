#include <dalembert/study/sweep.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/fnv.hpp"

namespace dalembert {
namespace {

void add(Fnv& hash, const std::vector<Text>& texts) {
  hash.add(fmt::format("{}", texts.size()));
  for (const Text& text : texts) hash.add(text.text);
}

/// What a model reads from other files; one that cannot be read is refused where the model is made.
void add_files(Fnv& hash, const Description& model) {
  for (const auto& input : model.inputs) {
    if (input.what.file.empty()) continue;
    std::ostringstream text;
    text << std::ifstream(std::filesystem::path(model.file).parent_path() / input.what.file.text, std::ios::binary)
                .rdbuf();
    hash.add(std::move(text).str());
  }
}

}  // namespace

std::string make_fingerprint(const Description& model, const Sweep& sweep) {
  Fnv hash;
  hash.add(write_toml(model));
  add_files(hash, model);
  hash.add(fmt::format("{} {} {} {}", static_cast<int>(sweep.kind), sweep.count, sweep.seed, sweep.axes.size()));
  for (const SweepAxis& axis : sweep.axes) {
    hash.add(axis.name.text);
    for (const double value : axis.values) hash.add(fmt::format("{:a}", value));
  }
  for (const SweepKeep& keep : sweep.keep) add(hash, {keep.name, keep.formula});
  if (sweep.section) {
    add(hash, sweep.section->events);
    add(hash, {sweep.section->when, sweep.section->direction, sweep.section->every});
    hash.add(fmt::format("{}", sweep.section->skip));
    add(hash, sweep.section->columns);
  }
  add(hash, sweep.motion);
  add(hash, {sweep.until, sweep.every, sweep.tolerance});
  for (const Override& override : sweep.set) add(hash, {override.name, override.value});
  return hash.digits();
}

}  // namespace dalembert
