#include <dalembert/base/advice.hpp>

namespace dalembert {

Advice find_advice(const Complaint& complaint) {
  const std::string mark = "expected ", where = " where ";
  const std::string &problem = complaint.problem, &remedy = complaint.remedy;
  if (remedy.starts_with(mark)) {
    const std::string expected = remedy.substr(mark.size());
    return {expected, "give " + expected};
  }
  if (problem.starts_with(mark)) return {problem.substr(mark.size(), problem.find(", found") - mark.size()), remedy};
  for (const char* verb : {" is expected", " was expected"}) {
    const std::size_t end = problem.find(verb), begin = problem.rfind(where, end);
    if (end != std::string::npos && begin != std::string::npos)
      return {problem.substr(begin + where.size(), end - begin - where.size()), remedy};
  }
  return {"", remedy};
}

}  // namespace dalembert
