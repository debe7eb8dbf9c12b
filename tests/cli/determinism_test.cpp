#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/run_command.hpp"

// What is printed depends on the input only, not on how busy the machine is. tools/check_same_bytes.py asks the same of
// every command on every bundled model.

using dalembert::testing_support::run_command;

namespace {

/// Keeps so many threads busy while it lives.
class Load {
 public:
  explicit Load(int count) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
        }
      });
  }
  ~Load() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

TEST(Command, SameInputSameBytesUnderLoad) {
#if defined(DALEMBERT_SMALL_TESTS)
  GTEST_SKIP() << "under sanitizers a busy machine takes minutes for what the other tests run anyway";
#endif
  const std::vector<std::vector<std::string>> commands = {
      {"check", "models:snakeboard"},
      {"derive", "models:three_link_arm"},
      {"derive", "models:rolling_disk_tilted", "--by", "hamel"},
      {"derive", "models:spain_knife_edge", "--by", "projection"},
      {"reactions", "models:pendulum_with_rod"},
      {"frame", "models:rolling_disk_vertical"},
      {"gauss", "models:skate"},
      {"hodograph", "models:pendulum"},
      {"verify", "models:skate"},
      {"formula", "(x + y + sqrt(z))^8*(sin(a + b) - sin(a)*cos(b) - cos(a)*sin(b)) = (x^y)^z - x^(y*z)"},
  };
  for (const auto& command : commands) {
    const auto quiet = run_command(command, {.seconds = 120, .folder = {}});
    const Load load(4);
    const auto busy = run_command(command, {.seconds = 120, .folder = {}});
    EXPECT_FALSE(quiet.out.empty()) << testing::PrintToString(command) << quiet.err;
    EXPECT_EQ(quiet.status, busy.status) << testing::PrintToString(command);
    EXPECT_EQ(quiet.out, busy.out) << testing::PrintToString(command);
    EXPECT_EQ(quiet.err, busy.err) << testing::PrintToString(command);
  }
}

}  // namespace
