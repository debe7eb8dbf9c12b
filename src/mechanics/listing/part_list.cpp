#include "mechanics/listing/part_list.hpp"

#include <algorithm>
#include <dalembert/expr/print.hpp>

#include "mechanics/listing/share.hpp"
#include "mechanics/listing/unit_norm.hpp"

namespace dalembert {

PartList::PartList(const Model& model) : model_(model), taken_(names_in(model)) {}

std::string PartList::free_name(const std::string& prefix, const std::string& of) const {
  std::string between = "_";
  while (taken_.contains(prefix + between + of)) between += "_";
  return prefix + between + of;
}

Vec PartList::name_vector(NamedPart::Kind kind, const std::string& name, const std::string& axes, const Vec& value) {
  if (value.shown.kind == Shown::Kind::name && value.shown.text == name) return value;  // it has that name already
  Graph& graph = value.value[0].graph();
  Line line{kind, name, axes, value, {}};
  Vector3 symbols = value.value;
  for (std::size_t c = 0; c < 3; ++c) {
    if (is_brief(value.value[c])) continue;
    line.components[c] = name + "." + "xyz"[c];
    symbols[c] = graph.symbol(line.components[c]);
  }
  if (symbols == value.value) return make_literal(value.value);
  for (int c = 0; c < 3; ++c) by_symbol_[name + "." + "xyz"[c]] = {lines_.size(), c};
  by_symbol_[name] = {lines_.size(), -1};
  lines_.push_back(std::move(line));
  return {symbols, show_name(name), false};
}

void PartList::define(NamedPart::Kind kind, const std::string& name, Expr value) {
  Line line{kind, name, "", {{value, value, value}, {}, true}, {name, "", ""}};
  line.is_scalar = true;
  by_symbol_[name] = {lines_.size(), 0};
  lines_.push_back(std::move(line));
}

void PartList::need(const Expr& expression) {
  for (const Expr& symbol : free_symbols({&expression, 1}))
    if (auto found = by_symbol_.find(symbol.name()); found != by_symbol_.end())
      lines_[found->second.first].needed[static_cast<std::size_t>(found->second.second)] = true;
}

void PartList::need(const Shown& shown) {
  for (const Shown& child : shown.children) need(child);
  if (shown.kind != Shown::Kind::name) return;
  auto found = by_symbol_.find(shown.text);
  if (found == by_symbol_.end()) return;
  Line& line = lines_[found->second.first];
  if (found->second.second < 0)
    line.needed = {true, true, true};
  else
    line.needed[static_cast<std::size_t>(found->second.second)] = true;
}

/// Whether all components are written: those that have no name of their own as well, where all others are needed.
bool PartList::is_whole(const Line& line) {
  bool all = !line.is_scalar;
  for (std::size_t c = 0; c < 3; ++c) all = all && (line.needed[c] || line.components[c].empty());
  return all;
}

/// Vector notation where all components are needed and it is shorter than them.
void PartList::choose_notation(Line& line) {
  if (!is_whole(line) || line.value.literal || !line.value.readable) return;
  std::size_t by_components = 0;
  for (const Expr& component : line.value.value) by_components += estimate_width(component);
  line.in_vectors = to_text(line.value.shown).size() < by_components;
}

std::vector<NamedPart> PartList::write_out(const Line& line) const {
  const Vector3& v = line.value.value;
  if (line.is_scalar) return {{line.kind, line.name, "", {v[0]}, {}}};
  if (is_whole(line)) {
    std::optional<Shown> vector = line.in_vectors ? std::optional(line.value.shown) : std::nullopt;
    return {{line.kind, line.name, line.axes, {v[0], v[1], v[2]}, std::move(vector)}};
  }
  std::vector<NamedPart> parts;
  for (std::size_t c = 0; c < 3; ++c)
    if (line.needed[c]) parts.push_back({line.kind, line.name + "." + "xyz"[c], "", {v[c]}, {}});
  return parts;
}

std::vector<NamedPart> PartList::finish(std::vector<Expr>& results) {
  const OnUnitQuaternions on_unit(model_);
  for (Expr& result : results) result = on_unit(substitute(result, numbers_));
  for (Line& line : lines_)
    for (Expr& component : line.value.value) component = on_unit(substitute(component, numbers_));
  for (const Expr& result : results) need(result);
  for (std::size_t i = lines_.size(); i-- > 0;) {
    Line& line = lines_[i];
    if (line.needed == std::array{false, false, false}) continue;
    choose_notation(line);
    if (line.in_vectors) {
      need(line.value.shown);
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (line.needed[c] || is_whole(line)) need(line.value.value[c]);
  }
  std::vector<NamedPart> parts;
  for (const Line& line : lines_)
    if (line.needed != std::array{false, false, false})
      for (NamedPart& part : write_out(line)) parts.push_back(std::move(part));
  std::ranges::stable_sort(parts, {}, &NamedPart::kind);  // no motion depends on a load
  return share_parts(model_, std::move(parts), results, given_);
}

}  // namespace dalembert
