#include "model/start_formulas.hpp"

#include <unordered_map>

namespace dalembert {
namespace {

/// Values, then rates.
std::vector<Expr> formulas_of(const std::vector<Coordinate>& coordinates) {
  std::vector<Expr> formulas;
  for (const Coordinate& coordinate : coordinates) formulas.push_back(coordinate.value);
  for (const Coordinate& coordinate : coordinates) formulas.push_back(coordinate.rate_value);
  return formulas;
}

std::vector<NodeId> sources_of(const Model& model) {
  std::vector<NodeId> ids;
  auto add = [&](const std::vector<Coordinate>& coordinates) {
    for (const Coordinate& coordinate : coordinates)
      ids.insert(ids.end(), {coordinate.value.id(), coordinate.rate_value.id()});
  };
  for (const Parameter& parameter : model.parameters)
    ids.insert(ids.end(), {parameter.symbol.id(), parameter.value.id()});
  add(model.coordinates);
  if (model.reduction) add(model.reduction->coordinates);
  return ids;
}

}  // namespace

/// Parameters may read later ones, so each is put after those that it reads: a walk with its own stack.
StartFormulas::StartFormulas(const Model& model) : numbers_(model.parameters.size()), sources_(sources_of(model)) {
  std::unordered_map<NodeId, std::size_t> index;
  std::vector<Expr> symbols;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    symbols.push_back(model.parameters[i].symbol);
    index[symbols[i].id()] = i;
  }
  std::vector<bool> known(symbols.size(), false);
  std::vector<std::size_t> stack, reads;
  for (std::size_t root = 0; root < known.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const std::size_t before = stack.size(), parameter = stack.back();
      reads.clear();
      for (const Expr& symbol : free_symbols({&model.parameters[parameter].value, 1})) {
        reads.push_back(index.at(symbol.id()));
        if (!known[reads.back()]) stack.push_back(reads.back());
      }
      if (stack.size() > before) continue;
      if (!known[parameter]) add(model, parameter, reads);
      known[parameter] = true;
      stack.pop_back();
    }
  }
  start = Evaluator(formulas_of(model.coordinates), symbols);
  if (model.reduction) reduced = Evaluator(formulas_of(model.reduction->coordinates), symbols);
}

void StartFormulas::add(const Model& model, std::size_t parameter, std::span<const std::size_t> reads) {
  const Expr& formula = model.parameters[parameter].value;
  std::vector<Expr> symbols;
  for (std::size_t other : reads) symbols.push_back(model.parameters[other].symbol);
  Evaluator value({&formula, 1}, symbols);
  if (reads.empty()) {
    numbers_[parameter] = value({})[0];
  } else {
    computed_.push_back({parameter, std::move(value), {reads.begin(), reads.end()}});
  }
}

std::vector<double> StartFormulas::parameter_values(std::span<const std::optional<double>> given) const {
  std::vector<double> values = numbers_, read;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i]) values[i] = *given[i];
  for (const Computed& each : computed_) {
    if (!given.empty() && given[each.parameter]) continue;
    read.clear();
    for (std::size_t other : each.reads) read.push_back(values[other]);
    values[each.parameter] = each.value(read)[0];
  }
  return values;
}

bool StartFormulas::belong_to(const Model& model) const { return sources_ == sources_of(model); }

}  // namespace dalembert
