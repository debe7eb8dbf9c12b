#include <fmt/format.h>

#include <algorithm>

#include "mechanics/release/orthogonality.hpp"
#include "mechanics/release/released_row.hpp"
#include "mechanics/release/signs.hpp"

namespace dalembert {
namespace {

constexpr CanonicalLimits quick{.work = 2e7};

/// d phi/d position(P), in terms of t, q and the parameters.
Vector3 constraint_slope(const Release& release, const std::string& point) {
  Expr zero = release.f.graph().constant(0);
  std::vector<Replacement> meaning;
  for (const Mention& mention : release.mentions)
    for (std::size_t k = 0; k < 3; ++k) meaning.push_back({mention.symbols[k], mention.value[k]});
  for (const Mention& mention : release.mentions) {
    if (mention.on != point || mention.kind != Mention::Kind::position) continue;
    std::vector<Expr> slope = substitute(gradient(release.written, mention.symbols), meaning);
    return {slope[0], slope[1], slope[2]};
  }
  return {zero, zero, zero};
}

Expr constraint_gradient(const Model& model, const Release& release) {
  Expr gradient = substitute(derivative(release.moving, release.variation.freed[0].q), release.variation.actual);
  if (!gradient.is_zero() && test_zero(gradient, quick).verdict != Verdict::zero) return gradient;
  throw ModelError({model.file, release.place, "release." + release.name + ".constraint",
                    fmt::format("its gradient vanishes: the positions in it do not vary with {}", release.name),
                    fmt::format("write the constraint that {} stands for; can be released: {}", release.name,
                                fmt::join(find_releasable(model), ", "))});
}

std::vector<std::string> points_of(const Release& release) {
  if (!release.points.empty()) return release.points;
  std::vector<std::string> points;
  for (const Mention& mention : release.mentions)
    if (std::ranges::find(points, mention.on) == points.end()) points.push_back(mention.on);
  return points;
}

/// (8): lambda d phi/d x on each point.
void find_loads_by_constraint(const Release& release, ReleasedReaction& made) {
  for (const std::string& point : points_of(release)) made.on.push_back({point, constraint_slope(release, point)});
  made.remark = "force on each point by (8), lambda d phi/d position";
  if (release.mentions.size() != 1) {
    made.orthogonal = Verdict::nonzero;
    return;
  }
  made.orthogonal = test_parallel(release, constraint_slope(release, release.mentions[0].on), quick);
}

/// (46), (47) where there is no constraint function: for the one named point on which it can be decided.
void find_loads_by_shortcut(const Release& release, ReleasedReaction& made) {
  made.orthogonal = Verdict::nonzero;
  PointLoad* found = nullptr;
  for (const std::string& point : release.points) made.on.push_back({point, std::nullopt});
  for (PointLoad& load : made.on) {
    Shortcut shortcut = test_shortcut(release, load.on, quick);
    if (shortcut.verdict == Verdict::undecided && made.orthogonal == Verdict::nonzero)
      made.orthogonal = Verdict::undecided;
    if (shortcut.verdict != Verdict::zero) continue;
    if (found != nullptr) {
      found->direction.reset();
      load.direction.reset();
      made.orthogonal = Verdict::nonzero;
      made.remark =
          fmt::format("both {} and {} move along a normal of their own: give `constraint`", found->on, load.on);
      return;
    }
    found = &load;
    made.orthogonal = Verdict::zero;
    load.direction = shortcut.direction;
  }
  if (release.points.empty()) {
    made.orthogonal = Verdict::undecided;
  } else if (found != nullptr) {
    made.remark =
        fmt::format("force on {} by the orthogonal shortcut (46), (47): it moves along the normal", found->on);
  } else {
    made.remark = made.orthogonal == Verdict::undecided
                      ? "whether (47) holds is undecided: give `constraint` for the force on points"
                      : "(47) does not hold: give `constraint` for the force on points";
  }
}

ReleasedReaction derive_one(const Model& model, const Release& release, Effort effort) {
  ReleasedReaction made;
  ReleasedRow row = derive_released_row(release.variation, 0);
  made.name = release.name;
  made.rho = made.lambda = row.rho;
  made.carried = std::move(row.carried);
  Expr rate = time_derivative(model, release.released);
  if (!rate.is_zero()) made.rate = rate;
  if (release.moving) {
    made.gradient = constraint_gradient(model, release);
    made.lambda = made.rho / made.gradient;
  }
  if (effort == Effort::glance) return made;
  if (release.moving) {
    made.gradient = simplify_by_signs(model, made.gradient, quick);
    made.lambda = made.rho / made.gradient;
    find_loads_by_constraint(release, made);
  } else {
    find_loads_by_shortcut(release, made);
  }
  for (PointLoad& load : made.on)
    for (std::size_t k = 0; load.direction && k < 3; ++k)
      (*load.direction)[k] = simplify_by_signs(model, (*load.direction)[k], quick);
  return made;
}

}  // namespace

std::vector<ReleasedReaction> derive_releases(const std::shared_ptr<const Model>& own, Effort effort) {
  std::vector<ReleasedReaction> made;
  for (const Release& release : own->releases) made.push_back(derive_one(*own, release, effort));
  return made;
}

ReleasedReactions derive_releases(const Model& model, Effort effort) {
  const auto own = std::make_shared<const Model>(fork(model));
  return {own, derive_releases(own, effort)};
}

Expr eliminate_accelerations(const Equations& own, const Solution& solution, Expr formula) {
  std::vector<Replacement> known;
  if (own.model_accelerations == own.accelerations)
    for (std::size_t i = 0; i < solution.accelerations.size(); ++i)
      known.push_back({own.accelerations[i], solution.accelerations[i]});
  for (std::size_t a = 0; a < solution.multipliers.size(); ++a)
    known.push_back({own.graph->symbol(reaction_symbol(own.rows[a].name)), solution.multipliers[a]});
  return substitute(formula, known);
}

}  // namespace dalembert
