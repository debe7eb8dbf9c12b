#include <dalembert/model/description.hpp>
#include <fstream>

#include "model/limits.hpp"
#include "model/read_text.hpp"

namespace dalembert {

std::string read_text(const std::string& path, const std::string& remedy) {
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  char block[1 << 16];
  while (text.size() <= limits::file_size && (stream.read(block, sizeof block), stream.gcount() > 0))
    text.append(block, static_cast<std::size_t>(stream.gcount()));
  if (!stream.is_open() || stream.bad()) throw ModelError({path, {}, "", "the file cannot be read", remedy});
  return text;
}

Description read_description(const std::string& path) {
  return parse_description(read_text(path, "give the path of a model file, or models:NAME"), path);
}

Model load_model(const std::string& name_or_path, const Overrides& overrides, const std::string& package) {
  return make_model(read_description(find_model(name_or_path, package)), overrides);
}

}  // namespace dalembert
