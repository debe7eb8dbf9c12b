#include <fmt/format.h>

#include <dalembert/report/formula.hpp>

#include "report/document.hpp"

namespace dalembert {

std::string write_text(const FormulaReport& report) {
  const char* verdict = report.zero ? (*report.zero ? "yes" : "no") : "undecided";
  return fmt::format("{}\nLaTeX: {}\nzero:  {} ({})\n", report.text, report.latex, verdict, report.evidence);
}

std::string write_json(const FormulaReport& report) {
  return write_document({{"text", report.text},
                         {"latex", report.latex},
                         {"zero", report.zero ? Json(*report.zero) : Json()},
                         {"evidence", report.evidence}});
}

}  // namespace dalembert
