#pragma once
// What needs motions and several principles: whether they agree.

#include <array>
#include <dalembert/mechanics/gauss.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/projection.hpp>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// One quantity by two routes. `largest` and `bound` are those of the state where the difference is worst in relation
/// to its bound; bounds come from rounding, the state's condition and the integration's tolerance, never from a guess.
struct Agreement {
  std::string quantity;
  std::array<std::string, 2> between;
  double largest = 0;  ///< NaN where a route gave no number
  double bound = 0;
  bool ok = true;
  std::string where;  ///< the worst place, in words; may be empty
};

struct Verification {
  bool ok = true;
  std::uint64_t seed = 0;
  std::size_t states = 0;   ///< random states that were compared
  std::size_t skipped = 0;  ///< random states that could not be brought onto the constraints, or were singular
  std::vector<Agreement> agreements;
  std::vector<std::string> notes;  ///< what was left out, and why
};

struct VerifyOptions {
  std::size_t states = 8;
  std::uint64_t seed = 20240229;
  bool along_motion = true;     ///< also what needs a computed motion
  std::optional<State> around;  ///< of the multipliers' equations: draw states around it; default the start
};

/// All routes that the model allows against each other.
Verification verify(const Model& model, const VerifyOptions& options = {});

/// What every principle derived that the model allows. A value of its own, so that what verify notices can be tried.
struct Derivations {
  Equations multipliers;
  std::optional<Equations> reduced = {};
  std::optional<HamelDerivation> hamel = std::nullopt;
  std::vector<std::string> remarks = {};  ///< what could not be derived, and why
  std::vector<ReleasedReaction> releases = {};
  std::optional<LeastConstraint> gauss = {};       ///< of systems that are small enough to solve densely
  std::optional<KineticGeometry> projection = {};  ///< likewise, to 50 coordinates
};
Derivations derive_all(const Model& model);
Verification verify(const Derivations& derivations, const VerifyOptions& options);

}  // namespace dalembert
