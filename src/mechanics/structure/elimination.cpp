#include <algorithm>
#include <dalembert/base/error.hpp>
#include <queue>

#include "expr/flatten.hpp"
#include "mechanics/structure/gauss_system.hpp"

namespace dalembert {
namespace {

[[noreturn]] void refuse_pivot() {
  throw InputError({"", {}, "", "a pivot is zero for every value", "give every coordinate inertia"});
}

}  // namespace

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
      const Key first = queue_.top();
      queue_.pop();
      const Unknown x = first.unknown;
      if (key_[x] != first) continue;  // offered again since, or no more
      if (s_.term_count_ > most_) return {};
      key_[x] = {};
      touched_.clear();
      if (const Unknown twin = s_.twin_[x]; leaves_with_twin(x)) {
        key_[twin] = {};
        substitute_both(x, twin);
        gone_[twin] = true;
      } else if (s_.kind_[x] == Kind::defined)
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
    bool waits = false;
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

  bool waits(Unknown x) const {
    if (order_ != Order::recursive || s_.kind_[x] != Kind::free) return false;
    const auto found = s_.carriers_.find(x);
    return found != s_.carriers_.end() && std::ranges::any_of(found->second, [&](Unknown y) { return !gone_[y]; });
  }

  /// Neither has become the free one of an exchange.
  bool leaves_with_twin(Unknown x) const {
    const Unknown twin = s_.twin_[x];
    return twin != x && s_.kind_[x] == Kind::defined && s_.kind_[twin] == Kind::defined;
  }

  bool may_leave(Unknown x) const {
    if (gone_[x] || s_.readers_[x] != 0) return false;
    if (leaves_with_twin(x) && s_.readers_[s_.twin_[x]] != 0) return false;
    if (s_.kind_[x] != Kind::multiplier) return true;
    return std::ranges::all_of(s_.cells_[x],
                               [&](const Cell& cell) { return s_.kind_[cell.other] == Kind::multiplier; });
  }

  void offer(Unknown x) {
    if (key_.size() < s_.kind_.size()) key_.resize(s_.kind_.size());
    key_[x] = {};
    if (!may_leave(x) || (s_.apart_ && s_.kind_[x] != Kind::defined)) return;
    const bool defined = s_.kind_[x] == Kind::defined;
    Key key{waits(x),
            static_cast<std::uint32_t>(s_.cells_[x].size() + (defined ? s_.definition_[x].terms.size() : 0)),
            static_cast<std::uint32_t>(s_.kind_[x]),
            static_cast<std::uint32_t>(s_.kind_.size() - x),
            x,
            true};
    if (order_ == Order::composite) std::swap(key.cost, key.kind), key.cost = defined ? 0 : 1 + key.cost;
    if (s_.apart_)
      key.kind = 0;  // leaf to root, so that what is defined does not fill up: the number of velocities does
    queue_.push(key_[x] = key);
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

  /// x = sum of c_j y_j + drift. With s_l = K_xl + c_l K_xx: K_jl += c_j s_l + c_l K_xj, and with f = g_x + K_xx drift:
  /// g_j += c_j f + K_xj drift.
  void substitute(Unknown x) {
    std::vector<Entry> others;
    const Expr diagonal = take(x, others);
    const Form& form = s_.definition_[x];
    const Expr force = sum(s_.linear_[x]) + diagonal * form.drift;
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
      s_.add_linear(parts[i].unknown, parts[i].coupling * form.drift);
      --s_.readers_[parts[i].unknown];
      touched_.push_back(parts[i].unknown);
    }
    left_.push_back({x, form});
  }

  /// x = a y + b z + d, w = c y + e z + f with a b = -c e. With P = K_xx, Q = K_xw, R = K_ww:
  /// K_yy += a^2 P + 2 a c Q + c^2 R, K_zz += b^2 P + 2 b e Q + e^2 R, K_yz += a b (P - R) + (a e + b c) Q.
  void substitute_both(Unknown x, Unknown w) {
    std::vector<Entry> of_x, of_w;
    const Expr p = take(x, of_x), r = take(w, of_w);
    const auto between = std::ranges::find(of_x, w, &Entry::column);
    const Expr q = between == of_x.end() ? s_.graph_.constant(0) : between->value;
    if (between != of_x.end()) of_x.erase(between);
    const Form &form = s_.definition_[x], &other = s_.definition_[w];
    const Unknown y = form.terms[0].column, z = form.terms[1].column;
    const Expr a = form.terms[0].value, b = form.terms[1].value, c = other.terms[0].value, e = other.terms[1].value;
    for (const Expr& term : {a * a * p, 2 * (a * c) * q, c * c * r}) s_.add(y, y, term);
    for (const Expr& term : {b * b * p, 2 * (b * e) * q, e * e * r}) s_.add(z, z, term);
    s_.add(y, z, a * b * (p - r));
    s_.add(y, z, (a * e + b * c) * q);
    const Expr d = form.drift, f = other.drift, force = sum(s_.linear_[x]), force_w = sum(s_.linear_[w]);
    hand_on(of_x, y, a, z, b, d, force + p * d + q * f);
    hand_on(of_w, y, c, z, e, f, force_w + q * d + r * f);
    left_.push_back({x, form});
    left_.push_back({w, other});
  }

  /// What x = a y + b z + d is coupled to, and the force along it.
  void hand_on(const std::vector<Entry>& others, Unknown y, Expr a, Unknown z, Expr b, Expr d, Expr force) {
    for (const Entry& other : others) {
      for (const auto& [unknown, factor] : {std::pair(y, a), {z, b}})
        s_.add(unknown, other.column, (other.column == unknown ? 2 * factor : factor) * other.value);
      s_.add_linear(other.column, other.value * d);
    }
    for (const auto& [unknown, factor] : {std::pair(y, a), {z, b}}) {
      s_.add_linear(unknown, factor * force);
      --s_.readers_[unknown];
      touched_.push_back(unknown);
    }
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
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue_;  // keys that hold no more are passed over
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
