#include "server.hpp"

#include <dlfcn.h>

#include <dalembert/base/error.hpp>
#include <filesystem>

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse() {
  const char* reason = ::dlerror();
  throw dalembert::InputError(
      {"",
       {},
       "",
       std::string("a page is served by the module dalembert_server, which cannot be loaded (") +
           (reason == nullptr ? "it is not there" : reason) + ")",
       "install libcpp-httplib0.11, or write the page to a file: simulate -o FILE.html"});
}

}  // namespace

std::unique_ptr<LoopbackServer> load_server() {
  std::error_code none;
  const fs::path inside = fs::path("lib") / "dalembert" / "dalembert_server.so",
                 beside = fs::read_symlink("/proc/self/exe", none).parent_path();
  const fs::path path = fs::exists(beside / inside, none) ? beside / inside : beside.parent_path() / inside;
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) refuse();
  void* make = ::dlsym(module, "dalembert_make_server");
  if (make == nullptr) refuse();
  return std::unique_ptr<LoopbackServer>(reinterpret_cast<decltype(&dalembert_make_server)>(make)());
}
