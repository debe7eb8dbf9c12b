#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/formula.hpp>
#include <unordered_map>

#include "expr/infix.hpp"
#include "expr/walk.hpp"

// Large shared graphs as a list of named parts.

namespace dalembert {
namespace {

constexpr std::size_t least_named = 4;       // nodes: smaller shared parts are written each time
constexpr std::size_t largest_inline = 500;  // nodes: larger parts are named even if used once

/// "_", or more of them, so that no symbol's name begins so with a digit after it.
std::string free_prefix(std::span<const Expr> expressions) {
  std::string prefix = "_";
  std::vector<Expr> symbols = free_symbols(expressions);
  auto taken = [&](const Expr& symbol) {
    const std::string& name = symbol.name();
    return name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] != '_';
  };
  while (std::ranges::any_of(symbols, taken)) prefix += '_';
  return prefix;
}

/// The nodes to name, arguments first.
std::vector<NodeId> find_named(Graph& graph, std::span<const Expr> expressions) {
  Walk walk(graph, expressions);
  std::vector<std::size_t> uses(walk.size(), 0), size(walk.size(), 1);
  for (NodeId id : walk.order()) graph.for_each_child(id, [&](NodeId child) { ++uses[walk.index(child)]; });
  for (const Expr& root : expressions) ++uses[walk.index(root.id())];
  std::vector<NodeId> named;
  for (std::size_t i = 0; i < walk.size(); ++i) {
    NodeId id = walk.order()[i];
    graph.for_each_child(id, [&](NodeId child) { size[i] += size[walk.index(child)]; });
    bool shared = uses[i] > 1 && size[i] >= least_named;
    if (!shared && size[i] <= largest_inline) continue;
    named.push_back(id);
    size[i] = 1;
  }
  return named;
}

}  // namespace

Listing make_listing(std::span<const Expr> expressions, const PrintLimits& limits) {
  Listing listing;
  if (expressions.empty()) return listing;
  Graph& graph = expressions[0].graph();
  std::string prefix = free_prefix(expressions);
  std::size_t left = limits.characters;
  TextRenderer renderer(graph, limits);
  auto write = [&](NodeId id) {
    std::string text = renderer.write_named(id);
    if (text.size() > left)
      throw InputError({"",
                        {},
                        "",
                        fmt::format("the listing has more than {} characters", limits.characters),
                        "its numbers are too long to be written out"});
    left -= text.size();
    return text;
  };
  for (NodeId id : find_named(graph, expressions)) {
    listing.definitions.push_back({fmt::format("{}{}", prefix, listing.definitions.size() + 1), write(id)});
    renderer.set_name(id, listing.definitions.back().name);
  }
  for (const Expr& root : expressions) listing.results.push_back(write(root.id()));
  return listing;
}

std::string to_text(const Listing& listing) {
  std::string text;
  for (const Listing::Definition& definition : listing.definitions)
    text += fmt::format("{} = {}\n", definition.name, definition.text);
  for (const std::string& result : listing.results) text += result + "\n";
  return text;
}

std::string to_text(std::span<const Expr> expressions) { return to_text(make_listing(expressions)); }

namespace {

/// One line: a definition, or a result.
void read_line(std::string_view line, const Scope& scope, std::unordered_map<std::string, Expr>& definitions,
               std::vector<Expr>& results) {
  Formula formula = parse_syntax(line, true, {.characters = 100'000'000});
  if (formula.relation == Relation::none) {
    results.push_back(interpret_scalar(formula, formula.left, scope));
    return;
  }
  const SyntaxNode& name = formula.nodes[formula.left];
  if (formula.relation != Relation::equal || name.kind != SyntaxNode::Kind::name || name.primes != 0)
    throw FormulaError({"", formula.relation_place, "", "a line of a listing is no definition",
                        "write NAME = formula, or a formula alone"});
  definitions[name.text] = interpret_scalar(formula, formula.right, scope);
}

}  // namespace

std::vector<Expr> parse_listing(Graph& graph, std::string_view text) {
  std::vector<Expr> results;
  std::unordered_map<std::string, Expr> definitions;
  Scope scope = plain_scope(graph);
  auto plain_name = scope.name;
  scope.name = [&](const SyntaxNode& name) -> std::optional<Quantity> {
    auto found = name.primes == 0 ? definitions.find(name.text) : definitions.end();
    return found == definitions.end() ? plain_name(name) : found->second;
  };
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      read_line(line, scope, definitions, results);
    } catch (const FormulaError& error) {
      Complaint complaint = error.complaint();
      complaint.place.line = number;
      throw FormulaError(complaint);
    }
  }
  return results;
}

}  // namespace dalembert
