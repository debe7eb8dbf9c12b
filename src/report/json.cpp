#include <cmath>
#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>

#include "report/document.hpp"

namespace dalembert {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers that do not exist are null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (double value : values) list.push_back(number(value));
  return list;
}

Json drift(const Drift& drift) {
  return {{"name", drift.name}, {"start", number(drift.start)}, {"largest", number(drift.largest)}};
}

Json summary(const Trajectory& trajectory) {
  const Summary& summary = trajectory.summary;
  Json integrals = Json::array();
  for (const Drift& integral : summary.integrals) integrals.push_back(drift(integral));
  return {{"residual", number(summary.largest_residual)},
          {"largest_kinetic", number(summary.largest_kinetic)},
          {"energy", drift(summary.energy)},
          {"balance", drift(summary.balance)},
          {"integrals", integrals}};
}

}  // namespace

std::string write_json(const Trajectory& trajectory) {
  Json document;
  document["columns"] = trajectory.columns;
  Json rows = Json::array();
  for (const Table::Row row : trajectory.rows) rows.push_back(numbers(std::vector<double>(row)));
  document["rows"] = std::move(rows);
  document["status"] = status_name(trajectory.status);
  document["message"] = trajectory.message;
  document["notes"] = trajectory.notes;
  document["events"] = Json::array();
  for (const EventRecord& event : trajectory.events) {
    Json one = {{"name", event.name}, {"kind", event.kind}, {"t", number(event.t)}, {"state", numbers(event.state)}};
    if (event.impact) {
      one["impulse"] = number(event.impact->impulse);
      one["energy_lost"] = number(event.impact->energy_lost);
      one["several_outcomes"] = event.impact->several_outcomes;
    }
    document["events"].push_back(std::move(one));
  }
  document["statistics"] = {{"steps", trajectory.statistics.steps},
                            {"evaluations", trajectory.statistics.evaluations},
                            {"seconds", number(trajectory.statistics.seconds)},
                            {"rejected", trajectory.statistics.rejected},
                            {"projections", trajectory.statistics.projections},
                            {"choices", trajectory.statistics.choices}};
  document["summary"] = summary(trajectory);
  if (!trajectory.error.empty()) {
    document["error"] = Json::object();
    for (std::size_t i = 0; i < trajectory.error.size(); ++i)
      document["error"][trajectory.columns[i]] = number(trajectory.error[i]);
  }
  return write_document(document, -1);
}

}  // namespace dalembert
