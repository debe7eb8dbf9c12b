// Hamel's equations through the command: velocities that the engine chooses and chooses again, frames that do not do,
// restarts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/motion_table.hpp"

namespace {

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::read_csv;
using dalembert::testing_support::run_command;
using dalembert::testing_support::Table;
using testing::HasSubstr;

/// A model file of its own that is gone afterwards.
class TemporaryModel {
 public:
  explicit TemporaryModel(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "dalembert_hamel_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(path()) << text;
  }
  ~TemporaryModel() { std::filesystem::remove_all(folder_); }
  std::string path() const { return file("model.toml"); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

/// The zero-offset sleigh: v0 = 1.5 and w0 = 0.8 stay, so it goes round a circle.
std::string sleigh(const std::string& frame = {}) {
  return R"toml(
name = "knife edge"
[parameters]
m = 2
J = 0.6
[coordinates]
x     = { value = 0, rate = "1.5*cos(0.3)" }
y     = { value = 0, rate = "1.5*sin(0.3)" }
theta = { value = 0.3, rate = 0.8 }
[energy]
kinetic = "m*(x'^2 + y'^2)/2 + J*theta'^2/2"
[constraints]
blade = "-sin(theta)*x' + cos(theta)*y' = 0"
)toml" + frame +
         "\n[simulate]\nuntil = 20\nevery = 0.5\n";
}

void expect_circle(const Table& table) {
  for (const std::vector<double>& row : table.rows) {
    const double angle = 0.3 + 0.8 * row[0], radius = 1.5 / 0.8;
    EXPECT_NEAR(row[table.index("x")], radius * (std::sin(angle) - std::sin(0.3)), 1e-10) << "at t = " << row[0];
    EXPECT_NEAR(row[table.index("y")], radius * (std::cos(0.3) - std::cos(angle)), 1e-10) << "at t = " << row[0];
    EXPECT_NEAR(row[table.index("theta")], angle, 1e-10) << "at t = " << row[0];
    EXPECT_NEAR(row[table.index("reaction(blade)")], 2 * 1.5 * 0.8, 1e-10) << "at t = " << row[0];
    EXPECT_LE(row[table.index("residual")], 1e-13) << "at t = " << row[0];
  }
}

std::size_t choices(const std::string& summary) {
  const std::size_t begin = summary.find("frame chosen again at t = ");
  if (begin == std::string::npos) return 0;
  const std::string line = summary.substr(begin, summary.find('\n', begin) - begin);
  return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

TEST(ChosenFrame, the_sleigh_turning_full_circles_changes_velocities_and_keeps_to_its_closed_form) {
  TemporaryModel model(sleigh());
  CommandResult result = run_command({"simulate", model.path(), "--by", "hamel", "--tolerance", "1e-13"});
  ASSERT_EQ(result.status, 0) << result.err;
  expect_circle(read_csv(result.out));
  EXPECT_GE(choices(result.err), 2u) << result.err;  // two and a half circles
}

TEST(ChosenFrame, a_frame_without_the_constraint_is_completed_by_it) {
  TemporaryModel model(sleigh("[frame]\na = \"x' + 0.2*y'\"\nb = \"y' - 0.1*theta'\"\nc = \"theta' + 0.3*x'\"\n"));
  CommandResult result = run_command({"simulate", model.path(), "--by", "hamel", "--tolerance", "1e-13"});
  ASSERT_EQ(result.status, 0) << result.err;
  Table table = read_csv(result.out);
  expect_circle(table);
  for (const std::vector<double>& row : table.rows)
    EXPECT_NEAR(row[table.index("a")], row[table.index("x'")] + 0.2 * row[table.index("y'")], 1e-14);
}

TEST(ChosenFrame, a_constraint_is_recognised_up_to_scale_and_sign) {
  TemporaryModel model(sleigh(
      "[frame]\nu = \"cos(theta)*x' + sin(theta)*y'\"\nv = \"(2 + sin(theta))*(sin(theta)*x' - cos(theta)*y')\"\n"
      "w = \"3*theta'\"\n"));
  CommandResult result = run_command({"simulate", model.path(), "--by", "hamel", "--tolerance", "1e-13"});
  ASSERT_EQ(result.status, 0) << result.err;
  expect_circle(read_csv(result.out));
  EXPECT_EQ(choices(result.err), 0u);
  CommandResult derived = run_command({"derive", model.path(), "--by", "hamel"});
  EXPECT_THAT(derived.out, HasSubstr("= 0"));
}

TEST(ChosenFrame, a_run_goes_on_from_its_last_row) {
  TemporaryModel model(sleigh());
  CommandResult first = run_command({"simulate", model.path(), "--by", "hamel", "--tolerance", "1e-13", "--until",
                                     "7.5", "-o", model.file("first.csv")});
  ASSERT_EQ(first.status, 0) << first.err;
  CommandResult second = run_command(
      {"simulate", model.path(), "--by", "hamel", "--tolerance", "1e-13", "--from", model.file("first.csv")});
  ASSERT_EQ(second.status, 0) << second.err;
  Table table = read_csv(second.out);
  EXPECT_EQ(table.rows.front()[0], 7.5);
  EXPECT_EQ(table.rows.back()[0], 20);
  expect_circle(table);
}

TEST(UserFrame, that_becomes_singular_ends_the_motion_and_is_named) {
  // forward + sideways/sin(theta): singular where sin(theta) = 0, at theta = pi.
  TemporaryModel model(
      sleigh("[frame]\nforward = \"sin(theta)*(cos(theta)*x' + sin(theta)*y')\"\n"
             "sideways = \"-sin(theta)*x' + cos(theta)*y'\"\nturning = \"theta'\"\n"));
  CommandResult result = run_command({"simulate", model.path(), "--by", "hamel"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("singular"));
  EXPECT_THAT(result.err, HasSubstr("forward"));
  EXPECT_THAT(result.err, HasSubstr("t = 3.55"));  // (pi - 0.3)/0.8 = 3.5520
  Table table = read_csv(result.out);
  EXPECT_NEAR(table.rows.back()[0], 3.5, 1e-12);
}

struct BadFrame {
  const char* label;
  std::string frame;
  const char* message;
};

void PrintTo(const BadFrame& bad, std::ostream* out) { *out << bad.label; }

class BadFrames : public testing::TestWithParam<BadFrame> {};

TEST_P(BadFrames, are_refused_by_name_and_place) {
  TemporaryModel model(sleigh("[frame]\n" + GetParam().frame));
  CommandResult result = run_command({"simulate", model.path(), "--by", "hamel"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr(GetParam().message));
  EXPECT_THAT(result.err, HasSubstr("model.toml:"));
}

INSTANTIATE_TEST_SUITE_P(
    Frames, BadFrames,
    testing::Values(BadFrame{"dependent_everywhere", "a = \"x' + y'\"\nb = \"2*x' + 2*y'\"\nc = \"theta'\"\n",
                             "not invertible"},
                    BadFrame{"dependent_at_the_start", "a = \"x'\"\nb = \"x' + (theta - 0.3)*y'\"\nc = \"theta'\"\n",
                             "at the initial state"},
                    BadFrame{"not_affine", "a = \"x'^2\"\nb = \"y'\"\nc = \"theta'\"\n", "affine"},
                    BadFrame{"too_few", "a = \"x'\"\nb = \"y'\"\n", "the number of quasi-velocities is 2"},
                    BadFrame{"too_many", "a = \"x'\"\nb = \"y'\"\nc = \"theta'\"\nd = \"x' + y'\"\n",
                             "the number of quasi-velocities is 4"}),
    [](const auto& instance) { return instance.param.label; });

}  // namespace
