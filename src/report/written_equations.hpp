#pragma once
// Equations as lines of formulas in one notation, before they are put on a page.

#include <dalembert/mechanics/listing.hpp>

#include "report/contacts.hpp"
#include "report/scribe.hpp"

namespace dalembert {

/// One of the terms that a side is the sum of.
struct WrittenTerm {
  std::string text;  ///< without its sign
  bool is_negative = false;
  Expr value;  ///< with its sign; empty where there is no single number
};

/// The terms of a side that is a sum, else the side; wide products with one sum are multiplied out.
std::vector<WrittenTerm> split_terms(const Shown& side, Graph& graph, Scribe::Style style);

struct WrittenEquation {
  std::string name, left, right;
  std::string range = {};                                      ///< of a family, the values of its index: "k = 2..9"
  std::vector<WrittenTerm> left_terms = {}, right_terms = {};  ///< where they are asked for
};

struct WrittenEquations {
  std::vector<NamedPart> parts;                    ///< of a listing, in order
  std::vector<WrittenEquation> listed;             ///< the same: each a name and what it stands for
  std::vector<WrittenEquation> frame, kinematics;  // of quasi-velocities
  std::vector<WrittenEquation> motion, constraints, drifts;
  std::vector<WrittenEquation> reactions;  // those that have an equation of their own
  std::vector<WrittenContact> contacts;
  std::size_t unsimplified = 0;
  std::size_t omitted_reactions = 0;  ///< whose formulas are too large for a listing

  std::size_t longest() const;  ///< formula, in characters
  std::size_t total() const;
};

/// How much of the equations is written, and for whom.
struct Writing {
  Scribe::Style style = Scribe::Style::text;
  bool expand = false;          ///< all written out, whatever its size
  bool by_families = true;      ///< equations that differ in an index only stand once
  bool by_terms = false;        ///< sides term by term too
  std::vector<Expr> also = {};  ///< further expressions: of a listing, changed to read its parts
};

/// Written out where that is short, else as a listing. `equations` are the caller's alone: their graph grows.
WrittenEquations write_equations(const Equations& equations, Writing& writing);

}  // namespace dalembert
