#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

#include "server.hpp"

// A module: httplib brings OpenSSL and compression into the program, which is to start without them.

namespace {

constexpr const char* host = "127.0.0.1";
constexpr std::size_t most_bytes = 64'000;
constexpr std::chrono::milliseconds patience(50);

void set(httplib::Response& response, const Answer& answer) {
  response.status = answer.status;
  response.set_content(answer.body, answer.type);
}

class HttpServer : public LoopbackServer {
 public:
  HttpServer() {
    server_.set_payload_max_length(most_bytes);
    server_.set_keep_alive_timeout(1);
    server_.set_read_timeout(5);
    server_.new_task_queue = [] { return new httplib::ThreadPool(4); };
    // Without SO_REUSEPORT, with which a second program could take the same port.
    server_.set_socket_options([](int socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"X-Frame-Options", "DENY"}});
    refuse_others();
  }

  void get(const std::string& path, Handler handler) override {
    server_.Get(path, [handler = std::move(handler)](const httplib::Request&, httplib::Response& response) {
      set(response, handler({}));
    });
  }
  void post(const std::string& path, Handler handler) override {
    server_.Post(path, [handler = std::move(handler)](const httplib::Request& request, httplib::Response& response) {
      set(response, handler(request.body));
    });
  }

  int open(int port) override {
    if (port == 0) return port_ = std::max(server_.bind_to_any_port(host), 0);
    return port_ = server_.bind_to_port(host, port) ? port : 0;
  }

  void run(const std::atomic<bool>& stop) override {
    std::thread answering([this] { server_.listen_after_bind(); });
    while (!stop.load()) std::this_thread::sleep_for(patience);
    ::_exit(0);  // an answer that is being computed may take long, and nobody waits for it
  }

 private:
  /// A name that another site had resolved to this machine (DNS rebinding) is not among these.
  bool is_own(const std::string& address, const std::string& scheme) const {
    return std::ranges::any_of(std::array{"127.0.0.1", "localhost"}, [&](const char* name) {
      return address == scheme + name + ":" + std::to_string(port_);
    });
  }
  bool may_ask(const httplib::Request& request) const {
    if (!is_own(request.get_header_value("Host"), "")) return false;
    return !request.has_header("Origin") || is_own(request.get_header_value("Origin"), "http://");
  }
  void refuse_others() {
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const bool is_json = request.get_header_value("Content-Type").starts_with("application/json");
      if (may_ask(request) && (request.method == "GET" || is_json)) return httplib::Server::HandlerResponse::Unhandled;
      set(response, {"text/plain", "dalembert answers its own page on this machine only\n", 403});
      return httplib::Server::HandlerResponse::Handled;
    });
  }

  httplib::Server server_;
  int port_ = 0;
};

}  // namespace

LoopbackServer* dalembert_make_server() { return new HttpServer; }
