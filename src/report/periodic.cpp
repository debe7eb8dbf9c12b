#include <fmt/format.h>

#include <cmath>
#include <dalembert/report/periodic.hpp>
#include <dalembert/report/report.hpp>

#include "report/document.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

/// For people: what rounding has left of zero is zero.
std::string shown(double value) { return std::abs(value) < 1e-12 ? "0" : format_number(value, 12); }

}  // namespace

std::string write_text(const PeriodicMotion& motion) {
  std::vector<std::string> start;
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
    start.push_back(fmt::format("{} = {}", motion.coordinates[i], shown(motion.start.q[i])));
    start.push_back(fmt::format("{}' = {}", motion.coordinates[i], shown(motion.start.rates[i])));
  }
  TextTable head;
  head.add({"period", format_number(motion.period, 12)});
  head.add({"start", fmt::format("{}", fmt::join(start, ", "))});
  std::vector<std::string> found;
  for (const auto& [name, value] : motion.found) found.push_back(fmt::format("{} = {}", name, shown(value)));
  head.add({"found", fmt::format("{}", fmt::join(found, ", "))});
  std::vector<std::string> turns;
  for (const auto& [name, count] : motion.turns) turns.push_back(fmt::format("{} {} times", name, count));
  if (!turns.empty()) head.add({"goes round", fmt::format("{}", fmt::join(turns, ", "))});
  head.add({"returns to", fmt::format("{:.2g} of its size, after {} iterations", motion.residual, motion.iterations)});
  TextTable table({"multiplier", "", "size"});
  table.align({TextTable::Align::right, TextTable::Align::left, TextTable::Align::right});
  for (const std::complex<double>& value : motion.multipliers)
    table.add({format_number(value.real()),
               value.imag() == 0
                   ? ""
                   : fmt::format("{} {}i", value.imag() < 0 ? "-" : "+", format_number(std::abs(value.imag()))),
               format_number(std::abs(value))});
  std::string out = head.text() + "\n" + table.text(2) + "\n" + wrap_lines(motion.verdict + "\n");
  for (const std::string& note : motion.notes) out += wrap_lines("note: " + note + "\n");
  return out;
}

std::string write_json(const PeriodicMotion& motion) {
  Json document;
  document["period"] = motion.period;
  Json state = {{"t", motion.start.t}};
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
    state[motion.coordinates[i]] = motion.start.q[i];
    state[motion.coordinates[i] + "'"] = motion.start.rates[i];
  }
  document["state"] = std::move(state);
  document["found"] = Json::object();
  for (const auto& [name, value] : motion.found) document["found"][name] = value;
  document["turns"] = Json::object();
  for (const auto& [name, count] : motion.turns) document["turns"][name] = count;
  document["independent"] = motion.state;
  document["multipliers"] = Json::array();
  for (const std::complex<double>& value : motion.multipliers)
    document["multipliers"].push_back({value.real(), value.imag()});
  document["stable"] = motion.stable ? Json(*motion.stable) : Json(nullptr);
  document["verdict"] = motion.verdict;
  document["residual"] = motion.residual;
  document["iterations"] = motion.iterations;
  document["notes"] = motion.notes;
  return write_document(document);
}

}  // namespace dalembert
