#pragma once
// Small dense linear algebra: one place for every factorisation of numbers in the project.
//
// Matrices are row-major spans of doubles. Two outcomes hold for all routines and are tested for each:
//  * sizes may be zero: the empty matrix is definite, regular and of full rank, its span and its null space are empty;
//  * entries may be infinite or NaN: the routine says so in its result (each header says how), never loops, never
//  aborts.

#include "base/basis.hpp"        // IWYU pragma: export
#include "base/cholesky.hpp"     // IWYU pragma: export
#include "base/eigenvalues.hpp"  // IWYU pragma: export
#include "base/elimination.hpp"  // IWYU pragma: export
#include "base/matrix_view.hpp"  // IWYU pragma: export
#include "base/rank.hpp"         // IWYU pragma: export
