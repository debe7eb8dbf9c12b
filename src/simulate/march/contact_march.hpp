#pragma once
// Contacts along a motion. Between their changes a closed contact is an equation and an open one is nothing; a change
// is a touch-down, where a gap closes, or a lift-off, where a multiplier would turn to a pull. Both are looked for in
// each accepted step, and the march starts afresh from the state there (numerics 5).

#include <optional>

#include "simulate/march/ending.hpp"
#include "simulate/march/recorder.hpp"
#include "simulate/march/root_search.hpp"
#include "simulate/system/contact.hpp"

namespace dalembert {

class ContactMarch {
 public:
  ContactMarch(Course& course, Recorder& recorder);

  bool is_idle() const { return contacts_.count() == 0; }
  /// Impacts and contacts at the start, whose state may change by it; the march starts from it.
  std::optional<Ending> begin(double t, std::vector<double>& y);
  void record_begin(const Observation& observation);

  /// A contact's touch-down or lift-off inside the accepted step, and a later time of it.
  struct Change {
    double t, beyond;
    Index contact;
    bool lifts;
    bool at_start;  // no later than where it was looked for
  };
  /// The first contact that changes in (from, to].
  std::optional<Change> find_change(double from, double to);
  /// Impulses, the contacts that then hold, the march from there on.
  std::optional<Ending> pass(const Change& change);
  /// What a user should know of impacts.
  std::vector<std::string> notes() const;
  /// Events of the change just passed, at the state after it.
  void record_change(const Observation& observation);

  /// Where infinitely many impacts come to an end up to a time: contact and time, in order.
  struct Settling {
    Index contact;
    double t;
  };
  std::vector<Settling> settled_until(double t, double not_before) const;
  /// The event, and what a user should know of it.
  void record_settled(const Settling& settling, const Observation& observation);

 private:
  static constexpr double slow = 1e-10;  // slower than this part of the motion's speed is at rest

  struct Sample {
    std::vector<double> gap, rate, load;
  };
  struct Impacts {
    double last = 0, interval = 0;
    int count = 0, shrinking = 0;  // intervals in a row that were shorter than the one before
    double last_estimate = 0, last_change = 0, least_change = 0, limit = 0;
    std::optional<double> settles;  // where impacts accumulate
    void estimate_limit(double estimate);
  };

  void sample(double t, Sample& sample, bool loads);
  void look_for_touch(Index contact, double left, double right);
  void look_for_lift(Index contact, double left, double right);
  void note_change(const Change& change, RootSearch& search);
  std::optional<double> find_touch(Index contact, double left, const Sample& a, double right, const Sample& b);
  double find_lift(Index contact, double left, double before, double right, double now);
  ContactDecision see_lift(const Change& change);
  std::optional<Ending> strike(double t, std::vector<double>& y, const std::vector<Index>& touching);
  double rebound(Index contact) const;
  bool note_impact(Index contact, double t);
  std::vector<Index> end_rocking(Index contact, double approach, const std::vector<Index>& touching);
  std::optional<bool> strike_one_by_one(double t, std::vector<double>& y, const std::vector<Index>& touching,
                                        bool backwards);
  bool has_several_outcomes(double t, const std::vector<double>& before, const std::vector<double>& after,
                            const std::vector<Index>& touching);
  std::optional<Ending> take(const ContactDecision& decision, double t, std::vector<double>& y);
  Ending cannot_hold(const std::vector<Index>& contacts, double t) const;
  std::optional<ContactDecision> decide(const Change& change, std::vector<double>& y, std::optional<Ending>& ending);

  Course& course_;
  Recorder& recorder_;
  Contacts contacts_;
  std::unique_ptr<ContactLoads> loads_;  // of the selection that acts
  RootSearch gap_search_, load_search_;
  Sample left_, right_, now_;
  std::vector<std::size_t> open_, loaded_;  // what is searched
  std::vector<double> gap_noise_;
  std::optional<Change> first_;  // found so far in the step
  std::vector<double> load_noise_, impulses_;
  std::vector<Impacts> impacts_;
  std::vector<Settling> settled_;     // so far
  std::vector<Index> closed_before_;  // the change just passed
  double energy_lost_ = 0;            // at it
  bool several_outcomes_ = false;     // of its impacts
  int changes_here_ = 0;              // without progress in time
  struct Choice {
    double first = 0;
    std::size_t count = 0;
    std::string names;
  };
  Choice choices_;  // impacts with several outcomes
};

}  // namespace dalembert
