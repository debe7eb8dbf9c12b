#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/csv.hpp>
#include <filesystem>

#include "model/elaborator.hpp"
#include "model/limits.hpp"

// Signals: those that are constant are parameters, those that vary with time are definitions.

namespace dalembert {
namespace {

/// Names in a formula, as far as it can be read; what is wrong with it is said where it is interpreted.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  try {
    for (const SyntaxNode& node : parse_syntax(text).nodes)
      if (node.kind == SyntaxNode::Kind::name) names.push_back(node.text);
  } catch (const FormulaError&) {
  }
  return names;
}

/// Second derivatives at the knots of the cubic spline through (t, y), its first two and its last two pieces one cubic
/// each ("not a knot": de Boor 2001, chapter IV).
std::vector<double> find_bends(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> bend(n, 0.0), h(n), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = t[i + 1] - t[i];
    slope[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n < 3) return bend;
  if (n == 3) return std::vector<double>(n, 2 * (slope[1] - slope[0]) / (h[0] + h[1]));  // a parabola
  std::vector<double> middle(n), right(n), known(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double left = h[i - 1];
    middle[i] = 2 * (h[i - 1] + h[i]);
    right[i] = h[i];
    known[i] = 6 * (slope[i] - slope[i - 1]);
    if (i == 1) {
      middle[i] += h[0] * (1 + h[0] / h[1]);
      right[i] -= h[0] * h[0] / h[1];
    }
    if (i + 2 == n) {
      middle[i] += h[i] * (1 + h[i] / h[i - 1]);
      left -= h[i] * h[i] / h[i - 1];
    }
    if (i == 1) continue;
    const double factor = left / middle[i - 1];
    middle[i] -= factor * right[i - 1];
    known[i] -= factor * known[i - 1];
  }
  for (std::size_t i = n - 2; i >= 1; --i) bend[i] = (known[i] - (i + 2 < n ? right[i] * bend[i + 1] : 0)) / middle[i];
  bend[0] = bend[1] + (bend[1] - bend[2]) * h[0] / h[1];
  bend[n - 1] = bend[n - 2] + (bend[n - 2] - bend[n - 3]) * h[n - 2] / h[n - 3];
  return bend;
}

}  // namespace

/// Which are constant shows in what is written, or given instead: t, a file, or another input that varies.
void Elaborator::declare_inputs() {
  first_input_ = parameters_.size();
  first_signal_ = definitions_.size();
  const std::size_t count = inputs_.size();
  std::vector<std::vector<std::string>> reads(count);
  std::vector<bool> varies(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const InputText& text = inputs_[i].entry->what;
    const auto instead = override_texts_.find(inputs_[i].name);
    const bool is_given = instead != override_texts_.end();
    varies[i] = !is_given && !text.file.empty();
    for (const std::string& name : names_in(is_given ? instead->second.what.text : text.value.text))
      reads[i].push_back(guarded({"inputs", &inputs_[i].entry->name}, text.value,
                                 [&] { return families_.expand(name, inputs_[i].indices); }));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < count; ++i)
      for (const std::string& name : reads[i]) {
        const auto other = std::ranges::find(inputs_, name, &Member<InputText>::name);
        const bool is_varying =
            name == "t" || (other != inputs_.end() && varies[static_cast<std::size_t>(other - inputs_.begin())]);
        changed |= is_varying && !varies[i];
        varies[i] = varies[i] || is_varying;
      }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Member<InputText>& member = inputs_[i];
    const Where where{"inputs", &member.entry->name, {}, &member.indices};
    if (varies[i]) {
      declare(where, member.name, NameKind::signal, definitions_.size());
      const auto& entry =
          varying_inputs_.emplace_back(Named<VectorText>{member.entry->name, {member.entry->what.value}});
      definitions_.push_back({member.name, &entry, member.indices});
      signals_.push_back(&member.entry->what);
    } else {
      declare(where, member.name, NameKind::parameter, parameters_.size());
      const auto& entry = constant_inputs_.emplace_back(Named<Text>{member.entry->name, member.entry->what.value});
      parameters_.push_back({member.name, &entry, member.indices});
    }
  }
}

Expr Elaborator::signal(const Where& where, std::size_t index, const Context& context) {
  const InputText& text = *signals_[index - first_signal_];
  Where here = where;
  const Text& formula = overridden(definitions_[index].name, text.value, here);
  if (!text.file.empty() && &formula == &text.value) return interpolate_column(where, text);
  const Expr made = scalar(here, formula, context);
  require(here, formula, made, of_parameters | of_time, "t and parameters");
  return made;
}

/// s(t) = s_0 + sum of p_k(x_k) with x_k = t - t_k held inside its piece: each piece adds its share as t goes through
/// it; the first and the last one go on outside the table. Pieces are changed a little before the rows, where they
/// agree to the third power of it: at the rows themselves, where tables and motions like to meet, derivatives are those
/// of one piece.
Expr Elaborator::interpolate_column(const Where& where, const InputText& text) {
  const std::filesystem::path folder = std::filesystem::path(description_.file).parent_path();
  const std::string path = (folder / text.file.text).string();
  const CsvTable table = read_csv(path);
  std::vector<double> t, y;
  const auto column_of = [&](const std::string& name) {
    if (const std::optional<std::size_t> found = table.find(name)) return *found;
    const std::string nearest = nearest_name(name, table.columns);
    fail(
        where, text.column.place, fmt::format("there is no column '{}' in {}", name, path),
        nearest.empty() ? "expected a column t and the one that is named" : fmt::format("did you mean '{}'?", nearest));
  };
  const std::size_t time = column_of("t"), column = column_of(text.column.text);
  if (table.rows.size() > limits::signal_rows)
    fail(
        where, text.file.place,
        fmt::format("{} has {} rows, more than {} (limit `signal_rows`)", path, table.rows.size(), limits::signal_rows),
        "keep every tenth row: between rows the signal is a cubic");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto &at = table.rows[i][time], &value = table.rows[i][column];
    if (!at || !value || (!t.empty() && !(*at > t.back())))
      throw ModelError({path,
                        {table.lines[i], 0},
                        text.column.text,
                        !at || !value ? "a value is missing" : "the time is not later than in the row before",
                        "give each row a later t and a value"});
    t.push_back(*at);
    y.push_back(*value);
  }
  if (t.empty()) fail(where, text.file.place, fmt::format("{} has no rows", path), "give a value at a time at least");
  const std::vector<double> bend = find_bends(t, y);
  const auto number = [&](double value) { return graph_.constant_from_double(value); };
  constexpr double early = 0x1p-20;  // part of a piece
  const std::size_t last = t.size() - 1;
  std::vector<double> change = t;
  for (std::size_t i = 1; i < last; ++i) change[i] -= early * std::min(t[i] - t[i - 1], t[i + 1] - t[i]);
  std::vector<Expr> parts{number(y[0])};
  for (std::size_t i = 0; i < last; ++i) {
    const double h = t[i + 1] - t[i], from = change[i] - t[i];
    const double first = (y[i + 1] - y[i]) / h - h * (2 * bend[i] + bend[i + 1]) / 6;
    const double second = bend[i] / 2, third = (bend[i + 1] - bend[i]) / (6 * h);
    Expr x = model_.time - number(change[i]);
    if (i > 0) x = max(x, number(0));
    if (i + 1 < last) x = min(x, number(change[i + 1] - change[i]));
    const double slope = first + from * (2 * second + 3 * from * third);  // the same cubic from where it begins
    if (!std::isfinite(slope) || !std::isfinite(second) || !std::isfinite(third))
      throw ModelError({path,
                        {},
                        text.column.text,
                        "no cubics of finite coefficients go through its rows",
                        "look for times or values that are out of all proportion to their neighbours"});
    parts.push_back(x * (number(slope) + x * (number(second + 3 * from * third) + x * number(third))));
  }
  return graph_.sum(parts);
}

}  // namespace dalembert
