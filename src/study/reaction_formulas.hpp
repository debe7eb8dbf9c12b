#pragma once
// The shortest formula of a multiplier that any principle has.

#include "study/reaction_state.hpp"

namespace dalembert {

/// Text of a formula, and how it was found: "multipliers", "hamel" or "balance" (with accelerations and other reactions
/// as they stand, these with formulas of their own wherever there are such). Empty where none is short.
struct ReactionText {
  std::string text, by;
  Expr formula;  ///< of that text
};

class ReactionFormulas {
 public:
  explicit ReactionFormulas(const ReactionState& at);
  /// Of a row of at.acting.
  ReactionText operator()(std::size_t row);

 private:
  void find_all();
  ReactionText solved(std::size_t row);
  ReactionText by_hamel(std::size_t row);
  struct Balanced;
  void add_balances();
  void add(const Balanced& balanced);
  bool suits_hamel() const;
  void find_hamel();
  ReactionText write(Expr formula, const char* by) const;

  const ReactionState& at_;
  std::optional<std::vector<ReactionText>> texts_;  ///< where they were asked for
  std::optional<std::vector<Expr>> hamel_;          ///< the same
};

/// The model without the constraints that follow from others, so that each of the rest has a velocity of its own: what
/// is determined by itself has the same reaction there.
Model without_dependent(const Model& model, const RankReport& rank);

/// The force on a point, lambda times a direction, with the multiplier written out where that fits on a line, else by
/// its name.
std::array<std::string, 3> write_load(const ReactionState& at, const std::string& name, const ReactionText& multiplier,
                                      const Vector3& direction);

/// The shorter text of two, where the first is preferred as long as it fits on two lines; both may be empty.
const ReactionText& choose_readable(const ReactionText& solved, const ReactionText& plain);

}  // namespace dalembert
