#pragma once
// --limit-work and --limit-memory, of every command.

#include <dalembert/base/work_limit.hpp>
#include <optional>

#include "command.hpp"

class Limits {
 public:
  /// They hold from when the command has read its arguments, as long as this lives.
  void add_options(CLI::App& command);

 private:
  std::optional<dalembert::WorkLimit> work_;
};
