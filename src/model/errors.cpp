#include <fmt/format.h>

#include "model/elaborator.hpp"

namespace dalembert {

std::string Elaborator::key_of(const Where& where) const {
  std::string key(where.section);
  if (where.entry != nullptr && !where.entry->empty()) key += (key.empty() ? "" : ".") + where.entry->text;
  if (!where.field.empty()) key += fmt::format("{}{}", key.empty() ? "" : ".", where.field);
  if (where.indices != nullptr && !where.indices->empty()) key += fmt::format(" {}", to_text(*where.indices));
  return key;
}

void Elaborator::fail(const Where& where, Place place, std::string problem, std::string remedy) const {
  if (place.line == 0 && where.entry != nullptr) place = where.entry->place;
  throw ModelError({description_.file, place, key_of(where), std::move(problem), std::move(remedy)});
}

void Elaborator::fail_formula(const Where& where, const Text& text, const FormulaError& error) const {
  const Complaint& complaint = error.complaint();
  Place place = text.place;
  if (place.line != 0 && complaint.place.line != 0) {
    // The formula's first line stands somewhere within a line of the file; its further lines begin at column 1.
    place.column = complaint.place.column + (complaint.place.line == 1 ? place.column - 1 : 0);
    place.line += complaint.place.line - 1;
  }
  fail(where, place, complaint.problem, complaint.remedy);
}

}  // namespace dalembert
