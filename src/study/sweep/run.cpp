#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <dalembert/base/failure.hpp>
#include <dalembert/base/work_limit.hpp>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "study/sweep/plan.hpp"

namespace dalembert {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

struct Extreme {
  double value = absent, t = absent;
};

/// Over the rows and the events, which have whole rows of their own; the first where several are equal.
Extreme find_extreme(const Trajectory& motion, std::size_t column, bool largest) {
  Extreme best;
  const auto offer = [&](double value, double t) {
    if (!std::isfinite(value)) return;
    const bool better = std::isnan(best.value) || (largest ? value > best.value : value < best.value);
    if (better || (value == best.value && t < best.t)) best = {value, t};
  };
  const std::size_t rows = motion.rows.size();
  for (std::size_t k = 0; k < rows; ++k) offer(motion.rows[k][column], motion.rows[k][0]);
  for (const EventRecord& event : motion.events)
    if (column < event.state.size()) offer(event.state[column], event.t);
  return best;
}

}  // namespace

SimulateOptions SweepRun::options(std::size_t run) {
  const std::vector<double> values = run_values(plan_.sweep, run);
  SimulateOptions options;
  for (std::size_t i = 0; i < values.size(); ++i)
    (plan_.is_parameter[i] ? options.parameters : options.initial)
        .emplace_back(plan_.sweep.axes[i].name.text, values[i]);
  plan_.system.set_parameters(workspace_, options.parameters);
  const std::vector<double> times = plan_.times(workspace_.parameters());
  options.until = times[0];
  options.every = plan_.layout.reads_rows || plan_.layout.strobes ? times[1] : times[0];
  options.tolerance = times[2];
  options.stop = stop_;
  return options;
}

std::optional<SweepResult> SweepRun::rows(std::size_t run, const Trajectory& motion, const std::exception_ptr& failure,
                                          SweepResult empty) const {
  std::string status(status_name(motion.status)), message = motion.message;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const InputError& error) {
    status = "refused";
    message = to_text(error.complaint());
  } catch (const ComputationError& error) {
    status = "refused";
    message = error.what();
  }
  const bool is_stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
  if (motion.status == Status::interrupted && is_stopped) return std::nullopt;
  add_rows(run, run_values(plan_.sweep, run), motion, empty);
  empty.tables[0].texts.push_back(std::move(status));
  empty.tables[0].texts.push_back(std::move(message));
  return empty;
}

std::optional<SweepResult> SweepRun::make(std::size_t run, SweepResult empty) {
  Trajectory motion;
  std::exception_ptr failure;
  try {
    motion = plan_.system.simulate(workspace_, options(run));
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  return rows(run, motion, failure, std::move(empty));
}

void SweepRun::add_rows(std::size_t run, const std::vector<double>& values, const Trajectory& motion,
                        SweepResult& to) const {
  const auto begin_row = [&](SweepTable& table) -> std::vector<double>& {
    table.numbers.push_back(static_cast<double>(run));
    table.numbers.insert(table.numbers.end(), values.begin(), values.end());
    return table.numbers;
  };
  const auto add_row = [](std::vector<double>& numbers, const auto& row, std::span<const std::size_t> columns) {
    numbers.push_back(row[0]);
    for (const std::size_t column : columns) numbers.push_back(row[column]);
  };
  const SweepLayout& layout = plan_.layout;
  const bool any = !motion.rows.empty();
  std::vector<double>& numbers = begin_row(to.tables[0]);
  for (const KeptColumn& kept : layout.kept) {
    if (kept.when == KeptColumn::When::end) {
      numbers.push_back(any ? motion.rows.back()[kept.column] : absent);
      continue;
    }
    const Extreme extreme = find_extreme(motion, kept.column, kept.when == KeptColumn::When::largest);
    numbers.push_back(extreme.value);
    numbers.push_back(extreme.t);
  }
  numbers.push_back(any ? motion.rows.back()[0] : absent);
  std::size_t next = 1;
  if (plan_.sweep.section) {
    SweepTable& table = to.tables[next++];
    std::size_t left = plan_.sweep.section->skip;
    const auto add = [&](const auto& row) {
      if (left == 0) add_row(begin_row(table), row, layout.section_columns);
      return left == 0 || left-- == 0;
    };
    if (layout.strobes)  // not the start itself, nor where a motion ended between strobes
      for (std::size_t k = 1; k < motion.rows.size(); ++k) add(motion.rows[k]);
    for (const EventRecord& event : motion.events) {
      const auto& wanted = layout.section_events;
      if (std::ranges::find(wanted, event.name) == wanted.end() || event.state.empty()) continue;
      if (add(event.state) && !table.labels.empty()) table.texts.push_back(event.name);
    }
  }
  if (layout.motion_columns.empty()) return;
  for (std::size_t k = 0; k < motion.rows.size(); ++k)
    add_row(begin_row(to.tables[next]), motion.rows[k], layout.motion_columns);
}

namespace {

/// Where the address space is limited: a thread's stack and the heap that the C library keeps for it take up to 72 MB.
/// More threads than have room would leave none to compute with.
std::size_t most_threads() {
  constexpr rlim_t of_a_thread = 128 << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::size_t>::max();
  return std::max<std::size_t>(1, limit.rlim_cur / of_a_thread);
}

/// Threads that make runs in order, and hand over each part when its last run is done.
class Crew {
 public:
  Crew(const SweepPlan& plan, std::span<const SweepRange> parts, const SweepOptions& options)
      : plan_(plan), parts_(parts), options_(options), work_left_(detail::work_left), rows_(parts.size()) {
    for (const SweepRange& part : parts) {
      begins_.push_back(jobs_);
      left_.push_back(part.last - part.first);
      jobs_ += left_.back();
    }
  }

  void run(const std::function<void(std::size_t, SweepResult)>& deliver) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = std::min({options_.threads == 0 ? cores : options_.threads, jobs_, most_threads()});
    std::vector<std::jthread> threads;
    try {
      while (threads.size() < count && start_thread(threads)) {
      }
      wait(threads.size(), deliver);
    } catch (...) {
      broken_ = true;
      throw;
    }
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Job {
    std::size_t part, place, run;
  };

  /// False where the system allows no more of them: those that there are go on.
  bool start_thread(std::vector<std::jthread>& threads) {
    try {
      threads.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      if (threads.empty())
        throw ComputationError(fmt::format(
            "no thread can be started: there is not enough memory for one, or the system allows no more ({})",
            error.what()));
      return false;
    }
    return true;
  }

  bool is_stopped() const { return broken_ || (options_.stop != nullptr && options_.stop->load()); }

  void work() {
    try {
      SweepRun one(plan_.parts(), options_.stop);
      // What one run may do does not depend on the others: in lanes their work is not told apart.
      if (plan_.parts().ensemble && !std::isfinite(work_left_))
        work_in_lanes(one);
      else
        work_alone(one);
    } catch (...) {
      broken_ = true;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ++idle_;
    changed_.notify_one();
  }

  /// The next job; nothing where there is none, or no more is to be done.
  std::optional<Job> next_job() {
    const std::size_t k = next_++;
    if (k >= jobs_ || is_stopped()) return std::nullopt;
    const auto part = static_cast<std::size_t>(std::ranges::upper_bound(begins_, k) - begins_.begin()) - 1;
    const std::size_t place = k - begins_[part];
    return Job{part, place, parts_[part].first + place};
  }

  void work_alone(SweepRun& one) {
    while (const std::optional<Job> job = next_job()) {
      const WorkLimit limit(work_left_);
      std::optional<SweepResult> rows = one.make(job->run, plan_.make_empty());
      if (!rows) return;
      put(*job, std::move(*rows));
    }
  }

  void work_in_lanes(SweepRun& one) {
    std::map<std::size_t, Job> under_way;  // by the members' numbers
    std::size_t members = 0;
    const auto finish = [&](const Job& job, const Trajectory& motion, const std::exception_ptr& failure) {
      if (std::optional<SweepResult> rows = one.rows(job.run, motion, failure, plan_.make_empty()))
        put(job, std::move(*rows));
    };
    const auto next = [&]() -> std::optional<SimulateOptions> {
      while (const std::optional<Job> job = next_job()) {
        try {
          SimulateOptions options = one.options(job->run);
          under_way.emplace(members++, *job);
          return options;
        } catch (const InputError&) {
          finish(*job, {}, std::current_exception());
        }
      }
      return std::nullopt;
    };
    plan_.parts().ensemble->run(next, [&](const Ensemble::Outcome& outcome) {
      finish(under_way.extract(outcome.member).mapped(), outcome.motion, outcome.failure);
    });
  }

  void put(const Job& job, SweepResult rows) {
    const std::lock_guard lock(mutex_);
    if (rows_[job.part].empty()) rows_[job.part].resize(left_[job.part]);  // its first one
    rows_[job.part][job.place] = std::move(rows);
    ++done_;
    if (--left_[job.part] > 0) return;
    complete_.push_back(job.part);
    changed_.notify_one();
  }

  /// Everything that the caller gave is called here, on its own thread.
  void wait(std::size_t threads, const std::function<void(std::size_t, SweepResult)>& deliver) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return !complete_.empty() || idle_ == threads; });
      const bool ends = idle_ == threads;
      const std::vector<std::size_t> complete = std::exchange(complete_, {});
      const std::size_t done = done_;
      lock.unlock();
      for (const std::size_t part : complete) {
        SweepResult whole = plan_.make_empty();
        for (const SweepResult& rows : rows_[part]) whole.append(rows);
        std::vector<SweepResult>().swap(rows_[part]);
        deliver(part, std::move(whole));
      }
      if (options_.progress) options_.progress(done);
      if (ends) return;
      lock.lock();
    }
  }

  const SweepPlan& plan_;
  std::span<const SweepRange> parts_;
  const SweepOptions& options_;
  double work_left_;
  std::size_t jobs_ = 0;
  std::vector<std::size_t> begins_;  // the first job of each part
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> broken_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::size_t> left_, complete_;
  std::vector<std::vector<SweepResult>> rows_;  // by part and place in it
  std::size_t done_ = 0, idle_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_sweep(const SweepPlan& plan, std::span<const SweepRange> parts,
               const std::function<void(std::size_t part, SweepResult result)>& deliver, const SweepOptions& options) {
  for (const SweepRange& part : parts)
    if (part.first >= part.last || part.last > plan.run_count())
      throw InputError({"", {}, "", "a part of a sweep has no runs, or runs that there are none of", "check its ends"});
  Crew(plan, parts, options).run(deliver);
}

SweepResult run_sweep(const SweepPlan& plan, const SweepOptions& options) {
  std::vector<SweepRange> parts;
  for (std::size_t run = 0; run < plan.run_count(); ++run) parts.push_back({run, run + 1});
  std::vector<SweepResult> rows(parts.size());
  run_sweep(
      plan, parts, [&](std::size_t part, SweepResult result) { rows[part] = std::move(result); }, options);
  SweepResult all = plan.make_empty();
  for (const SweepResult& one : rows)
    if (!one.tables.empty()) all.append(one);
  return all;
}

SweepResult run_sweep(const Description& model, const Sweep& sweep, const SweepOptions& options) {
  return run_sweep(SweepPlan(model, sweep), options);
}

}  // namespace dalembert
