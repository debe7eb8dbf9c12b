#pragma once
// What is followed over a parameter, as file and on standard output.

#include <dalembert/report/report.hpp>

#include "output.hpp"

template <class Options, class Diagram>
void write_diagram(const Options& options, const Diagram& diagram, const std::string& title) {
  using namespace dalembert;
  if (!options.output.empty()) switch (file_kind(options.output)) {
      case FileKind::svg: write_file(options.output, write_svg(diagram, title)); break;
      case FileKind::json: write_file(options.output, write_json(diagram)); break;
      default: write_file(options.output, write_csv(diagram));
    }
  if (options.json)
    put(write_json(diagram));
  else if (options.output.empty())
    put(write_csv(diagram));
  if (!options.quiet) say(write_summary(diagram));
}
