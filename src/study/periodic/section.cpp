#include <fmt/format.h>

#include <dalembert/study/periodic.hpp>

#include "study/unused_name.hpp"

// What [periodic] adds to a model.

namespace dalembert {
std::string section_name(const Description& description) { return unused_name(description, "section"); }

std::string period_name(const Description& description) { return unused_name(description, "period"); }

PeriodicOptions periodic_options(const Description& description) {
  PeriodicOptions options;
  const PeriodicText& said = description.periodic;
  for (const Text& name : said.free) options.free.push_back(name.text);
  if (!said.section.empty()) options.section = section_name(description);
  if (!said.period.empty()) options.period_name = period_name(description);
  return options;
}

Description with_section(Description description) {
  const Description given = description;
  const PeriodicText& said = given.periodic;
  if (!said.period.empty()) description.definition({period_name(given), said.period.place}, VectorText(said.period));
  if (said.section.empty()) return description;
  const std::size_t equals = said.section.text.find('=');
  if (equals == std::string::npos || said.section.text.find('=', equals + 1) != std::string::npos)
    throw ModelError({given.file, said.section.place, "periodic.section",
                      fmt::format("'{}' is no equation", said.section.text), "write it as \"theta' = 0\""});
  const Text name(section_name(given), said.section.place);
  const Text formula(fmt::format("{}- ({})", said.section.text.substr(0, equals), said.section.text.substr(equals + 1)),
                     said.section.place);
  description.output(name, VectorText(formula));
  description.event(name, {.when = formula, .action = "record"});
  return description;
}

}  // namespace dalembert
