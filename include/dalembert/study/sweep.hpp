#pragma once
// Many motions of one model: which of its numbers vary, what is kept of each run, and all of them on all cores.
//
//   Sweep sweep;
//   sweep.axes = {{"l", {0.5, 1, 2}}, {"phi", {0.1, 0.2}}};
//   sweep.keep = {{"end", "phi"}, {"peak", "max(abs(phi))"}};
//   const SweepResult result = run_sweep(read_description(find_model("models:pendulum")), sweep);
//   result["runs"].column("peak.t");

#include <atomic>
#include <dalembert/model/description.hpp>
#include <functional>
#include <memory>
#include <span>

namespace dalembert {

/// A parameter ("l"), an initial value ("phi") or rate ("phi'"), and the numbers that it takes.
struct SweepAxis {
  Text name;
  std::vector<double> values;  ///< of draws: the two ends of the range
};

/// Which runs there are.
enum class SweepKind : std::uint8_t {
  grid,    ///< every combination of the axes' values, the last axis fastest
  list,    ///< the first values of all axes, then the second ones, ...
  random,  ///< `count` draws, each number uniform in its range and independent of the others
  sobol,   ///< `count` draws of low discrepancy: Sobol's points, shifted by the seed
};

/// One number of each run, under a name of its own: a formula of what columns and outputs may read, at the end of the
/// motion; max(...) and min(...) of one formula are its extremes over the motion, with their time as NAME.t.
struct SweepKeep {
  Text name, formula;
};

/// Rows of each run: at events, or in a fixed interval of time.
struct SweepSection {
  std::vector<Text> events = {};   ///< of the model, by name
  Text when = {};                  ///< or a formula: at its zeros
  Text direction = "either";       ///< of `when`: "rising", "falling"
  Text every = {};                 ///< or a formula of parameters: strobes at its multiples
  std::size_t skip = 0;            ///< so many rows of each run are left out
  std::vector<Text> columns = {};  ///< formulas; all of the motion's columns where there are none
};

/// What is left out is as the model has it.
struct Sweep {
  SweepKind kind = SweepKind::grid;
  std::vector<SweepAxis> axes = {};
  std::size_t count = 0;   ///< of draws
  std::uint64_t seed = 1;  ///< of draws: the same seed, the same numbers, whatever the machine
  std::vector<SweepKeep> keep = {};
  std::optional<SweepSection> section = {};
  std::vector<Text> motion = {};                ///< formulas: whole columns, at multiples of `every`
  Text until = {}, every = {}, tolerance = {};  ///< formulas of parameters
  Overrides set = {};                           ///< of the model, for all runs
  std::string file = {};                        ///< what errors call it
};

/// How many runs, and the numbers of one of them in the order of the axes. InputError where there are none or too many.
std::size_t count_runs(const Sweep& sweep);
std::vector<double> run_values(const Sweep& sweep, std::size_t run);

/// The same for studies that mean the same, but for chance different for others: 16 hexadecimal digits of model and
/// study.
std::string make_fingerprint(const Description& model, const Sweep& sweep);

/// Rows of numbers, and of texts behind them; both row after row.
struct SweepTable {
  std::string name;
  std::vector<std::string> columns, labels;  ///< names of the numbers, of the texts
  std::vector<double> numbers;               ///< NaN: there is no such value
  std::vector<std::string> texts;

  std::size_t size() const { return columns.empty() ? 0 : numbers.size() / columns.size(); }
  /// InputError with the nearest name where there is none.
  std::vector<double> column(std::string_view name) const;
  void append(const SweepTable& more);
};

/// "runs": a row a run, with `status` as of a trajectory, or "refused" where it cannot start, and a message; "section"
/// and "motion" where they are asked for. Every row begins with the number of its run and the numbers that vary: a
/// parameter under its name, an initial value as "phi(0)".
struct SweepResult {
  std::vector<SweepTable> tables;
  std::size_t axes = 0;  ///< how many numbers vary

  const SweepTable& operator[](std::string_view name) const;
  void append(const SweepResult& more);
};

/// A model's runs ready to be made: derived and compiled once, shared by threads.
class SweepPlan {
 public:
  /// Throws InputError, with the study's place where it is the study that is wrong.
  SweepPlan(const Description& model, const Sweep& sweep);

  const Sweep& sweep() const;
  const std::string& model_name() const;
  std::size_t run_count() const;
  /// The tables without rows.
  SweepResult make_empty() const;

  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Runs from `first` up to `last`, without it.
struct SweepRange {
  std::size_t first = 0, last = 0;
};

struct SweepOptions {
  std::size_t threads = 0;  ///< 0: as many as the machine has
  /// Called on the calling thread now and then, with how many runs are done.
  std::function<void(std::size_t done)> progress = {};
  const std::atomic<bool>* stop = nullptr;
};

/// Calls `deliver` on the calling thread with the number and the rows of each part that is complete; parts that the
/// stop flag broke off are not delivered. No row depends on threads, parts or the order in which runs are made.
void run_sweep(const SweepPlan& plan, std::span<const SweepRange> parts,
               const std::function<void(std::size_t part, SweepResult result)>& deliver,
               const SweepOptions& options = {});

/// All runs, in memory. Where it was stopped: those that were complete.
SweepResult run_sweep(const SweepPlan& plan, const SweepOptions& options = {});
SweepResult run_sweep(const Description& model, const Sweep& sweep, const SweepOptions& options = {});

/// A study file (docs/howto/sweep.md).
struct Study {
  std::string model;  ///< a path, relative to the study's folder, or models:NAME
  Sweep sweep;
  std::size_t chunks = 0;  ///< files that the runs are shared out to; 0: as many as is handy
};
Study read_study(const std::string& path);
Study parse_study(std::string_view text, const std::string& file = {});

}  // namespace dalembert
