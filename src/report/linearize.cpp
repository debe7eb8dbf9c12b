#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/csv.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/report/stability.hpp>
#include <numbers>

#include "report/plot/plot.hpp"
#include "report/rows.hpp"
#include "report/scribe.hpp"

namespace dalembert {
namespace {

using Align = TextTable::Align;
using Complex = std::complex<double>;

struct NamedMatrix {
  const char* name;
  const NumberMatrix* matrix;
  std::vector<std::string> rows, columns;
};

std::vector<NamedMatrix> list_matrices(const Linearization& result) {
  std::vector<NamedMatrix> list{{"A", &result.A, result.state, result.state}};
  if (!result.inputs.empty()) list.push_back({"B", &result.B, result.state, result.inputs});
  if (!result.outputs.empty()) list.push_back({"C", &result.C, result.outputs, result.state});
  if (!result.outputs.empty() && !result.inputs.empty())
    list.push_back({"D", &result.D, result.outputs, result.inputs});
  if (const auto& form = result.second_order) {
    list.push_back({"mass", &form->mass, form->coordinates, form->coordinates});
    list.push_back({"damping", &form->damping, form->coordinates, form->coordinates});
    list.push_back({"stiffness", &form->stiffness, form->coordinates, form->coordinates});
  }
  return list;
}

double find_largest(const NumberMatrix& m) {
  double largest = 0;
  for (const double value : m.values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// For people: what rounding has left of zero is zero.
bool is_shown_as_zero(double value, double largest) { return std::abs(value) <= 1e-13 * largest; }

std::string write_entry(double value, double largest) {
  return is_shown_as_zero(value, largest) ? "0" : format_number(value);
}

/// Twenty states, as a matrix of a page can have.
bool fits_a_page(const NumberMatrix& m) {
  constexpr std::size_t most_entries = 400, most_columns = 20;
  return m.columns <= most_columns && m.values.size() <= most_entries;
}

std::string write_matrix(const NamedMatrix& named) {
  std::vector<std::string> heading{named.name};
  std::vector<Align> aligned{Align::left};
  for (const std::string& column : named.columns) {
    heading.push_back(column);
    aligned.push_back(Align::right);
  }
  TextTable table(std::move(heading));
  table.align(std::move(aligned));
  const double largest = find_largest(*named.matrix);
  for (std::size_t i = 0; i < named.rows.size(); ++i) {
    std::vector<std::string> cells{named.rows[i]};
    for (std::size_t j = 0; j < named.columns.size(); ++j) cells.push_back(write_entry((*named.matrix)(i, j), largest));
    table.add(std::move(cells));
  }
  return table.text(2) + "\n";
}

/// What is too large for a page: its size.
std::string tell_matrix(const NamedMatrix& named) {
  const NumberMatrix& m = *named.matrix;
  const double largest = find_largest(m);
  const auto zeros = std::ranges::count_if(m.values, [&](double value) { return is_shown_as_zero(value, largest); });
  return fmt::format("  {}: {} x {}, {} entries not zero, the largest {} in size; --json and --as csv have all\n\n",
                     named.name, m.rows, m.columns, m.values.size() - static_cast<std::size_t>(zeros),
                     format_number(largest));
}

/// "1", "0.4 at 90°"; empty where the component has no part in the mode.
std::string write_component(Complex value) {
  constexpr double seen = 1e-4;
  if (std::abs(value) < seen) return "";
  if (std::abs(value.imag()) < seen * std::abs(value)) return format_number(value.real(), 4);
  return fmt::format("{} at {:.0f}°", format_number(std::abs(value), 4), std::arg(value) * 180 / std::numbers::pi);
}

std::vector<std::string> write_mode(const Mode& mode) {
  const Complex s = mode.eigenvalue;
  const bool swings = s.imag() != 0, moves = std::abs(s.real()) > 1e-9 * std::abs(s);
  const std::string time = format_number(std::numbers::ln2 / std::abs(s.real()), 4);
  return {swings ? fmt::format("{} ± {}i", format_number(s.real()), format_number(s.imag())) : format_number(s.real()),
          swings ? format_number(s.imag(), 5) : "", swings ? format_number(0 - s.real() / std::abs(s), 4) : "",
          moves && s.real() > 0 ? time : "", moves && s.real() < 0 ? time : ""};
}

/// Modes with a real root or the upper one of a pair; of many components the largest are named.
std::string write_modes(const Linearization& result) {
  constexpr std::size_t most_components = 20;
  const bool by_components = result.state.size() <= most_components;
  std::vector<std::string> heading{"eigenvalue", "frequency", "damping", "doubles in", "halves in"};
  std::vector<Align> aligned(heading.size(), Align::right);
  if (by_components) {
    heading.insert(heading.end(), result.state.begin(), result.state.end());
    aligned.resize(heading.size(), Align::right);
  } else {
    heading.emplace_back("mostly");
    aligned.push_back(Align::left);
  }
  TextTable table(std::move(heading));
  table.align(std::move(aligned));
  std::size_t count = 0;
  for (const Mode& mode : result.modes) {
    if (mode.eigenvalue.imag() < 0 || ++count > most_rows) continue;
    std::vector<std::string> cells = write_mode(mode);
    if (!by_components) cells.push_back(name_largest(mode, result));
    for (std::size_t i = 0; by_components && i < mode.components.size(); ++i)
      cells.push_back(write_component(mode.components[i]));
    table.add(std::move(cells));
  }
  return table.text(2) + tell_rest(count);
}

/// All of them where they are a few lines.
std::string join(const std::vector<std::string>& names) {
  return names.size() <= most_rows ? join_first(names, most_rows) : join_first(names);
}

/// "theta = 0.3": the state that small motions are measured from.
std::vector<std::string> write_about(const Linearization& result) {
  std::vector<std::string> list(result.state.size());  // as many as there are; those that are shown are written
  for (std::size_t k = 0; k < std::min(list.size(), most_rows); ++k)
    for (std::size_t i = 0; i < result.coordinates.size(); ++i)
      if (result.state[k] == result.coordinates[i] + (k < result.coordinate_count ? "" : "'")) {
        const double value = k < result.coordinate_count ? result.about.q[i] : result.about.rates[i];
        list[k] = fmt::format("{} = {}", result.state[k], std::abs(value) < 1e-13 ? "0" : format_number(value));
      }
  return list;
}

std::string write_latex_matrix(const std::string& name, const NumberMatrix& m) {
  if (!fits_a_page(m))
    return fmt::format("{} \\in \\mathbb{{R}}^{{{} \\times {}}} \\quad \\text{{(numbers: \\texttt{{--json}})}}", name,
                       m.rows, m.columns);
  const double largest = find_largest(m);
  std::string out = name + " = \\begin{pmatrix}\n";
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < m.columns; ++j) {
      std::string number = write_entry(m(i, j), largest);
      if (const std::size_t e = number.find('e'); e != std::string::npos)
        number = fmt::format("{} \\cdot 10^{{{}}}", number.substr(0, e), std::stoi(number.substr(e + 1)));
      out += (j == 0 ? "  " : " & ") + number;
    }
    out += i + 1 < m.rows ? " \\\\\n" : "\n";
  }
  return out + "\\end{pmatrix}";
}

std::string write_latex_vector(const Scribe& scribe, const std::vector<std::string>& names) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool left_out = names.size() > most_rows && i > 1 && i + 1 < names.size();
    if (!left_out) entries.push_back("\\delta " + scribe.name(names[i]));
    if (left_out && i == 2) entries.emplace_back("\\vdots");
  }
  return fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(entries, " \\\\ "));
}

/// Nothing where an entry is too long to be read in a matrix.
std::optional<std::string> write_latex_formulas(const std::string& name, const FormulaMatrix& m) {
  constexpr std::size_t longest = 200;  // characters of LaTeX
  constexpr double work = 1e7;
  Scribe scribe(Scribe::Style::latex, {work, work});
  std::string out = name + " = \\begin{pmatrix}\n";
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t j = 0; j < m[i].size(); ++j) {
      const std::string entry = scribe(m[i][j]);
      if (entry.size() > longest || scribe.unsimplified() > 0) return std::nullopt;
      out += (j == 0 ? "  " : " & ") + entry;
    }
    out += i + 1 < m.size() ? " \\\\\n" : "\n";
  }
  return out + "\\end{pmatrix}";
}

}  // namespace

std::string write_text(const Linearization& result) {
  TextTable head;
  head.add({"state", join(result.state)});
  head.add({"about", join(write_about(result))});
  if (!result.dependent.empty()) head.add({"given by constraints", join(result.dependent)});
  if (!result.carried.empty()) head.add({"carried along", join(result.carried) + "  (nothing depends on them)"});
  if (!result.left_out.empty()) head.add({"left out", join(result.left_out) + "  (they do not act on the others)"});
  std::string out = head.text() + "\nx' = A x" + (result.inputs.empty() ? "" : " + B w") + "\n\n";
  for (const NamedMatrix& named : list_matrices(result)) {
    if (named.matrix == &result.C) out += std::string("y = C x") + (result.inputs.empty() ? "" : " + D w") + "\n\n";
    if (result.second_order && named.matrix == &result.second_order->mass)
      out += "mass q'' + damping q' + stiffness q = 0\n\n";
    out += fits_a_page(*named.matrix) ? write_matrix(named) : tell_matrix(named);
  }
  if (!result.modes.empty()) out += "modes\n\n" + write_modes(result) + "\n";
  if (result.zero_roots > result.zero_blocks)
    out += fmt::format("zero is a root {} times, with {} modes\n", result.zero_roots, result.zero_blocks);
  out += result.verdict + "\n";
  for (const std::string& note : result.notes) out += "note: " + note + "\n";
  return wrap_lines(out);
}

std::string write_latex(const Linearization& result, const std::optional<LinearFormulas>& formulas) {
  return with_distinct_names([&] {
    const Scribe scribe(Scribe::Style::latex, {0, 0});
    std::string out = fmt::format("\\[ \\dot x = A x{}, \\quad x = {} \\]\n", result.inputs.empty() ? "" : " + B w",
                                  write_latex_vector(scribe, result.state));
    if (!result.inputs.empty()) out += fmt::format("\\[ w = {} \\]\n", write_latex_vector(scribe, result.inputs));
    if (!result.outputs.empty())
      out += fmt::format("\\[ y = C x{}, \\quad y = {} \\]\n", result.inputs.empty() ? "" : " + D w",
                         write_latex_vector(scribe, result.outputs));
    if (result.second_order)
      out += fmt::format("\\[ M \\ddot q + C_1 \\dot q + K q = 0, \\quad q = {} \\]\n",
                         write_latex_vector(scribe, result.second_order->coordinates));
    for (const NamedMatrix& named : list_matrices(result)) {
      const std::string name = named.name;
      const std::string shown = name == "mass" ? "M" : name == "damping" ? "C_1" : name == "stiffness" ? "K" : name;
      const FormulaMatrix* written = !formulas             ? nullptr
                                     : name == "mass"      ? &formulas->mass
                                     : name == "damping"   ? &formulas->damping
                                     : name == "stiffness" ? &formulas->stiffness
                                                           : nullptr;
      const std::optional<std::string> text = written != nullptr ? write_latex_formulas(shown, *written) : std::nullopt;
      out += "\\[ " + text.value_or(write_latex_matrix(shown, *named.matrix)) + " \\]\n";
    }
    return out;
  });
}

std::string write_csv(const Linearization& result) {
  std::string out = "matrix,row,column,value\n";
  for (const NamedMatrix& named : list_matrices(result))
    for (std::size_t i = 0; i < named.rows.size(); ++i)
      for (std::size_t j = 0; j < named.columns.size(); ++j)
        out += fmt::format("{},{},{},{}\n", named.name, quote_csv(named.rows[i]), quote_csv(named.columns[j]),
                           write_number((*named.matrix)(i, j)));
  std::size_t k = 0;
  for (const Mode& mode : result.modes) {
    ++k;
    out += fmt::format("eigenvalue,{},re,{}\neigenvalue,{},im,{}\n", k, write_number(mode.eigenvalue.real()), k,
                       write_number(mode.eigenvalue.imag()));
  }
  return out;
}

std::string write_csv(const RootLocus& locus) {
  std::string out = quote_csv(locus.name);
  for (std::size_t j = 0; !locus.roots.empty() && j < locus.roots[0].size(); ++j)
    out += fmt::format(",re{},im{}", j + 1, j + 1);
  out += "\n";
  for (std::size_t k = 0; k < locus.values.size(); ++k) {
    out += write_number(locus.values[k]);
    for (const Complex& root : locus.roots[k]) out += "," + write_number(root.real()) + "," + write_number(root.imag());
    out += "\n";
  }
  return out;
}

std::string write_svg(const RootLocus& locus, const std::string& title) {
  CurvePlot plot{.title = title, .axis = locus.name, .x = locus.values, .curves = {}, .panels = {{}, {}}};
  for (std::size_t j = 0; j < locus.state.size(); ++j)
    for (const bool imaginary : {false, true}) {
      Curve curve{fmt::format("{} {}", imaginary ? "Im" : "Re", j + 1), {}, j};
      for (const auto& roots : locus.roots) curve.values.push_back(imaginary ? roots[j].imag() : roots[j].real());
      plot.panels[imaginary].push_back(plot.curves.size());
      plot.curves.push_back(std::move(curve));
    }
  for (const StabilityChange& change : locus.changes) plot.marks.push_back(change.value);
  return draw_curves(plot);
}

std::string write_summary(const RootLocus& locus) {
  std::string out;
  for (const StabilityChange& change : locus.changes)
    out += fmt::format(
        "{} = {:.12g}  {}: {} roots to the right of the axis before, {} after{}\n", locus.name, change.value,
        change.kind, change.before, change.after,
        change.kind == "flutter" ? fmt::format(", at a frequency of {:.6g}", std::abs(change.root.imag())) : "");
  if (locus.changes.empty()) out += fmt::format("no change of stability seen at these values of {}\n", locus.name);
  for (const std::string& note : locus.notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace dalembert
