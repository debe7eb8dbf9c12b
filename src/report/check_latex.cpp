#include <fmt/format.h>

#include <dalembert/base/printable.hpp>
#include <dalembert/report/report.hpp>

#include "report/latex_text.hpp"
#include "report/rows.hpp"
#include "report/words.hpp"

// What check says: tables of words, and first integrals as equations.

namespace dalembert {
namespace {

std::string tabular(const std::string& columns, const std::vector<std::vector<std::string>>& rows, bool has_heading) {
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows) lines.push_back(fmt::format("  {}", fmt::join(row, " & ")));
  if (has_heading) lines[0] += " \\\\ \\hline\n" + lines[1], lines.erase(lines.begin() + 1);
  return fmt::format("\\begin{{tabular}}{{{}}}\n{}\n\\end{{tabular}}\n", columns, fmt::join(lines, " \\\\\n"));
}

std::string write_model(const CheckReport& report) {
  std::vector<std::string> names;
  for (const std::string& name : report.coordinates) names.push_back("$" + name_to_latex(name) + "$");
  std::vector<std::vector<std::string>> rows{{"coordinates", fmt::format("{}: {}", names.size(), join_first(names))},
                                             {"degrees of freedom", std::to_string(report.degrees_of_freedom)},
                                             {"Lagrangian", report.is_natural ? "natural" : "general"}};
  if (!report.constraints.empty())
    rows.push_back({"constraints", fmt::format("{}, rank {}, condition ${}$", report.constraints.size(),
                                               report.rank.rank, number_to_latex(report.rank.condition, 3))});
  return tabular("ll", rows, false);
}

std::string write_constraints(const CheckReport& report) {
  std::vector<std::vector<std::string>> rows = constraint_cells(report);
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = words_to_latex(cell);
  for (std::size_t i = 1; i < rows.size(); ++i)
    rows[i][4] = "$" + number_to_latex(report.constraints[i - 1].residual, 3) + "$";
  std::string text = "\n" + tabular("llllll", rows, true) + words_to_latex(tell_left_out(report));
  for (const RankReport::Redundant& redundant : report.rank.redundant)
    text += "\n" + words_to_latex(write_redundant(report, redundant)) + "\n";
  return text;
}

/// Formula and value, the parts of a long one before it. The index of a family is for text.
void add_integral(LatexLines& lines, const CheckedIntegral& integral) {
  const std::string name = fmt::format("\\text{{{}}}", words_to_latex(integral.name));
  const std::string value = number_to_latex(integral.value);
  if (integral.formula.empty() || integral.formula.find("{k") != std::string::npos) {
    lines.add(name, value);
    return;
  }
  for (const std::string& line : explain_parts(integral)) lines.remark(line);
  for (const auto& [part, formula] : integral.parts) lines.add(name_to_latex(part), text_to_latex(formula));
  lines.add(name, text_to_latex(integral.formula) + " = " + value);
}

}  // namespace

std::string write_latex(const CheckReport& report) {
  return with_distinct_names(
      [&] {
        std::string text;
        for (const std::string* line : {&report.name, &report.about})
          if (!line->empty()) text += fmt::format("% {}\n", printable(*line));
        text += write_model(report);
        if (!report.constraints.empty()) text += write_constraints(report);
        LatexLines lines;
        for (const CheckedIntegral& integral : report.integrals) add_integral(lines, integral);
        if (!report.integrals.empty()) text += "\n" + lines.text();
        for (const std::string& remark : report.remarks) text += "\n" + words_to_latex("note: " + remark) + "\n";
        return text;
      },
      report.names);
}

}  // namespace dalembert
