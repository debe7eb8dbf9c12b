#pragma once
// The march: attempt a step, judge it, put it back onto the constraints, look for events, write rows.

#include "simulate/contact.hpp"
#include "simulate/dop853.hpp"
#include "simulate/observer.hpp"
#include "simulate/start.hpp"

namespace dalembert {

class Run {
 public:
  Run(Numeric& numeric, Observer& observer, const SimulateOptions& options, Trajectory& result);
  /// From the start to an ending; everything goes into the trajectory.
  void march(const ConsistentStart& start, const RankDecision& rank);

 private:
  /// What became of an attempted step.
  enum class Verdict : std::uint8_t { accepted, too_coarse, not_finite, off_constraints, frame };
  struct Attempt {
    Verdict verdict;
    double factor;  ///< what the step should be multiplied with next
  };

  bool begin(const ConsistentStart& start);  // false if it ended there
  double first_step();
  Attempt attempt(double h);
  Attempt judge_constraints(double t);
  bool finish_step();  // rows and events of the accepted step; true if an event stops
  void keep_rows_independent();
  bool give_up() const;
  bool is_stuck();
  bool check_start(const std::vector<double>& y);

  // singular configurations
  bool is_near_singular() const;
  double pivot_ahead(double x);
  std::optional<double> distance_to_singular(double h);
  double plan_step(double h);
  void watch_pivot();
  bool return_to_good_knot();

  // states inside the accepted step
  void state_at(double t, std::vector<double>& y);
  bool observe_at(double t, std::vector<double>& y);
  void write_row(double t, const std::vector<double>& y);
  void write_rows_until(double t, bool inclusive);

  // events
  void begin_events();
  struct Root {
    std::size_t event;
    double t;
  };
  double event_value(std::size_t event, double t);
  void sample_events(double t, std::vector<double>& values);
  bool find_roots(double from, double to, std::vector<Root>& roots);
  void record_event(const Root& root);
  void find_jumps();
  bool crosses(std::size_t event, double before, double now) const;

  // contacts (contact_run.cpp)
  struct Sample {
    std::vector<double> gap, rate, load;
  };
  /// A contact's touch-down or lift-off inside the accepted step, and a later time of it.
  struct Change {
    double t, beyond;
    Index contact;
    bool lifts;
    bool at_start;  // no later than where it was looked for
  };
  struct Impacts {
    double last = 0, interval = 0;
    int count = 0, shrinking = 0;  // intervals in a row that were shorter than the one before
    double last_estimate = 0, last_change = 0, least_change = 0, limit = 0;
    std::optional<double> settles;  // where impacts accumulate
    void estimate_limit(double estimate);
  };
  bool begin_contacts(std::vector<double>& y);
  void sample_contacts(double t, Sample& sample);
  std::optional<Change> find_change(double from, double to);
  std::optional<double> find_touch(Index contact, double left, const Sample& a, double right, const Sample& b);
  double find_lift(Index contact, double left, double before, double right, double now);
  bool pass_change(const Change& change);
  bool strike(std::vector<double>& y, const std::vector<Index>& touching);
  double rebound(Index contact) const;
  bool note_impact(Index contact);
  ContactDecision see_lift(const Change& change);
  bool take_decision(const ContactDecision& decision, std::vector<double>& y);
  void restart(const std::vector<double>& y);
  void record_contacts(const std::vector<Index>& before);
  void record_contact(Index contact, const std::string& kind);
  void add_settled(double to, std::vector<Root>& roots);
  void record_settled(Index contact, double t);

  // quasi-velocities (frame_run.cpp)
  void begin_frame();
  bool keeps_frame(double t);
  void watch_frame();
  std::string frame_problem();
  void note_choices();

  void end(Status status, std::string message);
  void end_by_diagnosis();

  Numeric& numeric_;
  Observer& observer_;
  const SimulateOptions& options_;
  Trajectory& result_;
  RankDecision rank_;
  double reference_pivot_ = 0;  // largest smallest pivot so far; when the rows were selected, where some are redundant
  double pivot_ = 1, knot_pivot_ = 1;
  bool pivot_falls_ = false, crosses_ = false;
  struct Knot {
    double t = 0, h = 0, pivot = 1;
    std::vector<double> y, k;
  };
  Knot good_;
  int returns_ = 0;
  double frame_pivot_ = 1;  // when a frame was chosen; of a given one the best so far
  bool frame_positive_ = true;
  std::vector<double> chosen_at_;
  double processed_ = 0;  // rows and events are done up to here
  Dop853 method_;
  Sizes sizes_;
  std::vector<double> component_sizes_, scale_, inside_, row_;
  std::vector<double> event_before_, event_now_;
  double t_ = 0, h_ = 0;
  double milestone_ = 0;                // the time when progress was last looked at
  std::size_t milestone_rejected_ = 0;  // steps rejected until then
  double longest_step_ = 0;             // of those accepted
  bool after_rejection_ = false, ended_ = false;
  Verdict last_rejection_ = Verdict::too_coarse;
  std::size_t next_row_ = 0;
  double jacobi_start_ = 0;

  std::unique_ptr<Contacts> contacts_;  // where the model has some
  Sample before_, now_;
  std::vector<double> load_noise_, impulses_;
  std::vector<Impacts> impacts_;
  bool restarted_ = false;
  int changes_here_ = 0;  // contact events without progress in time
  double lost_ = 0;       // Jacobi's function lost at impacts
};

/// See crossing.cpp.
bool is_singular_start(Numeric& numeric, double t, const std::vector<double>& start, const RankDecision& rank,
                       std::span<const double> sizes);

/// Which formula gives no number at a state, in the user's words; empty if all do.
std::string name_not_finite(const Numeric& numeric, double t, const double* y);

}  // namespace dalembert
