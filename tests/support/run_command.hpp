#pragma once
// Runs the dalembert command as a user would: arguments in, both streams and the exit status out.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
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
inline CommandResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                                 const RunOptions& options = {}) {
  std::array<std::array<int, 2>, 2> pipes{};
  for (auto& ends : pipes)
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> values{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
  values.push_back(nullptr);
  pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(pipes[0][1], 1);
    dup2(pipes[1][1], 2);
    for (auto& ends : pipes)
      for (int end : ends) close(end);
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
    execvp(values[0], values.data());
    _exit(127);
  }
  for (auto& ends : pipes) close(ends[1]);

  CommandResult result;
  std::array<pollfd, 2> streams{{{pipes[0][0], POLLIN, 0}, {pipes[1][0], POLLIN, 0}}};
  std::array<std::string*, 2> texts{&result.out, &result.err};
  auto begin = std::chrono::steady_clock::now();
  bool interrupted = false;
  for (int open_streams = 2; open_streams > 0;) {
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (!interrupted && options.interrupt_after > 0 && elapsed.count() > options.interrupt_after) {
      interrupted = true;
      kill(child, options.signal);
    }
    if (elapsed.count() > options.seconds && !result.timed_out) {
      result.timed_out = true;
      kill(child, SIGKILL);
    }
    if (poll(streams.data(), streams.size(), 50) <= 0) continue;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      ssize_t count = read(streams[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      } else {
        close(streams[i].fd);
        streams[i].fd = -1;
        --open_streams;
      }
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// build/dalembert with these arguments.
inline CommandResult run_command(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
  return run_program(DALEMBERT_COMMAND, arguments, options);
}

/// As a shell does it: `line` with "$dalembert" for build/dalembert, as "$dalembert models >/dev/full".
inline CommandResult run_line(const std::string& line, const RunOptions& options = {}) {
  return run_program("sh", {"-c", "dalembert=\"$0\"; " + line, DALEMBERT_COMMAND}, options);
}

}  // namespace dalembert::testing_support
