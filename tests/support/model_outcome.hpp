#pragma once

#include <dalembert/model/description.hpp>
#include <fstream>
#include <optional>
#include <sstream>

namespace dalembert::testing_support {

/// Loads a text as a model. Nothing if it loads, or is refused with a place as it should be; else what is wrong.
inline std::optional<std::string> wrong_outcome(const std::string& text) {
  try {
    make_model(parse_description(text, "mutant.toml"));
  } catch (const ModelError& error) {
    if (error.complaint().place.line != 0) return std::nullopt;
    return std::string("no place: ") + error.what();
  } catch (const std::exception& error) {
    return std::string("not a ModelError: ") + error.what();
  }
  return std::nullopt;
}

/// The texts of the bundled models.
inline std::vector<std::string> bundled_texts() {
  std::vector<std::string> texts;
  for (const ModelFile& file : list_models()) {
    std::ostringstream text;
    text << std::ifstream(file.path).rdbuf();
    if (text.str().empty()) throw std::runtime_error("cannot read " + file.path);
    texts.push_back(text.str());
  }
  if (texts.empty()) throw std::runtime_error("there are no bundled models");
  return texts;
}

}  // namespace dalembert::testing_support
