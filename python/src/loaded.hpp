#pragma once
// A model with what was made of it: equations and systems by principle, each once, for any number of threads. None of
// its functions may be called by the holder of the interpreter's lock: they wait for each other.

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>
#include <map>
#include <mutex>

namespace dalembert::python {

/// What a command is told about the start, as --set, --solve and --project-initial.
struct StartOptions {
  Overrides set = {};
  std::vector<std::string> solve = {};
  bool project_initial = false;
};

class LoadedModel {
 public:
  LoadedModel(Description description, StartOptions options);

  const Description& description() const { return description_; }
  const Overrides& overrides() const { return options_.set; }
  /// For names and numbers; formulas are for those who have a fork.
  const Model& model() const { return model_; }
  /// Formed again from the same description, with these options besides.
  std::shared_ptr<const LoadedModel> with(const StartOptions& options) const;
  std::shared_ptr<const LoadedModel> with(const Description& description) const;

  // A graph is read by one thread at a time: what is kept here is only copied.
  /// The model with its start solved for, the caller's own.
  Model started() const;
  /// Equations to be read, the caller's own.
  Equations equations(const std::string& by) const;
  /// Equations to be computed with: in quasi-velocities they may be others. `with_joints`: the loads of the model's
  /// joints are columns.
  System system(const std::string& by, bool with_joints = false) const;
  /// The consistent initial state, or the one reached at a time.
  State state_at(const std::optional<double>& time, const std::atomic<bool>* stop = nullptr) const;

 private:
  Description description_;
  StartOptions options_;
  Model model_;
  mutable std::mutex mutex_;
  mutable std::optional<Model> started_;
  mutable std::map<std::string, Equations> equations_;
  mutable std::map<std::pair<std::string, bool>, System> systems_;
};

}  // namespace dalembert::python
