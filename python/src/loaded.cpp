#include "loaded.hpp"

#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/simulate/start.hpp>
#include <dalembert/study/questions.hpp>

namespace dalembert::python {
namespace {

Model form(const Description& description, const StartOptions& options) {
  Model model = with_guesses(make_model(description, options.set), options.solve);
  return options.project_initial ? with_all_guesses(std::move(model)) : model;
}

Equations derive_motion(Model model, const std::string& by) {
  if (!model.simulate.vakonomic)
    return by == "hamel" ? derive_hamel_motion(model).equations : derive_equations(model, by);
  if (by != "multipliers")
    throw InputError({model.file,
                      {},
                      "by",
                      "a vakonomic motion is integrated by its multipliers only",
                      "leave `by` out, or use principle = \"dalembert\""});
  model.releases.clear();  // it has no reactions
  return derive_vakonomic(model);
}

}  // namespace

LoadedModel::LoadedModel(Description description, StartOptions options)
    : description_(std::move(description)), options_(std::move(options)), model_(form(description_, options_)) {}

std::shared_ptr<const LoadedModel> LoadedModel::with(const StartOptions& options) const {
  StartOptions all = options_;
  all.set.insert(all.set.end(), options.set.begin(), options.set.end());
  all.solve.insert(all.solve.end(), options.solve.begin(), options.solve.end());
  all.project_initial = all.project_initial || options.project_initial;
  return std::make_shared<const LoadedModel>(description_, std::move(all));
}

std::shared_ptr<const LoadedModel> LoadedModel::with(const Description& description) const {
  return std::make_shared<const LoadedModel>(description, options_);
}

Model LoadedModel::started() const {
  const std::scoped_lock lock(mutex_);
  if (!started_) started_ = settle_start(fork(model_)).model;
  return fork(*started_);
}

Equations LoadedModel::equations(const std::string& by) const {
  const std::scoped_lock lock(mutex_);
  auto found = equations_.find(by);
  if (found == equations_.end()) found = equations_.emplace(by, derive_equations(model_, by)).first;
  return fork(found->second);
}

System LoadedModel::system(const std::string& by, bool with_joints) const {
  const std::scoped_lock lock(mutex_);
  const auto key = std::pair(by, with_joints);
  auto found = systems_.find(key);
  if (found != systems_.end()) return found->second;
  const Equations equations = derive_motion(fork(model_), by);
  return systems_.emplace(key, System(with_joints ? with_joint_outputs(equations) : equations)).first->second;
}

State LoadedModel::state_at(const std::optional<double>& time, const std::atomic<bool>* stop) const {
  return dalembert::state_at(system("multipliers"), time, stop);
}

}  // namespace dalembert::python
