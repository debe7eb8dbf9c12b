#include "support/paths.hpp"

namespace dalembert::testing_support {

const char* const command_path = DALEMBERT_COMMAND;
const char* const tests_folder = DALEMBERT_TESTS_FOLDER;
const char* const source_folder = DALEMBERT_SOURCE_FOLDER;

}  // namespace dalembert::testing_support
