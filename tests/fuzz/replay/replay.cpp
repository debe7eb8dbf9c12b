// A seeded short part of a fuzzer, for the checks: RUNS inputs that are damaged copies of FILES. It needs no compiler
// with a fuzzer of its own, so that it runs wherever the tests do, and under their sanitizers.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "support/mutate_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string input;  // what the target is at

/// The input of a run that aborts, to be looked into.
void keep_input(int) {
  if (std::FILE* file = std::fopen("fuzz-finding", "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
  std::fputs("the input is in the file fuzz-finding\n", stderr);
  _exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::signal(SIGABRT, keep_input);
  std::vector<std::string> texts;
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  const std::uint64_t runs = std::strtoull(arguments[1], nullptr, 10);
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    dalembert::testing_support::Mutator mutator(seed);
    input = texts[seed % texts.size()];
    if (seed >= texts.size()) input = mutator.mutate(input, texts);
    if (std::getenv("DALEMBERT_REPLAY_CHOOSES") != nullptr)  // fuzz_command reads its command there
      input += static_cast<char>(mutator.below(256));
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(runs));
}
