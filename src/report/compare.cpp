#include <fmt/format.h>

#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {

std::string write_text(const Comparison& comparison) {
  std::string text = fmt::format("{}: {}\n",
                                 !comparison.equal   ? "undecided"
                                 : *comparison.equal ? "equal"
                                                     : "not equal",
                                 comparison.evidence);
  if (!comparison.counterexample) return text;
  TextTable table;
  for (const auto& [name, value] : comparison.counterexample->state) table.add({name, "= " + format_number(value, 12)});
  const double off = comparison.counterexample->left - comparison.counterexample->right;
  return text + fmt::format("they differ by {} where\n{}", format_number(off, 6), table.text(2));
}

std::string write_json(const Comparison& comparison) {
  Json document{{"equal", comparison.equal ? Json(*comparison.equal) : Json()},
                {"evidence", comparison.evidence},
                {"counterexample", Json()},
                {"conditions", comparison.conditions}};
  if (comparison.counterexample) {
    Json state = Json::object();
    for (const auto& [name, value] : comparison.counterexample->state) state[name] = value;
    document["counterexample"] = {
        {"state", state}, {"left", comparison.counterexample->left}, {"right", comparison.counterexample->right}};
  }
  return write_document(document);
}

}  // namespace dalembert
