#pragma once
// Ctrl-C (SIGINT), SIGTERM and SIGHUP end the command; where there is something to keep, after it is written.

#include <atomic>

/// From now on these signals end the command at once, with a sentence and status 3. One that the command was started to
/// ignore (nohup) stays ignored.
void end_on_stops();

/// From now on the first of them raises this flag instead, and a second one ends the program: for what is kept, just
/// before it begins to be made, and looked at again and again.
const std::atomic<bool>* catch_stops();
/// The flag alone, for what is told only later that there is something to keep.
const std::atomic<bool>* stop_request();
