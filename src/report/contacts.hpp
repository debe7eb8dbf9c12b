#pragma once
// One-sided constraints among the equations of motion: a contact pushes and never pulls, and one that is open does not
// push (docs/theory/one-sided.md).

#include <dalembert/mechanics/equations.hpp>

#include "report/document.hpp"
#include "report/scribe.hpp"

namespace dalembert {

struct WrittenContact {
  std::string name;
  std::string gap;           ///< f
  std::string acceleration;  ///< A u' + drift
  std::string reaction;      ///< its multiplier's name
  std::string restitution;   ///< empty: none
  bool is_upper = false;     ///< f <= 0
};

std::vector<WrittenContact> write_contacts(const Equations& equations, Scribe& scribe);

/// A section of the text; empty where there are none.
std::string contacts_text(const std::vector<WrittenContact>& contacts);
/// Lines of an align environment.
std::vector<std::string> contacts_latex(const std::vector<WrittenContact>& contacts);
Json contacts_json(const std::vector<WrittenContact>& contacts);
/// What a C function `contacts` gives, one contact after the other: gap, A by velocities, drift. A gap and A of
/// f <= 0 have their signs changed, so that all gaps and multipliers count from zero upwards.
std::vector<Expr> contact_terms(const Equations& equations);

}  // namespace dalembert
