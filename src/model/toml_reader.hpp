#pragma once
// A TOML file's tables and values with their places, in the order written, and errors that name file, line and key:
// what readers of model and study files share. Included where a file is read only: it brings the library.

#include <fmt/format.h>

// toml++ 3.3 asserts that a key begins with a key's character, and refuses it with a proper error in the next line.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <dalembert/model/description.hpp>

#include "model/plain_toml.hpp"
#include "model/source.hpp"

namespace dalembert {

/// A text read by the library. Throws ModelError with the place where it is no TOML, or too large.
struct ParsedToml {
  ParsedToml(std::string_view text, const std::string& file);

  PlainToml plain;
  toml::table root;
};

/// Reads one file: tables and values, checked as they are asked for.
class TomlReader {
 public:
  /// `plain` is what the library read of `text`.
  TomlReader(std::string_view text, const PlainToml& plain, std::string file)
      : source_(text), plain_(plain), file_(std::move(file)) {}

 protected:
  struct Item {
    std::string key;
    Place place;  // of the key
    const toml::node* node;
  };

  Place place_of(const toml::source_region& region) const {
    return plain_.written({region.begin.line, region.begin.column});
  }
  Place place_of(const toml::node& node) const { return place_of(node.source()); }

  [[noreturn]] void fail(Place place, const std::string& key, std::string problem, std::string remedy) const {
    throw ModelError({file_, place, key, std::move(problem), std::move(remedy)});
  }
  [[noreturn]] void fail_type(const toml::node& node, const std::string& key, std::string_view expected) const {
    fail(place_of(node), key, fmt::format("expected {}, found {}", expected, kind_of(node)), "");
  }

  static std::string path(const std::string& table, std::string_view key) {
    return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
  }

  // ------------------------------------------------------------------------------------------ tables

  /// The entries in the order written (the library sorts them by name).
  std::vector<Item> items(const toml::table& table) const {
    std::vector<Item> result;
    for (auto&& [key, node] : table) result.push_back({std::string(key.str()), place_of(key.source()), &node});
    std::ranges::stable_sort(result, [](const Item& a, const Item& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return result;
  }

  void check_keys(const toml::table& table, const std::string& where, const std::vector<std::string>& known) const {
    for (const Item& item : items(table)) {
      if (std::ranges::find(known, item.key) != known.end()) continue;
      std::string nearest = nearest_name(item.key, known);
      fail(item.place, path(where, item.key), "unknown key",
           nearest.empty() ? fmt::format("expected one of {}", fmt::join(known, ", "))
                           : fmt::format("did you mean '{}'?", nearest));
    }
  }

  const toml::table& table(const toml::node& node, const std::string& key) const {
    if (const toml::table* found = node.as_table()) return *found;
    fail_type(node, key, "a table");
  }

  template <class Use>
  void each(const toml::table& root, const std::string& section, Use&& use) const {
    if (const toml::node* node = root.get(section))
      for (const Item& item : items(table(*node, section))) use(item, path(section, item.key));
  }

  Text name_of(const Item& item) const {
    std::string_view quoted = source_.from(item.place);
    bool quote = quoted.starts_with('"') || quoted.starts_with('\'');
    return {item.key, {item.place.line, item.place.column + (quote ? 1 : 0)}};
  }

  // ------------------------------------------------------------------------------------------ values

  /// A number or a formula.
  Text formula(const toml::node& node, const std::string& key) const {
    if (node.is_string()) return string(node, key);
    if (const auto* integer = node.as_integer()) return {std::to_string(integer->get()), place_of(node)};
    if (node.is_floating_point()) return decimal(node, key);
    fail_type(node, key, "a number or a formula in quotes");
  }

  /// The digits as written: the library has already rounded its own value.
  Text decimal(const toml::node& node, const std::string& key) const {
    std::string digits;
    for (char c : source_.from(place_of(node))) {
      if (c == '_' || (c == '+' && digits.empty())) continue;
      if ((c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') break;
      digits += c;
    }
    if (digits.empty() || digits == "-")
      fail(place_of(node), key, "a number that is not finite", "write a finite number");
    return {digits, place_of(node)};
  }

  Text string(const toml::node& node, const std::string& key) const {
    const auto* value = node.as_string();
    if (value == nullptr) fail_type(node, key, "a text in quotes");
    Place place = place_of(node);
    std::string_view source = source_.from(place);
    if (source.starts_with("\"\"\"") || source.starts_with("'''")) {
      source.remove_prefix(3);
      bool breaks = source.starts_with("\n") || source.starts_with("\r\n");  // not part of the text
      place = breaks ? Place{place.line + 1, 1} : Place{place.line, place.column + 3};
    } else {
      ++place.column;
    }
    return {value->get(), place};
  }

  std::vector<Text> strings(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) fail_type(node, key, "a list of names");
    std::vector<Text> result;
    for (const toml::node& part : *list) result.push_back(string(part, key));
    return result;
  }

  Text string_at(const toml::table& from, const std::string& key) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? string(*node, key) : Text();
  }
  Text string_at(const toml::table& from, const std::string& where, const char* key, Text otherwise) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? string(*node, path(where, key)) : otherwise;
  }
  Text formula_at(const toml::table& from, const std::string& where, const char* key, Text otherwise = {}) const {
    const toml::node* node = from.get(key);
    return node != nullptr ? formula(*node, path(where, key)) : otherwise;
  }

  const std::string& file() const { return file_; }

 private:
  static std::string_view kind_of(const toml::node& node);

  Source source_;
  const PlainToml& plain_;
  std::string file_;
};

}  // namespace dalembert
