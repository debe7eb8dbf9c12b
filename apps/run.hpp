#pragma once

#include <string>
#include <vector>

/// The command with these arguments: its exit status. What goes wrong is said, never thrown.
int run_dalembert(const std::vector<std::string>& arguments);
