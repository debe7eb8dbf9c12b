#include "limits.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace {

constexpr double units_a_second = 1e8;  // as in expr/work.hpp

/// A number and what follows it, or nothing where there is none or it is not above zero.
std::optional<std::pair<double, std::string>> split_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || !(value > 0)) return std::nullopt;
  return std::pair(value, std::string(end, text.data() + text.size()));
}

double read_work(const std::string& text) {
  const auto number = split_number(text);
  if (!number || !number->second.empty())
    throw dalembert::InputError({"",
                                 {},
                                 "--limit-work",
                                 fmt::format("'{}' is no amount of work", text),
                                 "give a number above 0: 10 is about what one core does in ten seconds"});
  return number->first * units_a_second;
}

double read_memory(const std::string& text) {
  const auto number = split_number(text);
  double unit = 0;
  if (number)
    for (const auto& [name, bytes] : {std::pair("kB", 1e3), std::pair("MB", 1e6), std::pair("GB", 1e9)})
      if (number->second == name) unit = bytes;
  if (unit == 0)
    throw dalembert::InputError({"",
                                 {},
                                 "--limit-memory",
                                 fmt::format("'{}' is no amount of memory", text),
                                 "give a number above 0 with kB, MB or GB, as 500MB"});
  return number->first * unit;
}

/// What the program itself needs before it has read anything counts too.
void limit_memory(double bytes) {
  constexpr double most = 0x1p62;
  const rlimit limit{static_cast<rlim_t>(std::min(bytes, most)), static_cast<rlim_t>(std::min(bytes, most))};
  if (setrlimit(RLIMIT_DATA, &limit) != 0)
    throw dalembert::InputError({"",
                                 {},
                                 "--limit-memory",
                                 "the system does not take such a limit",
                                 "leave it out, or limit memory from outside with ulimit -d"});
}

}  // namespace

void Limits::add_options(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--limit-work", [this](const std::string& text) { work_.emplace(read_work(text)); },
          "End with status 3 where more would be done than about this many seconds' worth; counted, not timed")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--limit-memory", [](const std::string& text) { limit_memory(read_memory(text)); },
          "End with status 3 where more memory than this would be needed, as 500MB")
      ->type_name("SIZE");
}
