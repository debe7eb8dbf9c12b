#include "mechanics/structure/gauss_system.hpp"

#include <algorithm>
#include <dalembert/base/error.hpp>
#include <limits>
#include <set>

#include "expr/flatten.hpp"

namespace dalembert {
namespace {

using Unknown = GaussSystem::Unknown;

template <class Cells>
auto find_cell(Cells& cells, Unknown other) {
  return std::ranges::lower_bound(cells, other, {}, [](const auto& cell) { return cell.other; });
}

[[noreturn]] void refuse_pivot() {
  throw InputError({"", {}, "", "a pivot is zero for every value", "give every coordinate inertia"});
}

}  // namespace

GaussSystem::GaussSystem(Graph& graph, std::size_t velocities, std::size_t rows)
    : graph_(graph), velocities_(velocities), rows_(rows) {
  for (std::size_t i = 0; i < velocities; ++i) add_unknown(Kind::free);
  for (std::size_t r = 0; r < rows; ++r) add_unknown(Kind::multiplier);
}

Unknown GaussSystem::add_unknown(Kind kind) {
  kind_.push_back(kind);
  cells_.emplace_back();
  linear_.emplace_back();
  definition_.emplace_back();
  readers_.push_back(0);
  return static_cast<Unknown>(kind_.size() - 1);
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

// ---------------------------------------------------------------------------------------------- elimination

/// Takes the unknowns out one by one, the one with the fewest neighbours first among those that may leave: a defined
/// one when no other definition reads it; a free one likewise (its pivot is then that of a positive form); a multiplier
/// when none of its neighbours is left but multipliers (then its pivot is that of a Gram matrix). Never by a pivot that
/// is only not zero as it is written.
class GaussSystem::Elimination {
 public:
  Elimination(GaussSystem& system, Order order, std::size_t most)
      : s_(system), order_(order), most_(most), gone_(system.kind_.size(), false) {}

  std::vector<Expr> run() {
    for (Unknown x = 0; x < s_.kind_.size(); ++x) offer(x);
    while (!queue_.empty()) {
      const Unknown x = queue_.begin()->unknown;
      if (s_.term_count_ > most_) return {};
      queue_.erase(queue_.begin());
      key_[x] = {};
      touched_.clear();
      if (s_.kind_[x] == Kind::defined)
        substitute(x);
      else
        eliminate(x);
      gone_[x] = true;
      std::ranges::sort(touched_);
      touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
      for (Unknown y : touched_) offer(y);
    }
    if (s_.apart_) return {};  // velocities stay
    return substitute_back();
  }

 private:
  struct Key {
    std::uint32_t cost = 0, kind = 0, from_end = 0;
    Unknown unknown = 0;
    bool queued = false;
    auto operator<=>(const Key&) const = default;
  };
  /// x = form, of unknowns that left later.
  struct Left {
    Unknown unknown;
    Form form;
  };

  bool may_leave(Unknown x) const {
    if (gone_[x] || s_.readers_[x] != 0) return false;
    if (s_.kind_[x] != Kind::multiplier) return true;
    return std::ranges::all_of(s_.cells_[x],
                               [&](const Cell& cell) { return s_.kind_[cell.other] == Kind::multiplier; });
  }

  void offer(Unknown x) {
    if (key_.size() < s_.kind_.size()) key_.resize(s_.kind_.size());
    if (key_[x].queued) queue_.erase(key_[x]);
    key_[x] = {};
    if (!may_leave(x) || (s_.apart_ && s_.kind_[x] != Kind::defined)) return;
    const bool defined = s_.kind_[x] == Kind::defined;
    Key key{static_cast<std::uint32_t>(s_.cells_[x].size() + (defined ? s_.definition_[x].terms.size() : 0)),
            static_cast<std::uint32_t>(s_.kind_[x]), static_cast<std::uint32_t>(s_.kind_.size() - x), x, true};
    if (order_ == Order::composite) std::swap(key.cost, key.kind), key.cost = defined ? 0 : 1 + key.cost;
    if (s_.apart_)
      key.kind = 0;  // leaf to root, so that what is defined does not fill up: the number of velocities does
    queue_.insert(key_[x] = key);
  }

  Expr sum(std::vector<Expr>& terms) {
    Expr total = s_.graph_.sum(terms);
    terms.clear();
    return total;
  }

  /// The row of x leaves K: its diagonal, and the others.
  Expr take(Unknown x, std::vector<Entry>& others) {
    Expr diagonal = s_.graph_.constant(0);
    others.clear();
    for (Cell& cell : s_.cells_[x]) {
      Expr value = sum(cell.terms);
      if (cell.other == x) {
        diagonal = value;
        continue;
      }
      others.push_back({cell.other, value});
      auto& back = s_.cells_[cell.other];
      back.erase(find_cell(back, x));
      touched_.push_back(cell.other);
    }
    s_.cells_[x].clear();
    if (s_.apart_) {
      const Form velocities = s_.make_form(std::move(s_.mass_[x]), s_.graph_.constant(0));
      others.insert(others.end(), velocities.terms.begin(), velocities.terms.end());
      s_.mass_[x] = {};
    }
    return diagonal;
  }

  /// x = sum of c_j y_j + drift. With s_l = K_xl + c_l K_xx: K_jl += c_j s_l + c_l K_xj, g_j += c_j g_x + s_j drift.
  void substitute(Unknown x) {
    std::vector<Entry> others;
    const Expr diagonal = take(x, others), force = sum(s_.linear_[x]);
    const Form& form = s_.definition_[x];
    struct Share {
      Unknown unknown;
      Expr factor, coupling, total;  // c, K_x., s
    };
    std::vector<Share> parts;
    const Expr zero = s_.graph_.constant(0);
    for (const Entry& term : form.terms) parts.push_back({term.column, term.value, zero, term.value * diagonal});
    for (const Entry& other : others) {
      auto found = std::ranges::find(parts, other.column, &Share::unknown);
      if (found == parts.end()) {
        for (const Entry& term : form.terms) s_.add(term.column, other.column, term.value * other.value);
        s_.add_linear(other.column, other.value * form.drift);
      } else {
        found->coupling = other.value;
        found->total += other.value;
      }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const bool swap = parts[i].factor.is_one();  // a product less
        const Share &a = parts[swap ? i : j], &b = parts[swap ? j : i];
        s_.add(a.unknown, b.unknown, a.factor * b.total);
        s_.add(a.unknown, b.unknown, b.factor * a.coupling);
      }
      s_.add_linear(parts[i].unknown, parts[i].factor * force);
      s_.add_linear(parts[i].unknown, parts[i].total * form.drift);
      --s_.readers_[parts[i].unknown];
      touched_.push_back(parts[i].unknown);
    }
    left_.push_back({x, form});
  }

  void eliminate(Unknown x) {
    std::vector<Entry> others;
    const Expr diagonal = take(x, others), force = sum(s_.linear_[x]);
    if (diagonal.is_zero()) refuse_pivot();
    const Expr reciprocal = 1 / diagonal;
    std::vector<Entry> terms;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Expr part = -(others[i].value * reciprocal);
      terms.push_back({others[i].column, part});
      for (std::size_t j = 0; j <= i; ++j) s_.add(others[i].column, others[j].column, part * others[j].value);
      s_.add_linear(others[i].column, part * force);
    }
    left_.push_back({x, {std::move(terms), -(force * reciprocal)}});
  }

  std::vector<Expr> substitute_back() {
    std::vector<Expr> found(s_.kind_.size());
    for (std::size_t k = left_.size(); k-- > 0;) {
      std::vector<Expr> terms{left_[k].form.drift};
      for (const Entry& term : left_[k].form.terms) terms.push_back(term.value * found[term.column]);
      found[left_[k].unknown] = s_.graph_.sum(terms);
    }
    found.resize(s_.velocities_ + s_.rows_);
    for (std::size_t r = 0; r < s_.rows_; ++r) found[s_.velocities_ + r] = -found[s_.velocities_ + r];
    return found;
  }

  GaussSystem& s_;
  Order order_;
  std::size_t most_;
  std::vector<bool> gone_;
  std::vector<Key> key_;
  std::set<Key> queue_;
  std::vector<Unknown> touched_;
  std::vector<Left> left_;
};

std::pair<std::vector<std::vector<Entry>>, std::vector<Expr>> GaussSystem::reduce(std::size_t most) {
  Flatten nested(graph_, false);
  apart_ = true;
  mass_.resize(kind_.size());
  for (Unknown i = 0; i < kind_.size(); ++i) {  // what was there before
    for (const Cell& cell : cells_[i])
      for (const Expr& term : cell.terms)
        if (cell.other <= i && cell.other < velocities_) mass_[i].push_back({cell.other, term});
    if (i < velocities_) cells_[i].clear();
    std::erase_if(cells_[i], [&](const Cell& cell) { return cell.other < velocities_; });
  }
  constexpr std::size_t terms_of_an_entry = 4;  // before they are added up: one for a hinge, three for a quaternion
  Elimination(*this, Order::composite, terms_of_an_entry * most).run();
  std::vector<Expr> bias;
  std::size_t count = 0;
  for (std::size_t i = 0; i < velocities_; ++i) {
    mass_[i] = make_form(std::move(mass_[i]), graph_.constant(0)).terms;
    bias.push_back(graph_.sum(linear_[i]));
    count += mass_[i].size();
  }
  if (term_count_ > terms_of_an_entry * most || count > most) return {};
  mass_.resize(velocities_);
  return {std::move(mass_), std::move(bias)};
}

std::vector<Expr> GaussSystem::solve(Order order, std::size_t most) {
  Flatten nested(graph_, false);  // sums of a factorisation are shared, writing them out would repeat them
  if (order == Order::recursive) exchange();
  return Elimination(*this, order, most).run();
}

}  // namespace dalembert
