#pragma once
// What viewer/ builds, as it lies in viewer/dist.

#include <string_view>

namespace dalembert {

std::string_view viewer_script();
std::string_view viewer_style();

}  // namespace dalembert
