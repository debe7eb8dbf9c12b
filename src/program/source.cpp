#include "program/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "program/draft.hpp"

namespace dalembert {
namespace {

constexpr std::size_t statements_per_function = 300;

std::size_t chunk_of(std::size_t i) { return i / statements_per_function; }

template <class... Parts>
void append(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

}  // namespace

SectionWriter::SectionWriter(std::string& text, const Section& section, std::string_view name, const Dialect& dialect,
                             std::size_t first_output)
    : text_(text),
      section_(section),
      name_(name),
      dialect_(dialect),
      first_output_(first_output),
      last_use_(section.value_count(), 0) {
  for (std::size_t i = 0; i < section.code.size(); ++i) read_operands(i);
  for (std::uint32_t i = 0; i < section.results.size(); ++i) {
    std::uint32_t value = section.results[i];
    last_use_[value] = std::max(last_use_[value], std::size_t{1});
    outputs_.emplace_back(value, i);
  }
  std::ranges::sort(outputs_);
  slot_.assign(section.value_count(), 0);
  ends_.resize(chunk_of(section.code.size()) + 1);
}

void SectionWriter::read_operands(std::size_t i) {
  const Instruction& one = section_.code[section_.code[i].op == Opcode::second ? i - 1 : i];  // cos reads its argument
  for (int k = 0; k < operand_count(one.op); ++k) last_use_[operand(one, k)] = chunk_of(i) + 1;
}

std::pair<std::size_t, std::size_t> SectionWriter::run() {
  std::size_t chunks = (section_.code.size() + statements_per_function - 1) / statements_per_function;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) write_function(chunk);
  return {chunks, slot_count_};
}

void SectionWriter::write_leaf_outputs() {
  constexpr std::size_t least_in_a_loop = 8;
  const auto& results = section_.results;
  for (std::size_t i = 0, end = 0; i < results.size(); i = end) {
    for (end = i + 1; end < results.size() && results[end] == results[i];) ++end;
    if (results[i] >= section_.first_result()) continue;
    const std::string value = text_of(results[i]);
    if (end - i >= least_in_a_loop) {
      append(text_, "  for ({} i = {}; i < {}; ++i) y[i] = {};\n", dialect_.counter, first_output_ + i,
             first_output_ + end, value);
      continue;
    }
    for (; i < end; ++i) append(text_, "  y[{}] = {};\n", first_output_ + i, value);
  }
}

std::string SectionWriter::text_of(std::uint32_t value) const {
  if (value < section_.first_held()) return dialect_.number(section_.constants[value]);
  if (value < section_.first_input()) return fmt::format("h[{}]", value - section_.first_held());
  if (value < section_.first_result()) return fmt::format("x[{}]", value - section_.first_input());
  std::size_t i = value - section_.first_result();
  return chunk_of(i) == chunk_ ? fmt::format("t{}", i) : fmt::format("v[{}]", slot_[value]);
}

/// `second` is given the argument of the sincos before it.
std::string SectionWriter::operation(std::size_t i) const {
  const Instruction& one = section_.code[i];
  const int operands = operand_count(one.op);
  if (one.op == Opcode::second)
    return dialect_.operation(one.op, dialect_.helper, text_of(section_.code[i - 1].a), "", "");
  return dialect_.operation(one.op, dialect_.helper, operands > 0 ? text_of(one.a) : "",
                            operands > 1 ? text_of(one.b) : "", operands > 2 ? text_of(one.c) : "");
}

void SectionWriter::write_function(std::size_t chunk) {
  chunk_ = chunk;
  std::size_t begin = chunk * statements_per_function;
  std::size_t end = std::min(begin + statements_per_function, section_.code.size());
  append(text_, fmt::runtime(dialect_.open), fmt::format("{}_{}", name_, chunk));
  for (std::size_t i = begin; i < end; ++i) {
    auto value = static_cast<std::uint32_t>(section_.first_result() + i);
    if (last_use_[value] == 0) continue;
    append(text_, "  {} t{} = {};\n", dialect_.declare, i, operation(i));
    if (last_use_[value] > chunk + 1) append(text_, "  v[{}] = t{};\n", cross(value), i);
    for (; next_output_ < outputs_.size() && outputs_[next_output_].first <= value; ++next_output_)
      if (outputs_[next_output_].first == value)
        append(text_, "  y[{}] = t{};\n", first_output_ + outputs_[next_output_].second, i);
  }
  append(text_, "}}\n\n");
  for (std::uint32_t value : std::exchange(ends_[chunk], {})) free_slots_.push_back(slot_[value]);
}

/// A slot of v until the last function that reads the value has run.
std::uint32_t SectionWriter::cross(std::uint32_t value) {
  if (free_slots_.empty()) free_slots_.push_back(slot_count_++);
  slot_[value] = free_slots_.back();
  free_slots_.pop_back();
  ends_[last_use_[value] - 1].push_back(value);
  return slot_[value];
}

}  // namespace dalembert
