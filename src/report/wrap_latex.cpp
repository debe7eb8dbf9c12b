#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/scribe.hpp"

// Formulas in LaTeX that are wider than a page, broken into aligned lines: before signs first; where there are none
// inside the widest brackets, which then get a size of their own, since \left( and \right) must stand on one line; a
// long numerator stands in brackets after its denominator; a long component of a column is broken by itself.

namespace dalembert {
namespace {

constexpr double page_width = 60;  // signs of ordinary width: what a left side and a number leave
constexpr double script_size = 0.7;

/// The end of what begins at `from` with an opening brace.
std::size_t end_of_group(std::string_view text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return text.size();
}

/// After the \right or \end that belongs to the \left or \begin at `from`, without its bracket or name.
std::size_t end_of_pair(std::string_view text, std::size_t from, std::string_view open, std::string_view close) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with(open)) ++depth;
    if (rest.starts_with(close) && --depth == 0) return i + close.size();
  }
  return text.size();
}

std::size_t end_of_environment(std::string_view text, std::size_t from) {
  return end_of_group(text, end_of_pair(text, from, "\\begin", "\\end"));
}

/// The end of the unit at i: a group, a bracketed part, an environment, a command with its name, or one character.
std::size_t end_of_unit(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("{")) return end_of_group(text, i);
  if (rest.starts_with("\\left")) return std::min(end_of_pair(text, i, "\\left", "\\right") + 1, text.size());
  if (rest.starts_with("\\begin")) return end_of_environment(text, i);
  if (rest.starts_with("\\frac")) return end_of_group(text, end_of_group(text, i + 5));
  return i + 1;
}

/// Rows of a column: what stands between "\\ " outside of groups.
std::vector<std::string> rows_of(std::string_view inside) {
  std::vector<std::string> rows{""};
  for (std::size_t i = 0; i < inside.size();) {
    if (inside.substr(i).starts_with(" \\\\ ")) {
      rows.emplace_back();
      i += 4;
      continue;
    }
    const std::size_t end = end_of_unit(inside, i);
    rows.back() += inside.substr(i, end - i);
    i = end;
  }
  return rows;
}

constexpr std::string_view column_open = "\\begin{pmatrix} ", column_close = " \\end{pmatrix}";

std::string_view inside_of_column(std::string_view unit) {
  return unit.substr(column_open.size(), unit.size() - column_open.size() - column_close.size());
}

double width_of(std::string_view text);

/// Of a command that is no fraction, bracket or column: how wide its name is.
double width_of_command(std::string_view name) {
  for (std::string_view unseen : {"left", "right", "bigl", "bigr", "mathit", "dot", "ddot", "operatorname"})
    if (name == unseen) return 0;
  for (std::string_view word :
       {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "log"})
    if (name == word) return static_cast<double>(name.size());
  return 1;
}

double width_of(std::string_view text) {
  double width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const std::size_t end = end_of_unit(text, i);
    if (rest.starts_with("\\frac")) {
      const std::size_t middle = end_of_group(text, i + 5);
      width += std::max(width_of(text.substr(i + 5, middle - i - 5)), width_of(text.substr(middle, end - middle)));
      i = end;
    } else if (rest.starts_with(column_open)) {
      double widest = 0;
      for (const std::string& row : rows_of(inside_of_column(text.substr(i, end - i))))
        widest = std::max(widest, width_of(row));
      width += widest + 2;
      i = end;
    } else if (text[i] == '_' || text[i] == '^') {
      const std::size_t after = end_of_unit(text, i + 1);
      width += script_size * width_of(text.substr(i + 1, after - i - 1));
      i = after;
    } else if (text[i] == '\\') {
      std::size_t stop = i + 1;
      while (stop < text.size() && ((text[stop] | 0x20) >= 'a' && (text[stop] | 0x20) <= 'z')) ++stop;
      width += width_of_command(text.substr(i + 1, stop - i - 1));
      i = std::max(stop, i + 2);
    } else {
      const bool counts = std::string_view("{} &").find(text[i]) == std::string_view::npos &&
                          (static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80;
      width += counts ? 1 : 0;
      ++i;
    }
  }
  return width;
}

/// Terms with their signs, as they stand outside of groups.
std::vector<std::string> terms_of(std::string_view text) {
  std::vector<std::string> terms{""};
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (!terms.back().empty() && (rest.starts_with(" + ") || rest.starts_with(" - "))) {
      terms.emplace_back(rest.substr(0, 3));
      i += 3;
      continue;
    }
    const std::size_t end = end_of_unit(text, i);
    terms.back() += text.substr(i, end - i);
    i = end;
  }
  return terms;
}

std::string wrap_column(std::string_view unit) {
  std::vector<std::string> rows;
  for (const std::string& row : rows_of(inside_of_column(unit))) rows.push_back(wrap_latex(row));
  return fmt::format("{}{}{}", column_open, fmt::join(rows, " \\\\ "), column_close);
}

/// Brackets, a column, or a fraction that is as wide as its numerator.
bool can_be_opened(std::string_view unit) {
  if (unit.starts_with("\\left(") || unit.starts_with(column_open)) return true;
  if (!unit.starts_with("\\frac")) return false;
  const std::size_t middle = end_of_group(unit, 5);
  return width_of(unit.substr(5, middle - 5)) > width_of(unit.substr(middle));
}

/// The widest part of a term that can be opened, opened; nothing where there is none.
std::optional<std::string> opened(std::string_view term) {
  std::size_t from = 0, to = 0;
  double widest = page_width / 4;
  for (std::size_t i = 0; i < term.size();) {
    const std::size_t end = end_of_unit(term, i);
    const std::string_view unit = term.substr(i, end - i);
    if (const double width = width_of(unit); can_be_opened(unit) && width > widest) from = i, to = end, widest = width;
    i = end;
  }
  if (to == 0) return {};
  const std::string_view unit = term.substr(from, to - from);
  std::string by;
  if (unit.starts_with("\\left(")) {
    by = fmt::format("\\bigl({}\\bigr)", unit.substr(6, unit.size() - 6 - 7));
  } else if (unit.starts_with("\\frac")) {
    const std::size_t middle = end_of_group(unit, 5);
    const std::string_view above = unit.substr(6, middle - 7), below = unit.substr(middle);
    const bool is_sum = terms_of(above).size() > 1;
    by = fmt::format("\\frac{{1}}{} {}{}{}", below, is_sum ? "\\bigl(" : "", above, is_sum ? "\\bigr)" : "");
  } else {
    by = wrap_column(unit);
    if (by == unit) return {};
  }
  return fmt::format("{}{}{}", term.substr(0, from), by, term.substr(to));
}

/// Lines of at most a page's width, as far as that can be.
std::vector<std::string> lines_of(const std::string& formula) {
  std::vector<std::string> lines{""};
  for (const std::string& term : terms_of(formula)) {
    if (!lines.back().empty() && width_of(lines.back()) + width_of(term) > page_width) lines.emplace_back();
    if (width_of(term) <= page_width) {
      lines.back() += term;
      continue;
    }
    const std::optional<std::string> wider = opened(term);
    const bool is_column = wider && wider->find("aligned") != std::string::npos;
    if (!wider || is_column) {
      lines.back() += wider.value_or(term);
      continue;
    }
    const std::vector<std::string> inner = lines_of(*wider);
    lines.back() += inner[0];
    lines.insert(lines.end(), inner.begin() + 1, inner.end());
  }
  return lines;
}

}  // namespace

double latex_width(const std::string& formula) { return width_of(formula); }

std::string wrap_latex(const std::string& formula) {
  if (width_of(formula) <= page_width) return formula;
  const std::vector<std::string> lines = lines_of(formula);
  if (lines.size() == 1) return lines[0];
  return fmt::format("\\begin{{aligned}}[t] & {} \\end{{aligned}}", fmt::join(lines, " \\\\\n    & \\quad{}"));
}

}  // namespace dalembert
