#include "report/scribe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "expr/display/terms.hpp"
#include "expr/walk.hpp"

namespace dalembert {

namespace {

/// All that a formula is but for the names of its symbols, which come in order of age, and these names. Of a name only
/// that is kept that has a meaning here: whether it is a rate or an acceleration.
std::pair<std::string, std::vector<std::string>> split_names(Expr expression) {
  Graph& graph = expression.graph();
  const Walk walk(graph, {&expression, 1});
  std::string pattern;
  std::vector<std::string> names;
  for (NodeId id : walk.order()) {
    const Op op = graph.op(id);
    fmt::format_to(std::back_inserter(pattern), ";{}", static_cast<int>(op));
    if (op == Op::symbol) {
      const std::string& name = names.emplace_back(graph.name(id));
      pattern += name.substr(name.find_last_not_of('\'') + 1) + (graph.is_nonnegative(id) ? "+" : "");
    } else if (op == Op::constant) {
      pattern += ":" + graph.value(id).get_str();
    } else if (op == Op::sum || op == Op::product) {
      if (op == Op::sum) pattern += ":" + graph.value(graph.offset(id)).get_str();
      for (const Part& part : graph.parts(id))
        fmt::format_to(std::back_inserter(pattern), ",{}:{}", walk.index(part.node),
                       graph.value(part.weight).get_str());
    } else {
      graph.for_each_child(id, [&](NodeId child) { pattern += "," + std::to_string(walk.index(child)); });
    }
  }
  return {std::move(pattern), std::move(names)};
}

void rename(Shown& shown, const std::vector<std::string>& from, const std::vector<std::string>& to) {
  if (shown.kind == Shown::Kind::name)
    if (const auto found = std::ranges::find(from, shown.text); found != from.end())
      shown.text = to[static_cast<std::size_t>(found - from.begin())];
  for (Shown& child : shown.children) rename(child, from, to);
}

}  // namespace

std::string Scribe::operator()(Expr expression, std::span<const std::string> first) {
  if (expression.is_constant() || expression.op() == Op::symbol) return plain(expression);
  const std::optional<Shown> shown = show(expression, first);
  return shown ? (*this)(*shown) : plain(expression);
}

std::optional<Shown> Scribe::show(Expr expression, std::span<const std::string> first) {
  if (expression.is_constant() || expression.op() == Op::symbol) return make_shown(expression);
  const auto [pattern, names] = split_names(expression);
  const auto [place, is_new] = simplified_.try_emplace(pattern);
  if (is_new) place->second = {names, simplify(expression)};
  std::optional<Shown> shown = place->second.shown;
  if (!shown) {
    ++unsimplified_;
    return shown;
  }
  if (names != place->second.names) rename(*shown, place->second.names, names);
  order_terms(*shown, first);
  return shown;
}

std::optional<Shown> Scribe::simplify(Expr expression) {
  if (work_.is_used_up()) return {};
  CanonicalLimits limits;
  limits.work = std::min(allowance_.one, work_.left());
  limits.angle_multiple = 8;  // nobody writes sin(43/100) as a polynomial in sin(1/100)
  Displayed shown = make_display(expression, {}, limits);
  work_.spend(shown.work);
  if (!shown.complete) return {};
  Graph scratch;  // factors come in the order of age of their symbols: the same in all formulas
  for (const Expr& symbol : free_symbols({&expression, 1})) scratch.symbol(symbol.name());
  constexpr double enough = 1e7;  // for the terms of a formula that is read
  const double given = std::min(std::max(allowance_.one, enough), work_.left());
  Work for_terms(given);
  Shown laid_out = lay_out_terms(std::move(shown.shown), scratch, for_terms);
  work_.spend(given - for_terms.left());
  return has_swollen(laid_out, expression) ? simplify_terms(expression) : laid_out;
}

/// What would be much longer over one denominator: each term by itself, or as it stands.
Shown Scribe::simplify_terms(Expr expression) {
  Shown as_it_stands = make_shown(expression);
  if (expression.op() != Op::sum) return as_it_stands;
  Graph& graph = expression.graph();
  std::vector<Shown> terms;
  const auto add = [&](Expr term) {
    CanonicalLimits limits;
    limits.work = std::min(allowance_.one, work_.left());
    Displayed shown = make_display(term, {}, limits);
    work_.spend(shown.work);
    const bool is_fit = shown.complete && !has_swollen(shown.shown, term);
    terms.push_back(is_fit ? open_brackets(std::move(shown.shown)) : make_shown(term));
  };
  const std::span<const Part> held = graph.parts(expression.id());
  const std::vector<Part> parts(held.begin(), held.end());  // the graph grows
  for (const Part& part : parts) add(graph[part.weight] * graph[part.node]);
  if (graph.offset(expression.id()) != graph.zero()) add(graph[graph.offset(expression.id())]);
  const auto positive = std::ranges::find_if(terms, [](const Shown& term) { return !begins_negative(term); });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  Shown sum = show_sum(std::move(terms));
  return count_signs(sum) < count_signs(as_it_stands) ? sum : as_it_stands;
}

std::string Scribe::operator()(const Shown& shown) const {
  return style_ == Style::text ? to_text(shown) : to_latex(shown);
}

std::string Scribe::name(const std::string& name) const { return (*this)(show_name(name)); }

std::string Scribe::plain(Expr expression) const {
  // At least every other node is a character: what cannot be written is known before most of it is.
  if (count_written(expression) / 2 > static_cast<double>(allowance_.characters))
    throw InputError({"",
                      {},
                      "",
                      fmt::format("an expression written out has more than {} characters", allowance_.characters),
                      "write it as a listing, with its shared parts named"});
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
  const std::vector<Gap> gaps = gaps_in(line);
  auto first = gaps.begin();  // of those that lie ahead
  std::string text;
  std::size_t begin = 0;
  while (begin < line.size()) {
    const std::size_t room = begin == 0 ? widest_line : widest_line - indent.size();
    const std::size_t end = begin + room;
    const Gap* best = nullptr;
    first = std::find_if(first, gaps.end(), [&](const Gap& gap) { return gap.at > begin; });
    const auto last =
        std::find_if(first, gaps.end(), [&](const Gap& gap) { return gap.at > end || line.size() <= end; });
    // The outermost that leaves a line at least half full, else the last.
    for (const Gap& gap : std::span(first, last)) {
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
