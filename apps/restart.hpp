#pragma once
// --from FILE.csv: a motion goes on where another one ended.

#include "model_options.hpp"

struct Restart {
  dalembert::State state;
  std::string note;  ///< what the file shows otherwise than the model; empty if nothing
};

/// The last row of a run of this model. Its other columns tell whether it is one: an InputError names what the model
/// has not, or has otherwise at this state. Where --set gives values the latter is a note.
Restart read_restart(const std::string& file, const dalembert::System& system, const ModelOptions& options);
