#include <fmt/format.h>

#include <dalembert/base/failure.hpp>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/report/page.hpp>
#include <dalembert/report/report.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model_options.hpp"
#include "output.hpp"
#include "principle.hpp"
#include "server.hpp"
#include "stop.hpp"

// The page of a model with the engine behind it: looked at while the model file is being written.

using namespace dalembert;

namespace {

using Json = nlohmann::ordered_json;

struct ViewArguments {
  ModelOptions model;
  std::string by = "multipliers";
  int port = 0;
};

std::string read_text(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The line of a text that an error speaks of, as it stands there; empty where it speaks of none.
std::string line_of(const std::string& text, std::size_t number) {
  std::size_t from = 0;
  for (std::size_t line = 1; line < number; ++line) {
    from = text.find('\n', from);
    if (from++ == std::string::npos) return {};
  }
  return number == 0 ? std::string() : text.substr(from, text.find('\n', from) - from);
}

/// The model file as it is now: its system, its page, or what is wrong with it. Asked by the server's threads, one at a
/// time.
class Watched {
 public:
  Watched(ViewArguments options, const std::atomic<bool>* stop)
      : options_(std::move(options)), path_(find_model(options_.model.model)), stop_(stop) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path_, none)) read_description(path_);  // says what is wrong
  }

  Answer page() {
    const std::lock_guard lock(mutex_);
    look();
    if (!page_.empty()) return {"text/html; charset=utf-8", page_};
    return {"text/html; charset=utf-8", write_waiting_page(options_.model.model, complaint_text())};
  }
  /// Which page is the newest, and what is wrong with the file since.
  Answer news() {
    const std::lock_guard lock(mutex_);
    look();
    Json document{{"served", generation_}, {"error", failure_ ? Json(complaint_text()) : Json()}};
    return {"application/json", document.dump()};
  }
  /// Another motion: { parameters: { m: 2 }, initial: { theta: 1, "theta'": 0 } }.
  Answer motion(const std::string& body) {
    const std::lock_guard lock(mutex_);
    const WorkLimit limit(work_);
    if (!system_) return {"text/plain; charset=utf-8", complaint_text(), 409};
    try {
      const Json asked = Json::parse(body);
      SimulateOptions plan = make_plan();
      plan.parameters = numbers(asked.at("parameters"));
      plan.initial = numbers(asked.at("initial"));
      plan.project_initial = !plan.initial.empty();
      Workspace workspace = system_->make_workspace();
      const Trajectory moved = system_->simulate(workspace, plan);
      return {"application/json", write_page_motion(moved, workspace.parameters())};
    } catch (const Json::exception&) {
      return {"text/plain", "expected parameters and initial values as JSON\n", 400};
    } catch (const std::exception& error) {
      return {"text/plain; charset=utf-8", to_text(describe_failure(error).complaint), 422};
    }
  }

 private:
  static NamedNumbers numbers(const Json& object) {
    NamedNumbers list;
    for (const auto& [name, value] : object.items()) list.emplace_back(name, value.get<double>());
    return list;
  }
  SimulateOptions make_plan() const {
    const SimulateSettings& own = system_->model().simulate;
    SimulateOptions plan;
    plan.every = page_interval(own.until, own.every);
    plan.stop = stop_;
    return plan;
  }
  std::string complaint_text() const {
    if (!failure_) return {};
    const std::string line = line_of(text_, failure_->complaint.place.line);
    return to_text(failure_->complaint) +
           (line.empty() ? "" : fmt::format("\n\n{:5} | {}", failure_->complaint.place.line, line));
  }
  /// Once for each content of the file.
  void look() {
    std::string now = read_text(path_);
    if (generation_ > 0 && now == text_) return;
    text_ = std::move(now);
    const WorkLimit limit(work_);
    try {
      Model model = load_start(options_.model).model;
      system_.emplace(derive_motion(model, options_.by));
      const Trajectory moved = system_->simulate(make_plan());
      page_ =
          write_page(*system_, moved, {.tolerance = system_->model().simulate.tolerance, .served = generation_ + 1});
      failure_.reset();
      ++generation_;
    } catch (const std::exception& error) {
      failure_ = describe_failure(error);
      generation_ = std::max<std::size_t>(generation_, 1);
    }
  }

  const ViewArguments options_;
  const std::string path_;
  const std::atomic<bool>* stop_;
  const double work_ = detail::work_left;  // of each answer: the server's threads have no limit of their own
  std::mutex mutex_;
  std::string text_, page_;
  std::optional<System> system_;
  std::optional<Failure> failure_;
  std::size_t generation_ = 0;
};

ExitStatus run(const ViewArguments& options) {
  const std::atomic<bool>* stop = catch_stops();
  Watched watched(options, stop);
  const std::unique_ptr<LoopbackServer> server = load_server();
  server->get("/", [&](const std::string&) { return watched.page(); });
  server->get("/news", [&](const std::string&) { return watched.news(); });
  server->post("/motion", [&](const std::string& body) { return watched.motion(body); });
  const int port = server->open(options.port);
  if (port == 0)
    throw InputError({"",
                      {},
                      "--port",
                      fmt::format("port {} of 127.0.0.1 cannot be used: another program may have it", options.port),
                      "give another one, or none to get any that is free"});
  put(fmt::format("http://127.0.0.1:{}/\n", port));
  say("open it in a browser on this machine; Ctrl-C ends it\n");
  server->run(*stop);
  return ExitStatus::fine;
}

}  // namespace

void add_view(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand(
      "view", "Serves the page of a model on this machine; it follows the file, and its sliders ask the engine");
  add_model_options(*command, options->model);
  add_start_options(*command, options->model);
  add_by_option(*command, options->by);
  command->add_option("--port", options->port, "Port of 127.0.0.1; any free one where none is given")
      ->check(CLI::Range(1, 65535));
  command->footer("Example: dalembert view model.toml, and open the address that it prints");
  command->callback([options, &status] { status = run(*options); });
}
