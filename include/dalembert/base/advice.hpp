#pragma once
// What a complaint advises, in parts.

#include <dalembert/base/error.hpp>

namespace dalembert {

/// For those who mend by program; empty where the complaint does not say.
struct Advice {
  std::string expected;  ///< a kind of thing, as "a finite number"
  std::string remedy;    ///< what to do, as "write * for a product"
};

/// By the words of all complaints: "expected X" and "where X is expected" tell what was expected. Where nothing else is
/// advised, the remedy is to give that.
Advice find_advice(const Complaint& complaint);

}  // namespace dalembert
