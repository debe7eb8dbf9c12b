#pragma once
// The shortest formula of a multiplier that any principle has.

#include "study/reaction_state.hpp"

namespace dalembert {

/// Text of a formula, and how it was found: "multipliers", "hamel" or "balance" (with accelerations and other reactions
/// as they stand). Empty where none is short.
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
  ReactionText by_multipliers(std::size_t row);
  ReactionText by_hamel(std::size_t row);
  ReactionText by_balance(std::size_t row);
  bool suits_hamel() const;
  void find_hamel();
  ReactionText write(Expr formula, const char* by) const;

  const ReactionState& at_;
  std::vector<Expr> balance_;
  std::optional<std::vector<Expr>> hamel_;  ///< where it was asked for
};

/// The force on a point, lambda times a direction, with the multiplier written out where that fits on a line, else by
/// its name.
std::array<std::string, 3> write_load(const ReactionState& at, const std::string& name, const ReactionText& multiplier,
                                      const Vector3& direction);

/// The shorter text of two, where the first is preferred as long as it fits on two lines; both may be empty.
const ReactionText& choose_readable(const ReactionText& solved, const ReactionText& plain);

}  // namespace dalembert
