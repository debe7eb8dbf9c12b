#include "model/toml_reader.hpp"

#include "model/limits.hpp"

namespace dalembert {
namespace {

/// "m = 1,5": a comma where TOML expects the end of the line.
bool has_decimal_comma(std::string_view line) {
  auto skip = [&](std::string_view characters) {
    line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
  };
  line = line.substr(0, line.find('\n'));
  line.remove_prefix(std::min(line.find('='), line.size()));
  skip("= \t+-");
  const std::size_t before = line.size();
  skip("0123456789");
  return line.size() < before && line.size() > 1 && line[0] == ',' && line[1] >= '0' && line[1] <= '9';
}

std::string_view checked(std::string_view text, const std::string& file) {
  if (text.size() > limits::file_size)
    throw ModelError(
        {file,
         {},
         "",
         fmt::format("the file has {} bytes, more than {} (limit `file_size`)", text.size(), limits::file_size),
         "a large model is a short file with [repeat]"});
  return text;
}

}  // namespace

std::string_view TomlReader::kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

ParsedToml::ParsedToml(std::string_view text, const std::string& file) : plain(checked(text, file), file) {
  try {
    root = toml::parse(plain.text(), file);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    const Place place = plain.written({at.line, at.column});
    bool comma = has_decimal_comma(Source(text).from({place.line, 1}));
    throw ModelError({file, place, "", std::string(error.description()),
                      comma ? "write decimals with a point, as 1.5" : "expected a TOML file"});
  }
}

}  // namespace dalembert
