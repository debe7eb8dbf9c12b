#include "stop.hpp"

#include <signal.h>
#include <unistd.h>

#include "command.hpp"
#include "output.hpp"

namespace {

std::atomic<bool> keeps = false, requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may touch nothing else

void answer_stop(int) {
  requested = true;
  if (keeps) return;
  say_raw("dalembert: error: stopped on request, before there was anything to keep\n");
  ::_exit(static_cast<int>(ExitStatus::cannot_go_on));
}

}  // namespace

void end_on_stops() {
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = answer_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(number, &action, nullptr);
  }
}

const std::atomic<bool>* catch_stops() {
  keeps = true;
  return &requested;
}

const std::atomic<bool>* stop_request() { return &requested; }
