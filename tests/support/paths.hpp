#pragma once
// Where the tests find things. The values are in paths.cpp alone, so that the place of the tree does not enter how the
// tests are compiled.

namespace dalembert::testing_support {

extern const char* const command_path;  ///< the dalembert command of this build
extern const char* const tests_folder;
extern const char* const source_folder;  ///< the root of the project

}  // namespace dalembert::testing_support
