#include "report/page/assets.hpp"

// The assembler includes the files: a compiler would take seconds for an array of a million numbers.
#define DALEMBERT_EMBED(name, file)                                                                                    \
  asm(".pushsection .rodata\n.global dalembert_" #name "\n.hidden dalembert_" #name "\ndalembert_" #name               \
      ":\n.incbin \"" DALEMBERT_VIEWER_FOLDER "/" file "\"\n.global dalembert_" #name "_end\n.hidden dalembert_" #name \
      "_end\ndalembert_" #name "_end:\n.byte 0\n.popsection\n");                                                       \
  extern "C" const char dalembert_##name[], dalembert_##name##_end[]

DALEMBERT_EMBED(viewer_script, "viewer.js");
DALEMBERT_EMBED(viewer_style, "viewer.css");

namespace dalembert {

std::string_view viewer_script() { return {dalembert_viewer_script, dalembert_viewer_script_end}; }
std::string_view viewer_style() { return {dalembert_viewer_style, dalembert_viewer_style_end}; }

}  // namespace dalembert
