#pragma once
// Which part of a work this process does: as the user says, or as mpirun, srun or a Slurm array says in the
// environment.

#include <optional>
#include <string>

/// Part `index` (from 0) of `count`.
struct Share {
  std::size_t index = 0, count = 1;
};

/// "3/8" is the third of eight. Throws InputError naming --chunk.
Share parse_share(const std::string& text);
/// OMPI_COMM_WORLD_RANK and _SIZE, PMI_RANK and _SIZE, SLURM_PROCID and SLURM_STEP_NUM_TASKS, or
/// SLURM_ARRAY_TASK_ID, _MIN and _COUNT: the first pair that is there. Throws InputError where they contradict.
std::optional<Share> find_share();
