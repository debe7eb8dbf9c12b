// Random models and mutated bundled ones through all commands: a documented status in 10 s and 1 GB each.
// A million of them, numbered from 1; the environment variables COMMANDS and SEED change how many and from which on: a
// second part begins with the number after the last of the first.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "memory.hpp"
#include "output.hpp"
#include "run.hpp"
#include "support/hostile_command.hpp"
#include "support/setting.hpp"

namespace dalembert {
namespace {

using testing_support::HostileResult;

/// What main does, in a copy of this process: starting the command anew would take most of the time.
[[noreturn]] void run_here(const std::vector<std::string>& arguments, int seconds, const std::string& folder) {
  const rlimit time{static_cast<rlim_t>(seconds), static_cast<rlim_t>(seconds)};
  setrlimit(RLIMIT_CPU, &time);
  alarm(600);  // for one that waits
  if (chdir(folder.c_str()) != 0) _exit(126);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  open_streams();
  end_where_memory_ends();
  std::exit(run_dalembert(arguments));
}

HostileResult run_copy(const std::vector<std::string>& arguments, int seconds, const std::string& folder) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) run_here(arguments, seconds, folder);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  HostileResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.timed_out = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  result.megabytes = static_cast<double>(used.ru_maxrss) / 1e3;
  std::getline(std::ifstream(folder + "/err"), result.err, '\0');
  return result;
}

TEST(Commands, EndInGoodOrderOnAnyModel) {
  const std::string kept = testing::TempDir() + "commands_" + std::to_string(::getpid()), folder = kept + "/now";
  std::filesystem::create_directories(folder);
  const std::uint64_t count = testing_support::setting("COMMANDS", 1'000'000),
                      seed = testing_support::setting("SEED", 1);
  const testing_support::HostileOptions options{
      testing_support::bundled_texts(), folder,
      [&](const std::vector<std::string>& arguments, int seconds) { return run_copy(arguments, seconds, folder); }};
  std::size_t wrong = 0;
  for (std::uint64_t i = seed; i < seed + count; ++i) {
    if ((i - seed) % 10'000 == 0) fmt::print("{} of {}, {} wrong\n", i - seed, count, wrong);
    const auto found = testing_support::try_hostile_command(i, options);
    if (!found) continue;
    const std::string model = fmt::format("{}/{}.toml", kept, i);
    std::filesystem::copy_file(folder + "/m.toml", model, std::filesystem::copy_options::overwrite_existing);
    ADD_FAILURE() << "seed " << i << ", model " << model << ": " << *found;
    if (++wrong > 100) FAIL() << "enough";
  }
}

}  // namespace
}  // namespace dalembert
