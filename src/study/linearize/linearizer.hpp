#pragma once
// A model's linear equations at any values of its parameters: compiled once, with one choice of what is independent.

#include "study/linearize/reduce.hpp"
#include "study/linearize/spectrum.hpp"
#include "study/linearize/steady.hpp"

namespace dalembert {

/// Which components the state x has.
struct StateChoice {
  std::vector<std::size_t> coordinates;  ///< among the free coordinates of the choice
  std::vector<std::size_t> velocities;   ///< among its free velocities
};

class Linearizer {
 public:
  /// What is independent is chosen at the start under `parameters` and `initial`; contacts that hold there are kept.
  Linearizer(const Model& model, const LinearizeOptions& options, const NamedNumbers& parameters = {},
             const NamedNumbers& initial = {});
  /// Of equations by multipliers without contacts; `choose_at` says where.
  Linearizer(Equations equations, const LinearizeOptions& options);
  void choose_at(const NamedNumbers& parameters, const NamedNumbers& initial);

  /// Everything at a state that satisfies the constraints.
  struct Look {
    MotionPoint at;
    TermValues values;
    SlopeValues slopes;
    Reduced reduced;
  };
  /// At the start under these numbers. InputError where it is not steady.
  Look look_at_start(const NamedNumbers& parameters, const NamedNumbers& initial);
  /// x' and A where the state departs by `x` from a look; nothing where no such state is found.
  std::optional<Look> look_beside(const Look& from, std::span<const double> x);

  NumberMatrix system_matrix(const Reduced& reduced) const;  ///< A
  std::vector<double> rate(const Look& look) const;          ///< x' itself: zero where the motion is steady
  std::vector<std::string> state_names() const;
  std::size_t coordinate_count() const { return state_.coordinates.size(); }
  Linearization describe(const Look& look) const;  ///< all but modes and verdict

  const LinearizeOptions& options() const { return options_; }
  const Equations& equations() const { return equations_; }
  const Choice& choice() const { return choice_; }
  std::span<const double> parameters() const { return workspace_.parameters(); }
  const StateChoice& state() const { return state_; }
  /// Which contacts are taken to hold.
  std::vector<std::string> notes() const;

 private:
  std::optional<Look> look(MotionPoint at, const Choice& choice);
  Look look_or_refuse(MotionPoint at);
  MotionPoint start(const NamedNumbers& parameters, const NamedNumbers& initial);
  std::vector<std::size_t> find_inputs(const std::vector<std::string>& names) const;
  std::vector<bool> find_fixed(const std::vector<std::string>& names) const;
  [[noreturn]] void refuse_choice() const;
  void check_regular(const Look& base) const;
  std::vector<Look> sample(const Look& base);
  void improve_choice(const std::vector<Look>& looks);
  void choose_state(const std::vector<Look>& looks);
  void keep_what_acts(const Look& base);
  /// Rates of the state that are not those of a steady motion, in words.
  std::vector<std::string> find_moving(const Look& look) const;
  Look find_steady(const Look& from, const NamedNumbers& initial);
  SteadyQuestion ask_steady(const NamedNumbers& initial) const;
  /// A coordinate's index, or n and more for a rate. InputError naming the key.
  std::size_t find_part(const std::string& wanted, const std::string& key) const;
  void add_second_order(const Look& look, Linearization& result) const;
  const std::string& name(std::size_t coordinate) const { return equations_.model->coordinates[coordinate].name; }
  std::string rate_name(std::size_t coordinate) const { return equations_.velocities[coordinate].name(); }
  std::size_t extra() const { return terms_->extra_count(); }
  [[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& remedy) const;

  LinearizeOptions options_;
  Equations equations_;
  System system_;
  Workspace workspace_;
  std::vector<std::size_t> inputs_;
  std::vector<bool> fixed_;
  std::optional<Terms> terms_;
  Choice choice_;
  StateChoice state_;
  /// Where the choice was made and has stayed: of large systems that is not computed twice.
  struct Chosen {
    NamedNumbers parameters, initial;
    Look look;
  };
  std::optional<Chosen> chosen_;
};

/// Modes, zero roots, verdict.
void judge(Linearizer& linearizer, const Linearizer::Look& look, Linearization& result);

}  // namespace dalembert
