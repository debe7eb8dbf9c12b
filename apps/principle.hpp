#pragma once
// --by: which principle derives the equations.

#include <dalembert/mechanics/equations.hpp>

#include "command.hpp"

void add_by_option(CLI::App& command, std::string& by);
/// Throws InputError for principles that this release does not have yet, and for names that are none.
dalembert::Equations derive_by(const dalembert::Model& model, const std::string& by);
/// The same to compute with: by hamel the engine may choose velocities as numbers.
dalembert::Equations derive_motion_by(const dalembert::Model& model, const std::string& by);
/// The equations of the motion that the model asks for, d'Alembert's or vakonomic; notes go to standard error.
dalembert::Equations derive_motion(dalembert::Model& model, const std::string& by);
