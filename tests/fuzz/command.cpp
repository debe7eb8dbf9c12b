// Any command on any model file ends with a documented status. The last byte chooses the command, the rest is the
// model. What commands say is thrown away unless DALEMBERT_FUZZ_LOUD is set.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "memory.hpp"
#include "run.hpp"
#include "support/command_lines.hpp"

namespace {

std::string make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "dalembert-fuzz-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

/// Standard output and standard error while a command runs.
class Silence {
 public:
  Silence() {
    static const bool loud = std::getenv("DALEMBERT_FUZZ_LOUD") != nullptr;
    if (loud) return;
    static const int nowhere = open("/dev/null", O_WRONLY);
    for (int stream : {1, 2}) {
      kept_[stream - 1] = dup(stream);
      dup2(nowhere, stream);
    }
  }
  ~Silence() {
    for (int stream : {1, 2}) {
      if (kept_[stream - 1] < 0) continue;
      dup2(kept_[stream - 1], stream);
      close(kept_[stream - 1]);
    }
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_[2] = {-1, -1};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string folder = make_folder();
  static const bool once = (end_where_memory_ends(), std::filesystem::current_path(folder), true);
  if (!once || size < 2) return 0;
  const std::string model(reinterpret_cast<const char*>(data), size - 1);
  std::vector<std::string> arguments = dalembert::testing_support::prepare_command(data[size - 1], model, folder);
  arguments.insert(arguments.end(), {"--limit-work", "0.02"});
  int status = -1;
  {
    const Silence silence;
    status = run_dalembert(arguments);
  }
  if (status < 0 || status > 3) std::abort();
  return 0;
}
