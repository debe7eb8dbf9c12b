#pragma once
// Reports as text, LaTeX or JSON.

#include <dalembert/report/report.hpp>

#include "command.hpp"
#include "output.hpp"

inline void add_as_option(CLI::App& command, std::string& as) {
  command.add_option("--as", as, "text, latex or json")
      ->check(CLI::IsMember({"text", "latex", "json"}))
      ->capture_default_str();
}

template <class Report>
void put_as(const Report& report, const std::string& as) {
  if (as == "text")
    put_text(dalembert::write_text(report));
  else
    put(as == "latex" ? dalembert::write_latex(report) : dalembert::write_json(report));
}
