#pragma once
// --set NAME=VALUE, read.

#include "model_options.hpp"

dalembert::Overrides read_overrides(const ModelOptions& options);
