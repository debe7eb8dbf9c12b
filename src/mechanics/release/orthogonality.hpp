#pragma once
// (47) of Paulus 1910: when c alone varies, the point moves along the normal of the constraint. Decided by itself; the
// paper's test by cross terms in L decides neither way (theory 2).

#include <dalembert/mechanics/release.hpp>

namespace dalembert {

/// Zero: proved that d x/d c is parallel to the given slope of the constraint at the release's one mention.
Verdict test_parallel(const Release& release, const Vector3& slope, const CanonicalLimits& limits);

/// Where no constraint is given its normal is that of the surface on which the point moves with c held: known where
/// that surface is all but one dimension of what the point's Cartesian coordinates fill.
struct Shortcut {
  Verdict verdict = Verdict::undecided;  ///< zero: (47) holds
  Vector3 direction;                     ///< (d x/d c) / W^2
};
Shortcut test_shortcut(const Release& release, const std::string& point, const CanonicalLimits& limits);

}  // namespace dalembert
