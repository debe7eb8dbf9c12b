// The page of a motion with what the other commands say of its model.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/report/page.hpp>
#include <dalembert/report/report.hpp>
#include <dalembert/study/questions.hpp>
#include <functional>
#include <limits>

#include "report/page/tab_lines.hpp"

namespace dalembert {
namespace {

/// Coordinates: what is larger nobody reads in a page, and it would take longer than the motion.
constexpr std::size_t most_readable = 40;
constexpr std::size_t most_verified = 8;   ///< coordinates: all routes together take longer than the motion
constexpr double work_for_formulas = 3e7;  ///< a tenth of what `reactions` spends
constexpr double least_rows = 1000;

/// What a command would say; where it has to refuse, why.
PageTab make_tab(const std::string& title, const std::function<void(PageTab&)>& fill) {
  PageTab tab{title, {}};
  try {
    fill(tab);
  } catch (const LimitError&) {
    throw;
  } catch (const ComputationError& error) {
    tab.text = error.what();
  } catch (const InputError& error) {
    tab.text = error.what();
  }
  return tab;
}

ReactionsReport find(const Model& model) {
  const Equations equations = derive_multipliers(model);
  ReactionsReport report;
  report.state = state_at(System(equations), {});
  report.reactions = find_reactions(equations, report.state, {.work = work_for_formulas});
  return report;
}

std::vector<PageTab> make_tabs(const Equations& equations) {
  const Model& model = *equations.model;
  const bool is_large = model.coordinates.size() > most_readable;
  const std::string too_large =
      fmt::format("{} coordinates are too many to be read here: `dalembert ", model.coordinates.size());
  std::vector<PageTab> tabs;
  tabs.push_back(make_tab("Equations", [&](PageTab& tab) {
    if (is_large) return void(tab.text = too_large + "derive` writes the equations");
    tab.equations = &equations;
    tab.text = write_text(equations);
  }));
  if (model.simulate.vakonomic) return tabs;
  if (!model.constraints.empty() || !model.releases.empty())
    tabs.push_back(make_tab("Reactions", [&](PageTab& tab) {
      is_large ? void(tab.text = too_large + "reactions` writes the reactions") : fill_tab(tab, find(model));
    }));
  tabs.push_back(make_tab("Check", [&](PageTab& tab) {
    is_large ? void(tab.text = too_large + "check` looks at it")
             : fill_tab(tab, check_model(derive_multipliers(model)));
  }));
  if (!model.quasi_velocities.empty())
    tabs.push_back(make_tab("Frame", [&](PageTab& tab) {
      is_large ? void(tab.text = too_large + "frame` describes it") : fill_tab(tab, describe_frame(model));
    }));
  tabs.push_back(make_tab("Verify", [&](PageTab& tab) {
    const bool is_long = model.coordinates.size() > most_verified;
    VerifyOptions few;
    few.states = 2;
    is_long ? void(tab.text = too_large + "verify` compares the routes") : fill_tab(tab, verify(model, few));
  }));
  return tabs;
}

std::vector<std::size_t> find_columns(const Trajectory& motion, const std::vector<Expr>& symbols) {
  std::vector<std::size_t> columns;
  for (const Expr& symbol : symbols) {
    const auto found = std::ranges::find(motion.columns, symbol.name());
    if (found != motion.columns.end()) columns.push_back(static_cast<std::size_t>(found - motion.columns.begin()));
  }
  return columns;
}

/// With u' as further columns, so that terms have values where the page cannot compute a motion itself; as it is where
/// its states are not in its columns.
Trajectory with_accelerations(const System& system, const Trajectory& motion, std::size_t most_rows) {
  const Equations& equations = system.equations();
  const std::vector<std::size_t> q = find_columns(motion, equations.coordinates),
                                 u = find_columns(motion, equations.velocities);
  if (q.size() != equations.coordinates.size() || u.size() != equations.velocities.size() ||
      motion.rows.size() > most_rows)
    return motion;
  Trajectory further = motion;
  for (const Expr& symbol : equations.accelerations) further.columns.push_back(symbol.name());
  further.rows = Table(further.columns.size());
  Workspace workspace = system.make_workspace();
  for (const Table::Row row : motion.rows) {
    std::vector<double> values = row;
    State state{row[0], {}, {}};
    for (std::size_t k : q) state.q.push_back(row[k]);
    for (std::size_t k : u) state.u.push_back(row[k]);
    try {
      const Response response = equations.contacts.empty() ? system.evaluate_motion(workspace, state)
                                                           : system.evaluate_contacts(workspace, state).response;
      values.insert(values.end(), response.acceleration.begin(), response.acceleration.end());
    } catch (const InputError&) {  // singular there: no values
      values.resize(further.columns.size(), std::numeric_limits<double>::quiet_NaN());
    }
    further.rows.add(values);
  }
  return further;
}

}  // namespace

std::string write_page(const System& system, const Trajectory& motion, PageOptions options) {
  return with_distinct_names(
      [&] {
        const Equations own = fork(system.equations());  // others may be reading the system's
        options.tabs = make_tabs(own);
        options.not_live = why_not_live(system, motion);
        if (options.not_live.empty()) options.live = &own;
        const bool is_read = own.coordinates.size() <= most_readable && !options.served;
        const Trajectory shown =
            options.live == nullptr && is_read ? with_accelerations(system, motion, options.most_rows) : motion;
        return write_page(make_scene(*own.model, shown), shown, options);
      },
      symbol_names(system.model()));
}

double page_interval(double until, double every) {
  const double rows = until / every;
  return rows > 0 && rows < least_rows ? every / std::ceil(least_rows / rows) : every;
}

}  // namespace dalembert
