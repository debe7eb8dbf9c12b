#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/report/report.hpp>
#include <nlohmann/json.hpp>
#include <system_error>

namespace dalembert {
namespace {

using testing::HasSubstr;

TEST(Failure, EveryExceptionHasAStatusAndASentence) {
  EXPECT_EQ(describe_failure(FormulaError({"", {1, 2}, "k", "p", "r"})).status, 2);
  EXPECT_EQ(describe_failure(OutputError({"a.csv", {}, "", "is full", ""})).complaint.file, "a.csv");
  EXPECT_EQ(describe_failure(ComputationError("it stops")).status, 3);
  EXPECT_EQ(describe_failure(std::bad_alloc()).status, 3);
  EXPECT_EQ(write_json(describe_failure(std::system_error(std::make_error_code(std::errc::not_enough_memory)))),
            write_json(describe_failure(std::bad_alloc())));
}

TEST(Failure, AnInternalExceptionIsSaidToBeOurs) {
  for (const Failure& failure :
       {describe_failure(std::out_of_range("vector::_M_range_check")),
        describe_failure(std::runtime_error("native code")), describe_failure(std::exception())}) {
    EXPECT_EQ(failure.status, 4);
    EXPECT_THAT(to_text(failure.complaint), HasSubstr("a fault of dalembert itself, not of the input ("));
    EXPECT_THAT(to_text(failure.complaint), HasSubstr("report it"));
  }
}

TEST(Failure, IsADocumentWithAllParts) {
  nlohmann::json whole =
      nlohmann::json::parse(write_json(Failure{2, {"m.toml", {3, 4}, "a.b", "p\xff", "r"}}))["error"];
  EXPECT_EQ(whole, nlohmann::json({{"status", 2},
                                   {"file", "m.toml"},
                                   {"line", 3},
                                   {"column", 4},
                                   {"key", "a.b"},
                                   {"problem", "p\uFFFD"},
                                   {"remedy", "r"}}));
  nlohmann::json bare = nlohmann::json::parse(write_json(Failure{3, {"", {}, "", "p", ""}}))["error"];
  for (const char* part : {"file", "line", "column", "key", "remedy"}) EXPECT_TRUE(bare[part].is_null()) << part;
}

}  // namespace
}  // namespace dalembert
