#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {

std::string write_json(const Verification& verification) {
  auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json document{{"ok", verification.ok}, {"agreements", Json::array()}};
  for (const Agreement& agreement : verification.agreements)
    document["agreements"].push_back({{"quantity", agreement.quantity},
                                      {"between", agreement.between},
                                      {"largest", number(agreement.largest)},
                                      {"bound", number(agreement.bound)},
                                      {"ok", agreement.ok},
                                      {"where", agreement.where}});
  document["seed"] = verification.seed;
  document["states"] = verification.states;
  document["skipped"] = verification.skipped;
  document["notes"] = verification.notes;
  return write_document(document);
}

std::string write_text(const Verification& verification) {
  using Align = TextTable::Align;
  TextTable table({"quantity", "between", "and", "largest", "bound", ""});
  table.align({Align::left, Align::left, Align::left, Align::right, Align::right, Align::left});
  for (const Agreement& agreement : verification.agreements)
    table.add({agreement.quantity, agreement.between[0], agreement.between[1], format_number(agreement.largest, 2),
               format_number(agreement.bound, 2),
               agreement.ok ? "ok" : "DISAGREE" + (agreement.where.empty() ? "" : ": " + agreement.where)});
  std::string out = table.text();
  out += fmt::format("\n{} random states (seed {}), {} skipped\n", verification.states, verification.seed,
                     verification.skipped);
  for (const std::string& note : verification.notes) out += "note: " + note + "\n";
  out += verification.ok ? "everything agrees\n" : "not everything agrees\n";
  return out;
}

}  // namespace dalembert
