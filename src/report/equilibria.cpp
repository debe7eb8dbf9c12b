#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/csv.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>

#include "report/document.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

std::string word(const std::optional<bool>& stable) { return !stable ? "undecided" : *stable ? "stable" : "unstable"; }

/// For people: what rounding has left of zero is zero.
std::string shown_place(double value) { return std::abs(value) < 1e-12 ? "0" : format_number(value); }

std::vector<std::string> columns_of(const Equilibria& equilibria) {
  std::vector<std::string> columns = equilibria.coordinates;
  for (const std::string& constraint : equilibria.constraints) columns.push_back("reaction(" + constraint + ")");
  return columns;
}

std::vector<double> numbers_of(const Equilibrium& each) {
  std::vector<double> numbers = each.q;
  numbers.insert(numbers.end(), each.reactions.begin(), each.reactions.end());
  return numbers;
}

/// Whether all rows of a table do; its rule is as long as they are, and written in letters of three bytes.
bool fits(const std::string& table) {
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    if (table.compare(begin, 3, "─") != 0 && end - begin > widest_line) return false;
    begin = end + 1;
  }
  return true;
}

constexpr std::size_t most_shown = 120;  // numbers of an equilibrium on a page
constexpr std::size_t longest = 16'384;  // characters: eight pages, whole equilibria

/// Where a line has no room for all of an equilibrium.
std::string write_one_by_one(const Equilibria& equilibria) {
  const std::vector<std::string> columns = columns_of(equilibria);
  std::string out;
  std::size_t shown = 0;
  for (const Equilibrium& each : equilibria.found) {
    if (out.size() > longest) {
      out += fmt::format("... and {} more equilibria: --json has all\n", equilibria.found.size() - shown);
      break;
    }
    ++shown;
    const std::vector<double> numbers = numbers_of(each);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < std::min(most_shown, numbers.size()); ++i)
      values.push_back(fmt::format("{} = {}", columns[i], shown_place(numbers[i])));
    if (numbers.size() > most_shown)
      values.push_back(fmt::format("... and {} more: --json has all", numbers.size() - most_shown));
    out += each.verdict + "\n" + wrap_text(fmt::format("  {}", fmt::join(values, ", "))) + "\n";
  }
  return out;
}

}  // namespace

std::string write_text(const Equilibria& equilibria) {
  std::vector<std::string> heading = columns_of(equilibria);
  std::vector<TextTable::Align> aligned(heading.size(), TextTable::Align::right);
  heading.emplace_back("stability");
  TextTable table(std::move(heading));
  table.align(std::move(aligned));
  for (const Equilibrium& each : equilibria.found) {
    std::vector<std::string> cells;
    for (const double value : numbers_of(each)) cells.push_back(shown_place(value));
    cells.push_back(each.verdict);
    table.add(std::move(cells));
  }
  std::string out = table.text();
  if (!fits(out)) out = write_one_by_one(equilibria);
  for (const std::string& note : equilibria.notes) out += wrap_lines("note: " + note + "\n");
  return out;
}

std::string write_csv(const Equilibria& equilibria) {
  std::string out;
  for (const std::string& column : columns_of(equilibria)) out += quote_csv(column) + ",";
  out += "stability,unstable_roots\n";
  for (const Equilibrium& each : equilibria.found) {
    for (const double value : numbers_of(each)) out += write_number(value) + ",";
    out += fmt::format("{},{}\n", word(each.stable), each.unstable);
  }
  return out;
}

std::string write_json(const Equilibria& equilibria) {
  Json document;
  document["starts"] = equilibria.starts;
  document["boxes"] = Json::object();
  for (const SearchBox& box : equilibria.boxes)
    document["boxes"][box.coordinate] = Json::array({json_number(box.low), json_number(box.high)});
  document["equilibria"] = Json::array();
  for (const Equilibrium& each : equilibria.found) {
    Json state = Json::object(), reactions = Json::object(), eigenvalues = Json::array();
    for (std::size_t i = 0; i < each.q.size(); ++i) state[equilibria.coordinates[i]] = json_number(each.q[i]);
    for (const std::complex<double>& root : each.eigenvalues)
      eigenvalues.push_back({json_number(root.real()), json_number(root.imag())});
    for (std::size_t i = 0; i < each.reactions.size(); ++i)
      reactions[equilibria.constraints[i]] = json_number(each.reactions[i]);
    document["equilibria"].push_back({{"state", std::move(state)},
                                      {"reactions", std::move(reactions)},
                                      {"closed", each.closed},
                                      {"stable", each.stable ? Json(*each.stable) : Json(nullptr)},
                                      {"unstable_roots", each.unstable},
                                      {"verdict", each.verdict},
                                      {"eigenvalues", std::move(eigenvalues)}});
  }
  document["complete"] = false;  // that all are found is not proved
  document["notes"] = equilibria.notes;
  return write_document(document);
}

}  // namespace dalembert
