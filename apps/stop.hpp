#pragma once
// Ctrl-C (SIGINT), SIGTERM and SIGHUP end a motion where it is and keep it; a second one ends the program.

#include <atomic>

/// From now on these signals raise the flag. One that the command was started to ignore (nohup) stays ignored.
const std::atomic<bool>* catch_stops();
