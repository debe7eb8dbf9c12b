#pragma once
// Errors with a place and a remedy. No physics here.

#include <stdexcept>
#include <string>

namespace dalembert {

/// Where in a text something was written; line and column count from 1, 0 means unknown.
/// Columns count characters (code points), as editors do.
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Everything that is wrong with an input, in the parts a person needs to mend it.
struct Complaint {
  std::string file;     ///< the file's name, empty for text that came from elsewhere
  Place place;          ///< where in the file (or text)
  std::string key;      ///< the entry, as "constraints.rod"; may be empty
  std::string problem;  ///< what is wrong, in one sentence without a full stop
  std::string remedy;   ///< what was expected or what to do; may be empty
};

/// "FILE:LINE:COLUMN: KEY: PROBLEM; REMEDY"; parts that are empty are left out.
std::string to_text(const Complaint& complaint);

/// The input is wrong: the user's to mend (exit status 2).
class InputError : public std::runtime_error {
 public:
  explicit InputError(Complaint complaint);
  const Complaint& complaint() const { return complaint_; }

 private:
  Complaint complaint_;
};

/// A formula is wrong: its place counts within the formula's own text.
class FormulaError : public InputError {
 public:
  using InputError::InputError;
};

/// A model is wrong: its place counts within the model file.
class ModelError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace dalembert
