#include <algorithm>
#include <dalembert/simulate/system.hpp>

#include "study/verify/principles.hpp"

// One-sided constraints (theory 5.4): at random states where some contacts touch, which of them hold and the
// accelerations then, by the active-set programme of the simulate stage, against every set of contacts tried one by
// one: each set as equations, solved by the null space, until one has all multipliers of the right sign and no contact
// penetrating. Their rows are compared with jets as equations' rows are.

namespace dalembert {
namespace {

constexpr std::size_t most_touching = 6;      // all their sets are tried
constexpr std::size_t most_velocities = 100;  // beyond, that takes minutes

class ContactPrinciple : public Principle {
 public:
  ContactPrinciple(const Model& model, const Equations& equations)
      : model_(model), equations_(equations), parameters_(tracked_parameters(model)), random_(1910) {
    std::vector<std::size_t> all(equations.contacts.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    held_ = hold_contacts(equations, all);
    held_.by = "contacts";
    held_.rows.erase(held_.rows.begin(), held_.rows.begin() + std::ssize(equations.rows));
  }

  void compare(const State& state, const Reference& /*reference*/, Ledger& ledger) override {
    compare_derivatives(model_, held_, parameters_, state, random_, ledger);
    compare_gaps(state, ledger);
    if (equations_.velocities.size() > most_velocities) return;
    const Equations some = draw_contacts();
    std::vector<std::size_t> all(some.contacts.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    const Equations closed = hold_contacts(some, all);
    State touching;
    try {
      touching = System(closed).make_consistent_start(state, true).state;
    } catch (const InputError&) {
      return;  // these contacts cannot touch at the same time
    }
    compare_sets(some, closed, touching, ledger);
  }

 private:
  void compare_gaps(const State& state, Ledger& ledger) {
    Values<Tracked> at = tracked_state(parameters_, equations_, state);
    for (const ConstraintRow& contact : equations_.contacts) {
      const auto written = std::ranges::find(model_.constraints, contact.name, &Constraint::name);
      ledger("gap", "contacts", "as written")
          .add(evaluate_tracked({&contact.position, 1}, at)[0], evaluate_tracked({&written->f, 1}, at)[0],
               contact.name);
    }
  }

  Equations draw_contacts() {
    Equations some = equations_;
    std::ranges::shuffle(some.contacts, random_);
    some.contacts.resize(1 + random_() % std::min(most_touching, some.contacts.size()));
    return some;
  }

  /// The matrices with the equations' rows and those of a set of contacts, one bit each.
  static Matrices with_set(const Matrices& all, std::size_t rows, std::size_t set) {
    Matrices chosen{all.n, 0, all.mass, all.bias, {}, {}, {}};
    for (std::size_t r = 0; r < all.rows; ++r) {
      if (r >= rows && (set >> (r - rows) & 1) == 0) continue;
      const auto row = all.jacobian.begin() + static_cast<std::ptrdiff_t>(r * all.n);
      chosen.jacobian.insert(chosen.jacobian.end(), row, row + static_cast<std::ptrdiff_t>(all.n));
      chosen.drift.push_back(all.drift[r]);
      chosen.offset.push_back(all.offset[r]);
      ++chosen.rows;
    }
    return chosen;
  }

  /// Whether contacts in the set push and the others do not penetrate, as far as the bounds tell.
  static bool is_admissible(const Equations& some, const Matrices& all, std::size_t set,
                            const NullSpaceSolution& solution) {
    const std::size_t rows = some.rows.size();
    std::size_t at = rows;
    for (std::size_t c = 0; c < some.contacts.size(); ++c) {
      const double sign = some.contacts[c].relation == Relation::less_equal ? -1 : 1;
      if ((set >> c & 1) != 0) {
        if (!(sign * solution.multipliers[at] >= -solution.multiplier_bound[at])) return false;
        ++at;
        continue;
      }
      Tracked rise = all.drift[rows + c];
      for (std::size_t i = 0; i < all.n; ++i)
        rise = rise +
               all.jacobian[(rows + c) * all.n + i] * Tracked(solution.acceleration[i], solution.acceleration_bound[i]);
      if (!(sign * rise.value >= -rise.error)) return false;
    }
    return true;
  }

  void compare_sets(const Equations& some, const Equations& closed, const State& state, Ledger& ledger) {
    const std::size_t rows = some.rows.size();
    const Matrices all = evaluate_matrices(closed, tracked_state(parameters_, closed, state));
    for (std::size_t set = 0; set < std::size_t{1} << some.contacts.size(); ++set) {
      const std::optional<NullSpaceSolution> solution = solve_by_null_space(with_set(all, rows, set));
      if (!solution || !is_admissible(some, all, set, *solution)) continue;
      const ContactResponse found = System(some).evaluate_contacts(state);
      for (std::size_t i = 0; i < all.n; ++i)
        ledger("accelerations with contacts", "active set", "every set tried")
            .add(found.response.acceleration[i] - solution->acceleration[i], 2 * solution->acceleration_bound[i],
                 equations_.velocities[i].name());
      std::size_t at = rows;
      for (std::size_t c = 0; c < some.contacts.size(); ++c) {
        const bool in_set = (set >> c & 1) != 0;
        const double value = in_set ? solution->multipliers[at] : 0,
                     bound = in_set ? solution->multiplier_bound[at] : 0;
        at += in_set ? 1 : 0;
        if (in_set && found.unique[rows + c])
          ledger("contacts' multipliers", "active set", "every set tried")
              .add(found.multipliers[c] - value, 2 * bound, some.contacts[c].name);
      }
      return;
    }
  }

  const Model& model_;
  const Equations& equations_;
  Equations held_;  // the contacts alone, as equations
  Values<Tracked> parameters_;
  Random random_;
};

}  // namespace

std::unique_ptr<Principle> make_contact_principle(const Model& model, const Equations& equations) {
  return std::make_unique<ContactPrinciple>(model, equations);
}

}  // namespace dalembert
