// `dalembert view`: its page, its motions, its news, and whom it does not answer. On 127.0.0.1 only.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/paths.hpp"
#include "support/run_command.hpp"

using dalembert::testing_support::command_path;
using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

namespace fs = std::filesystem;

constexpr int most_attempts = 600;  // a tenth of a second each

const std::string ball = R"(name = "Ball"
gravity = [0, 0, -9.81]
[parameters]
e = 0.5
[coordinates]
z = 1
[points.P]
position = [0, 0, "z"]
mass = 1
[constraints]
floor = { relation = "z >= 0", restitution = "e" }
[simulate]
until = 1
every = 0.25
)";

/// The command while it serves; ended at the latest with the test.
class Viewing {
 public:
  explicit Viewing(const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words{command_path, "view"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (::posix_spawn(&child_, command_path, &actions, nullptr, pointers.data(), environ) != 0) child_ = 0;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    char letter = 0;
    while (::read(ends[0], &letter, 1) == 1 && letter != '\n') address += letter;  // the pipe ends with the command
    ::close(ends[0]);
    const std::size_t colon = address.rfind(':');
    if (colon != std::string::npos && colon > 5) port = std::stoi(address.substr(colon + 1));
  }
  Viewing(const Viewing&) = delete;
  Viewing& operator=(const Viewing&) = delete;
  ~Viewing() {
    if (child_ > 0) end(SIGKILL);
  }
  /// The exit status after a signal, or -1.
  int end(int signal) {
    ::kill(child_, signal);
    int status = 0;
    for (int i = 0; i < most_attempts; ++i) {
      if (::waitpid(child_, &status, WNOHANG) == child_) {
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return -1;
  }

  /// The whole answer; `head` are further lines.
  std::string ask(const std::string& line, const std::string& head, const std::string& body = {}) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    timeval patience{60, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(static_cast<std::uint16_t>(port));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&server), sizeof server) == 0) {
      const std::string request = line + " HTTP/1.1\r\n" + head +
                                  "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                                  body;
      std::size_t sent = 0;
      for (ssize_t count = 1; count > 0 && sent < request.size(); sent += static_cast<std::size_t>(count))
        count = ::send(socket, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      char buffer[65536];
      for (ssize_t count = 1; count > 0;) {
        count = ::recv(socket, buffer, sizeof buffer, 0);
        if (count > 0) answer.append(buffer, static_cast<std::size_t>(count));
      }
    }
    ::close(socket);
    return answer;
  }
  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port) + "\r\n"; }
  std::string get(const std::string& path) const { return ask("GET " + path, host()); }
  std::string post(const std::string& body, const std::string& type = "application/json") const {
    return ask("POST /motion", host() + "Content-Type: " + type + "\r\n", body);
  }

  std::string address;
  int port = 0;

 private:
  pid_t child_ = 0;
};

nlohmann::json document(const std::string& answer) {
  return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
}

class View : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder);
    write(ball);
  }
  void TearDown() override { fs::remove_all(folder); }
  void write(const std::string& text) const { std::ofstream(file) << text; }

  fs::path folder = fs::path(testing::TempDir()) / ("view_" + std::to_string(::getpid()));
  std::string file = (folder / "ball.toml").string();
};

TEST_F(View, ServesThePageAndEndsWithCtrlC) {
  Viewing view({file});
  EXPECT_THAT(view.address, StartsWith("http://127.0.0.1:"));
  const std::string page = view.get("/");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("<title>Ball</title>"));
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(view.get("/other"), StartsWith("HTTP/1.1 404"));
  EXPECT_EQ(view.end(SIGINT), 0);
}

TEST_F(View, AnswersNobodyElse) {
  Viewing view({file});
  const std::string port = std::to_string(view.port);
  const std::vector<std::string> others{"evil.example", "evil.example:" + port, "127.0.0.1:" + port + ".evil.example",
                                        "127.0.0.1", "localhost.evil.example:" + port};
  for (const std::string& host : others)
    EXPECT_THAT(view.ask("GET /", "Host: " + host + "\r\n"), StartsWith("HTTP/1.1 403")) << host;
  EXPECT_THAT(view.ask("GET /", ""), StartsWith("HTTP/1.1 403")) << "no host";
  EXPECT_THAT(view.ask("GET /", "Host: localhost:" + port + "\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(view.ask("GET /", view.host() + "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(view.ask("GET /", view.host() + "Origin: null\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(view.post(R"({"parameters":{},"initial":{}})", "text/plain"), StartsWith("HTTP/1.1 403"))
      << "a form of another site could send that";
}

TEST_F(View, ComputesWhatThePageAsksFor) {
  Viewing view({file});
  EXPECT_THAT(view.get("/"), StartsWith("HTTP/1.1 200"));
  const std::string answer = view.post(R"({"parameters":{"e":0.25},"initial":{"z":2}})");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200")) << answer.substr(0, 500);
  const nlohmann::json motion = document(answer)["motion"];
  EXPECT_EQ(document(answer)["parameters"], nlohmann::json::array({0.25}));
  // It falls from z = 2: the first impact is at t = sqrt(2*2/9.81).
  ASSERT_FALSE(motion["events"].empty());
  EXPECT_EQ(motion["events"][0]["kind"], "impact");
  EXPECT_NEAR(motion["events"][0]["t"], std::sqrt(4 / 9.81), 1e-9);
}

TEST_F(View, RefusesWhatMakesNoSenseAndGoesOn) {
  Viewing view({file});
  EXPECT_THAT(view.get("/"), StartsWith("HTTP/1.1 200"));
  for (const char* body : {"", "{", "[]", R"({"parameters":{}})", R"({"parameters":{"e":"x"},"initial":{}})"})
    EXPECT_THAT(view.post(body), StartsWith("HTTP/1.1 400")) << body;
  EXPECT_THAT(view.post(R"({"parameters":{"nobody":1},"initial":{}})"), StartsWith("HTTP/1.1 422"));
  EXPECT_THAT(view.post(R"({"parameters":{"nobody":1},"initial":{}})"), HasSubstr("nobody"));
  EXPECT_THAT(view.post(std::string(100'000, ' ')), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(view.get("/news"), HasSubstr("\"error\":null"));
}

TEST_F(View, WorkIsLimitedForEachAnswer) {
  Viewing none({file, "--limit-work", "0.0001"});
  EXPECT_THAT(none.get("/"), HasSubstr("the work allowed is used up"));
  Viewing view({file, "--limit-work", "1"});
  EXPECT_THAT(view.get("/"), HasSubstr("<title>Ball</title>"));
  write("[parameters]\nk = 1\n[coordinates]\nz = 1\n[energy]\nkinetic = \"z'^2/2\"\npotential = \"k*z^2/2\"\n");
  EXPECT_THAT(view.get("/"), StartsWith("HTTP/1.1 200"));
  const nlohmann::json fast = document(view.post(R"({"parameters":{"k":1e14},"initial":{}})"))["motion"];
  EXPECT_EQ(fast["status"], "interrupted") << fast.dump().substr(0, 300);
  EXPECT_THAT(view.post(R"({"parameters":{"k":1},"initial":{}})"), StartsWith("HTTP/1.1 200"));
}

TEST_F(View, FollowsTheFileAndShowsItsErrorsAtTheirLine) {
  Viewing view({file});
  view.get("/");
  const nlohmann::json before = document(view.get("/news"));
  write(ball + "[outputs]\nw = \"zz'\"\n");
  const nlohmann::json broken = document(view.get("/news"));
  EXPECT_EQ(broken["served"], before["served"]);
  EXPECT_THAT(broken["error"].get<std::string>(), HasSubstr("ball.toml:16:6: outputs.w:"));
  EXPECT_THAT(broken["error"].get<std::string>(), HasSubstr("16 | w = \"zz'\""));
  EXPECT_THAT(view.get("/"), HasSubstr("<title>Ball</title>")) << "the last good page stays";
  write(ball + "[outputs]\nw = \"z'\"\n");
  const nlohmann::json mended = document(view.get("/news"));
  EXPECT_EQ(mended["error"], nullptr);
  EXPECT_GT(mended["served"], before["served"]);
  EXPECT_THAT(view.get("/"), HasSubstr("\"w\""));
}

TEST_F(View, AFileThatIsWrongFromTheStartIsShownAsSuch) {
  write("name = \"<b>\"\n[coordinates]\nz = \n");
  Viewing view({file});
  const std::string page = view.get("/");
  EXPECT_THAT(page, HasSubstr("ball.toml:3:5"));
  EXPECT_THAT(page, HasSubstr("http-equiv=\"refresh\""));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  write(ball);
  EXPECT_THAT(view.get("/"), HasSubstr("<title>Ball</title>"));
}

TEST_F(View, WhatCannotBeServedIsSaidAtOnce) {
  const CommandResult missing = run_command({"view", (folder / "none.toml").string()});
  EXPECT_EQ(missing.status, 2);
  Viewing view({file});
  const CommandResult taken = run_command({"view", file, "--port", std::to_string(view.port)});
  EXPECT_EQ(taken.status, 2);
  EXPECT_THAT(taken.err, HasSubstr("another program may have it; give another one"));
}

}  // namespace
