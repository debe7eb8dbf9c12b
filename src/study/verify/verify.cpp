#include "study/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/verify/principles.hpp"
#include "study/verify/release.hpp"
#include "study/verify/run.hpp"

namespace dalembert {
namespace {

/// Large systems take long at each state.
constexpr std::size_t few_states = 2;
/// The derivatives of M are as many as the cube of the coordinates.
constexpr std::size_t largest_geometry = 50;

/// Everything that one set of equations can be compared by, at states drawn around its start.
class Route {
 public:
  Route(const Equations& equations, const State& start, Random& random)
      : model_(*equations.model),
        equations_(equations),
        parameters_(tracked_parameters(model_)),
        system_(equations),
        start_(system_.make_consistent_start(start, false).state),
        motion_(run_briefly(system_, start_, start.t + model_.simulate.until, 1e-10)),
        source_(equations, system_, start_, motion_, random),
        compiled_(model_, equations),
        random_(random) {}

  const Equations& equations() const { return equations_; }
  const System& system() const { return system_; }
  const Trajectory& motion() const { return motion_; }
  const State& start() const { return start_; }
  bool is_dense() const { return equations_.velocities.size() + equations_.rows.size() <= largest_dense; }

  std::optional<State> draw_state() { return source_.draw_state(); }
  void come_nearer() { source_.come_nearer(); }
  /// What needs no solution.
  void compare_formulas(const State& state, Ledger& ledger) {
    compiled_.compare(state, ledger);
    compare_derivatives(model_, equations_, parameters_, state, random_, ledger);
  }
  /// Empty where the state is singular.
  std::optional<Reference> compare_solved(const State& state, Ledger& ledger) {
    std::optional<Reference> reference = make_reference(equations_, parameters_, state);
    if (reference) compare_solutions(equations_, system_, *reference, state, ledger);
    return reference;
  }

 private:
  const Model& model_;
  const Equations& equations_;
  Values<Tracked> parameters_;
  System system_;
  State start_;
  Trajectory motion_;
  StateSource source_;
  CompiledRoutes compiled_;
  Random& random_;
};

/// Calls compare(state) for the start and for states drawn until enough were good or too many were not.
template <class Compare>
void at_states(Route& route, std::size_t wanted, Verification& result, Compare&& compare) {
  if (!route.is_dense()) wanted = std::min(wanted, few_states);
  std::size_t good = 0;
  for (std::size_t attempt = 0; attempt < 4 * wanted && good < wanted; ++attempt) {
    std::optional<State> state = attempt == 0 ? std::optional(route.start()) : route.draw_state();
    try {
      if (state && compare(*state)) {
        ++good;
        continue;
      }
    } catch (const InputError&) {  // no motion there: a singular state
    }
    ++result.skipped;
    route.come_nearer();
  }
  result.states += good;
}

/// Contacts have comparisons of their own: the other routes are compared while none is closed. With the bare model.
Equations without_contacts(Equations equations, std::shared_ptr<const Model> bare, std::vector<std::string>& notes) {
  equations.model = std::move(bare);
  equations.released.clear();
  if (!equations.contacts.empty() && equations.by == "multipliers")
    notes.push_back("one-sided constraints are compared where they touch; the other comparisons leave them out");
  equations.contacts.clear();
  return equations;
}

/// The model without what only concerns output, and as d'Alembert's principle has it.
std::shared_ptr<const Model> make_bare(const Model& written, std::vector<std::string>& notes) {
  auto bare = std::make_shared<Model>(written);
  Model& model = *bare;
  if (model.simulate.vakonomic) notes.push_back("compared by d'Alembert's principle: no route is vakonomic yet");
  model.simulate.vakonomic = false;
  model.outputs.clear();
  model.events.clear();
  return bare;
}

}  // namespace

Verification verify(const Derivations& given, const VerifyOptions& options) {
  Verification result;
  result.seed = options.seed;
  const std::shared_ptr<const Model> bare = make_bare(*given.multipliers.model, result.notes);
  const Model& model = *bare;
  const Equations multipliers = without_contacts(given.multipliers, bare, result.notes);
  const std::vector<double> values = parameter_values(model);
  Random random(options.seed);
  Ledger ledger;
  const State start = options.around.value_or(initial_state(multipliers, values));
  Route full(multipliers, start, random);
  if (!full.is_dense())
    result.notes.push_back(
        fmt::format("more than {} unknowns: {} states only, accelerations not solved again, order not looked at",
                    largest_dense, few_states));
  result.notes.insert(result.notes.end(), given.remarks.begin(), given.remarks.end());
  auto principles = make_principles(model, given, result.notes);
  at_states(full, options.states, result, [&](const State& state) {
    full.compare_formulas(state, ledger);
    if (!full.is_dense()) return true;
    std::optional<Reference> reference = full.compare_solved(state, ledger);
    if (!reference) return false;
    for (auto& principle : principles) principle->compare(state, *reference, ledger);
    return true;
  });
  if (options.along_motion) {
    compare_along_motion(multipliers, full.system(), full.start(), full.motion(), full.is_dense(), ledger,
                         result.notes);
    for (auto& principle : principles) principle->compare_along(full.start(), full.motion(), ledger);
    if (full.is_dense()) compare_run(given.multipliers, ledger, result.notes);
  }
  if (given.reduced) {
    const Equations reduced = without_contacts(*given.reduced, bare, result.notes);
    Values<Tracked> parameters = tracked_parameters(model);
    compare_starts(model, multipliers, reduced, ledger);
    Route small(reduced, initial_state(reduced, values), random);
    at_states(small, options.states, result, [&](const State& state) {
      small.compare_formulas(state, ledger);
      if (!small.is_dense()) return true;
      if (!small.compare_solved(state, ledger)) return false;
      return !full.is_dense() ||
             compare_reduction(model, multipliers, full.system(), reduced, small.system(), parameters, state, ledger);
    });
    if (options.along_motion)
      compare_along_motion(reduced, small.system(), small.start(), small.motion(), small.is_dense(), ledger,
                           result.notes);
  }
  result.agreements = ledger.agreements();
  for (const Agreement& agreement : result.agreements) result.ok = result.ok && agreement.ok;
  return result;
}

namespace {

/// Hamel's equations where there is something to gain from a frame.
void derive_hamel_for(const std::shared_ptr<const Model>& own, Derivations& derivations) {
  const Model& model = *own;
  constexpr std::size_t largest_frame = 50;  // coordinates; a completion is dense
  if (model.quasi_velocities.empty() && derivations.multipliers.rows.empty()) return;
  try {
    if (model.quasi_velocities.empty() && model.coordinates.size() > largest_frame)
      derivations.remarks.push_back("Hamel's equations are left out: too many coordinates to complete a frame");
    else
      derivations.hamel = derive_hamel_motion(own);
  } catch (const InputError& error) {
    derivations.remarks.push_back(std::string("Hamel's equations are left out: ") + error.what());
  }
}

}  // namespace

Derivations derive_all(const Model& of) {
  const auto own = std::make_shared<const Model>(fork(of));  // one graph for all, so that they can be compared
  const Model& model = *own;
  Derivations result{.multipliers = derive_multipliers(own)};
  const bool dense = result.multipliers.velocities.size() + result.multipliers.rows.size() <= largest_dense;
  if (model.reduction) result.reduced = derive_reduced(own);
  derive_hamel_for(own, result);
  result.releases = derive_releases(own);
  if (dense) result.gauss = derive_gauss(own);
  if (dense && model.coordinates.size() <= largest_geometry) result.projection = derive_projection(own);
  return result;
}

std::vector<std::unique_ptr<Principle>> make_principles(const Model& model, const Derivations& derivations,
                                                        std::vector<std::string>& /*notes*/) {
  std::vector<std::unique_ptr<Principle>> result;
  if (derivations.hamel) result.push_back(make_hamel_principle(model, derivations));
  add_releases(model, derivations, result);
  if (derivations.gauss) result.push_back(make_gauss_principle(*derivations.gauss));
  if (derivations.projection) result.push_back(make_projection_principle(*derivations.projection));
  result.push_back(make_structure_principle(derivations.multipliers));
  if (!derivations.multipliers.contacts.empty())
    result.push_back(make_contact_principle(model, derivations.multipliers));
  return result;
}

Verification verify(const Model& model, const VerifyOptions& options) { return verify(derive_all(model), options); }

}  // namespace dalembert
