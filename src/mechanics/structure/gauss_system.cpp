#include "mechanics/structure/gauss_system.hpp"

#include <algorithm>

namespace dalembert {

GaussSystem::GaussSystem(Graph& graph, std::size_t velocities, std::size_t rows)
    : graph_(graph), velocities_(velocities), rows_(rows) {
  kind_.reserve(velocities + rows);
  cells_.reserve(velocities + rows);
  linear_.reserve(velocities + rows);
  definition_.reserve(velocities + rows);
  readers_.reserve(velocities + rows);
  twin_.reserve(velocities + rows);
  for (std::size_t i = 0; i < velocities; ++i) add_unknown(Kind::free);
  for (std::size_t r = 0; r < rows; ++r) add_unknown(Kind::multiplier);
}

GaussSystem::Unknown GaussSystem::add_unknown(Kind kind) {
  kind_.push_back(kind);
  cells_.emplace_back();
  linear_.emplace_back();
  definition_.emplace_back();
  readers_.push_back(0);
  twin_.push_back(static_cast<Unknown>(kind_.size() - 1));
  return twin_.back();
}

// ---------------------------------------------------------------------------------------------- forms

Form GaussSystem::make_form(std::vector<Entry> terms, Expr drift) const {
  std::ranges::stable_sort(terms, {}, &Entry::column);
  Form form{{}, drift};
  std::vector<Expr> same;
  for (std::size_t i = 0, j = 0; i < terms.size(); i = j) {
    same.clear();
    for (; j < terms.size() && terms[j].column == terms[i].column; ++j) same.push_back(terms[j].value);
    form.terms.push_back({terms[i].column, graph_.sum(same)});
  }
  std::erase_if(form.terms, [](const Entry& term) { return term.value.is_zero(); });
  return form;
}

Form GaussSystem::combine(std::span<const std::pair<Expr, const Form*>> parts) const {
  std::vector<Entry> terms;
  std::vector<Expr> drift;
  for (const auto& [factor, form] : parts) {
    if (factor.is_zero()) continue;
    for (const Entry& term : form->terms) terms.push_back({term.column, factor * term.value});
    if (!form->drift.is_zero()) drift.push_back(factor * form->drift);
  }
  return make_form(std::move(terms), graph_.sum(drift));
}

Form GaussSystem::define(const Form& form) {
  if (form.terms.size() < 2) return form;
  std::vector<std::uint32_t> key{form.drift.id()};
  for (const Entry& term : form.terms) key.insert(key.end(), {term.column, term.value.id()});
  auto [found, is_new] = defined_.try_emplace(std::move(key), 0);
  if (is_new) {
    found->second = add_unknown(Kind::defined);
    definition_[found->second] = form;
    for (const Entry& term : form.terms) ++readers_[term.column];
  }
  return {{{found->second, graph_.constant(1)}}, graph_.constant(0)};
}

void GaussSystem::join(const Form& a, const Form& b) {
  if (a.terms.size() != 1 || b.terms.size() != 1) return;
  const Unknown x = a.terms[0].column, w = b.terms[0].column;
  if (kind_[x] != Kind::defined || kind_[w] != Kind::defined || x == w) return;
  const std::vector<Entry>&of_x = definition_[x].terms, &of_w = definition_[w].terms;
  if (of_x.size() != 2 || of_w.size() != 2 || twin_[x] != x || twin_[w] != w) return;
  if (of_x[0].column != of_w[0].column || of_x[1].column != of_w[1].column) return;
  if (!(of_x[0].value * of_x[1].value + of_w[0].value * of_w[1].value).is_zero()) return;
  twin_[x] = w;
  twin_[w] = x;
}

void GaussSystem::let_wait(const Form& turning, const Form& origin) {
  if (turning.terms.size() != 1 || origin.terms.size() != 1 || kind_[origin.terms[0].column] != Kind::defined) return;
  carriers_[turning.terms[0].column].push_back(origin.terms[0].column);
}

// ---------------------------------------------------------------------------------------------- the quadratic form

void GaussSystem::add(Unknown a, Unknown b, Expr value) {
  if (value.is_zero()) return;
  if (!apart_) ++term_count_;
  if (apart_ && std::min(a, b) < velocities_) {
    if (std::max(a, b) < velocities_) ++term_count_;
    mass_[std::max(a, b)].push_back({std::min(a, b), value});
    return;
  }
  for (auto [row, column] : {std::pair(a, b), {b, a}}) {
    auto found = find_cell(cells_[row], column);
    if (found == cells_[row].end() || found->other != column) found = cells_[row].insert(found, {column, {}});
    found->terms.push_back(value);
    if (a == b) return;
  }
}

void GaussSystem::add_linear(Unknown a, Expr value) {
  if (!value.is_zero()) linear_[a].push_back(value);
}

void GaussSystem::add_product(const Form& a, const Form& b, Expr weight) {
  if (weight.is_zero()) return;
  for (const Entry& one : a.terms) {
    Expr scaled = weight * one.value;
    for (const Entry& other : b.terms) {
      Expr value = scaled * other.value;
      add(one.column, other.column, one.column == other.column ? 2 * value : value);
    }
    add_linear(one.column, scaled * b.drift);
  }
  for (const Entry& other : b.terms) add_linear(other.column, weight * other.value * a.drift);
}

void GaussSystem::add_square(const Form& a, Expr weight) {
  if (weight.is_zero()) return;
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    Expr scaled = weight * a.terms[i].value;
    for (std::size_t j = 0; j <= i; ++j) add(a.terms[i].column, a.terms[j].column, scaled * a.terms[j].value);
    add_linear(a.terms[i].column, scaled * a.drift);
  }
}

void GaussSystem::add_force(const Form& a, Expr force) {
  for (const Entry& term : a.terms) add_linear(term.column, term.value * force);
}

void GaussSystem::add_row(std::size_t row, const Form& a) {
  const auto multiplier = static_cast<Unknown>(velocities_ + row);
  for (const Entry& term : a.terms) add(multiplier, term.column, term.value);
  add_linear(multiplier, a.drift);
}

/// w = d u + rest, with a constant d and u read nowhere else: u = (w - rest) / d, and w is the free one. The pivot is
/// the same number, and w is not coupled to what u was.
void GaussSystem::exchange() {
  for (Unknown w = static_cast<Unknown>(velocities_ + rows_); w < kind_.size(); ++w) {
    if (kind_[w] != Kind::defined) continue;
    auto own = std::ranges::find_if(definition_[w].terms, [&](const Entry& term) {
      return term.column < velocities_ && term.value.is_constant() && kind_[term.column] == Kind::free &&
             readers_[term.column] == 1 && cells_[term.column].empty();
    });
    if (own == definition_[w].terms.end()) continue;
    const Unknown u = own->column;
    const Expr factor = 1 / own->value;
    std::vector<Entry> terms{{w, factor}};
    for (const Entry& term : definition_[w].terms)
      if (term.column != u) terms.push_back({term.column, -(factor * term.value)});
    definition_[u] = make_form(std::move(terms), -(factor * definition_[w].drift));
    definition_[w] = {};
    --readers_[u];
    ++readers_[w];
    kind_[u] = Kind::defined;
    kind_[w] = Kind::free;
  }
}

}  // namespace dalembert
