#pragma once
// HTTP for this machine alone: bound to 127.0.0.1, and what another site's page asks for is refused.

#include <atomic>
#include <functional>
#include <memory>
#include <string>

struct Answer {
  std::string type, body;
  int status = 200;
};

class LoopbackServer {
 public:
  using Handler = std::function<Answer(const std::string& body)>;

  LoopbackServer() = default;
  virtual ~LoopbackServer() = default;
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  virtual void get(const std::string& path, Handler handler) = 0;
  /// Bodies are JSON of at most 64 kB.
  virtual void post(const std::string& path, Handler handler) = 0;
  /// Takes a port, any free one for 0, and says which; 0 where it is taken.
  virtual int open(int port) = 0;
  /// Answers until the flag is raised, and ends the program then.
  virtual void run(const std::atomic<bool>& stop) = 0;
};

/// From the module lib/dalembert/dalembert_server.so beside the program, or beside the folder that the program is in.
/// InputError where it cannot be loaded.
std::unique_ptr<LoopbackServer> load_server();

/// What the module has.
extern "C" LoopbackServer* dalembert_make_server();
