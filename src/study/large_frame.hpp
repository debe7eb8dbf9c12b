#pragma once
// A frame of more velocities than anybody reads.

#include <dalembert/study/frame.hpp>

namespace dalembert {

/// Nothing is listed: remarks tell what kind of frame it is, its families once, and what is decided about it.
FrameReport describe_large_frame(const Model& model);

}  // namespace dalembert
