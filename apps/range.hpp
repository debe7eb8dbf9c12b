#pragma once
// A number of a model over a range.

#include <dalembert/study/linearize.hpp>

/// "v=0:10:0.05". Throws InputError naming --over.
dalembert::LocusRange parse_range(const std::string& text);
