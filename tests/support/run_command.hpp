#pragma once
// Runs the dalembert command as a user would: arguments in, both streams and the exit status out.

#include <signal.h>

#include <string>
#include <vector>

namespace dalembert::testing_support {

struct CommandResult {
  int status = -1;  ///< exit status; 128 + the signal that ended it
  std::string out;
  std::string err;
  bool timed_out = false;
};

struct RunOptions {
  double seconds = 60;         ///< then it is ended
  std::string folder = {};     ///< where it runs; empty: here
  double interrupt_after = 0;  ///< seconds until it gets a Ctrl-C; 0: none
  int signal = SIGINT;         ///< what it gets instead of a Ctrl-C
};

/// Standard input is empty. `program` is looked up on PATH unless it has a slash.
CommandResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const RunOptions& options = {});

/// build/dalembert with these arguments.
CommandResult run_command(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// As a shell does it: `line` with "$dalembert" for build/dalembert, as "$dalembert models >/dev/full".
CommandResult run_line(const std::string& line, const RunOptions& options = {});

}  // namespace dalembert::testing_support
