#include "support/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

#include "support/paths.hpp"

namespace dalembert::testing_support {

CommandResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const RunOptions& options) {
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
    if (poll(streams.data(), streams.size(), options.interrupt_after > 0 && !interrupted ? 1 : 50) <= 0) continue;
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

CommandResult run_command(const std::vector<std::string>& arguments, const RunOptions& options) {
  return run_program(command_path, arguments, options);
}

CommandResult run_line(const std::string& line, const RunOptions& options) {
  return run_program("sh", {"-c", "dalembert=\"$0\"; " + line, command_path}, options);
}

}  // namespace dalembert::testing_support
