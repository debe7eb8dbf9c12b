#include "report/scribe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expr/display/terms.hpp"

namespace dalembert {

std::string Scribe::operator()(Expr expression, std::span<const std::string> first) {
  if (expression.is_constant() || expression.op() == Op::symbol) return plain(expression);
  const std::optional<Shown> shown = show(expression, first);
  return shown ? (*this)(*shown) : plain(expression);
}

std::optional<Shown> Scribe::show(Expr expression, std::span<const std::string> first) {
  if (expression.is_constant() || expression.op() == Op::symbol) return make_shown(expression);
  if (!work_.is_used_up()) {
    CanonicalLimits limits;
    limits.work = std::min(allowance_.one, work_.left());
    limits.angle_multiple = 8;  // nobody writes sin(43/100) as a polynomial in sin(1/100)
    Displayed shown = make_display(expression, {}, limits);
    work_.spend(shown.work);
    if (shown.complete) {
      Graph scratch;  // factors come in the order of age of their symbols: the same in all formulas
      for (const Expr& symbol : free_symbols({&expression, 1})) scratch.symbol(symbol.name());
      return lay_out_terms(std::move(shown.shown), first, scratch, work_);
    }
  }
  ++unsimplified_;
  return {};
}

std::string Scribe::operator()(const Shown& shown) const {
  return style_ == Style::text ? to_text(shown) : to_latex(shown);
}

std::string Scribe::name(const std::string& name) const { return (*this)(show_name(name)); }

std::string Scribe::plain(Expr expression) const {
  const PrintLimits limits{allowance_.characters};
  return style_ == Style::text ? to_text(expression, limits) : to_latex(expression, limits);
}

namespace {

/// A place where a line may be broken, and how many brackets are open there.
struct Gap {
  std::size_t at, depth;
};

/// In text: before " + ", " - ", " = " and after ", ".
std::vector<Gap> gaps_in(const std::string& line) {
  std::vector<Gap> gaps;
  std::size_t depth = 0;
  for (std::size_t i = 1; i + 2 < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c == ' ' && line[i + 2] == ' ' && (line[i + 1] == '+' || line[i + 1] == '-' || line[i + 1] == '='))
      gaps.push_back({i, depth});
    if (c == ' ' && line[i - 1] == ',') gaps.push_back({i, depth});
  }
  return gaps;
}

}  // namespace

std::string wrap_text(const std::string& line) {
  if (line.size() <= widest_line) return line;
  const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
  const std::string indent(margin + 4, ' ');
  std::vector<Gap> gaps = gaps_in(line);
  std::string text;
  std::size_t begin = 0;
  while (begin < line.size()) {
    const std::size_t room = begin == 0 ? widest_line : widest_line - indent.size();
    const std::size_t end = begin + room;
    const Gap* best = nullptr;
    for (const Gap& gap : gaps) {  // the outermost that leaves a line at least half full, else the last
      if (gap.at <= begin || gap.at > end || line.size() <= end) continue;
      const bool late = gap.at - begin >= room / 2, best_late = best != nullptr && best->at - begin >= room / 2;
      if (best == nullptr || (late && !best_late) || (late == best_late && gap.depth <= best->depth)) best = &gap;
    }
    const std::size_t stop = best == nullptr ? line.size() : best->at;
    text += (begin == 0 ? "" : indent) + line.substr(begin, stop - begin);
    begin = best == nullptr ? stop : stop + 1;
    if (begin < line.size()) text += "\n";
  }
  return text;
}

std::string wrap_lines(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += wrap_text(text.substr(begin, end - begin));
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace dalembert
