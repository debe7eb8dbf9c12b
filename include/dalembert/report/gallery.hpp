#pragma once
// A list of pages with a picture of each.

#include <string>
#include <vector>

namespace dalembert {

struct GalleryEntry {
  std::string title, about;
  std::string page;     ///< a file beside the list
  std::string picture;  ///< SVG; empty where there is nothing to see
};

/// One HTML file without scripts.
std::string write_gallery(const std::vector<GalleryEntry>& entries);

}  // namespace dalembert
