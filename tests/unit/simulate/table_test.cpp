// Tables of numbers, and what a system says to arguments that make no sense.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

TEST(Table, ColumnsAreContiguousHoweverItGrew) {
  Table table(3);
  EXPECT_TRUE(table.empty());
  for (int i = 0; i < 1000; ++i) table.add(std::vector<double>{double(i), 2.0 * i, -1.0 * i});
  ASSERT_EQ(table.size(), 1000u);
  const std::span<const double> second = table.column(1);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(second[i], 2.0 * static_cast<double>(i));
    EXPECT_EQ(table[i][1], second[i]);
  }
  EXPECT_EQ(table.data().get(), table.column(0).data());
  double sum = 0;
  for (const Table::Row row : table) sum += row[0] + row[2];
  EXPECT_EQ(sum, 0);
}

TEST(Table, ReservedRoomIsNotLeft) {
  Table table(2);
  table.reserve(100);
  const double* first = table.data().get();
  for (int i = 0; i < 100; ++i) table.add(std::vector<double>{1, 2});
  EXPECT_EQ(table.data().get(), first);
  table.add(std::vector<double>{3, 4});
  EXPECT_NE(table.data().get(), first);
  EXPECT_THAT(static_cast<std::vector<double>>(table.back()), ElementsAre(3, 4));
}

TEST(Table, CopiesShareUntilOneIsWrittenTo) {
  Table a{{1, 2}, {3, 4}};
  Table b = a;
  EXPECT_EQ(a.data(), b.data());
  b.set(0, 1, 20);
  EXPECT_NE(a.data(), b.data());
  EXPECT_THAT(copy(a.column(1)), ElementsAre(2, 4));
  EXPECT_THAT(copy(b.column(1)), ElementsAre(20, 4));
  Table c = a;
  c.add(std::vector<double>{5, 6});
  EXPECT_EQ(a.size(), 2u);
  EXPECT_THAT(copy(c.column(0)), ElementsAre(1, 3, 5));
  EXPECT_THAT(copy(a.column(0)), ElementsAre(1, 3));
}

TEST(Table, PicksColumnsInAnyOrder) {
  const Table table{{1, 2, 3}, {4, 5, 6}};
  const std::vector<std::size_t> places{2, 0, 2};
  const Table picked = table.pick(places);
  EXPECT_EQ(picked.column_count(), 3u);
  EXPECT_THAT(copy(picked.column(0)), ElementsAre(3, 6));
  EXPECT_THAT(copy(picked.column(1)), ElementsAre(1, 4));
  EXPECT_THAT(copy(picked.column(2)), ElementsAre(3, 6));
  EXPECT_TRUE(Table(3).pick(places).empty());
}

TEST(Table, RefusesWrongSizes) {
  Table table{{1, 2}};
  EXPECT_THROW(table.add(std::vector<double>{1}), InputError);
  EXPECT_THROW(table.add(std::vector<double>{1, 2, 3}), InputError);
  EXPECT_THROW(table.set(1, 0, 0), InputError);
  EXPECT_THROW(table.set(0, 2, 0), InputError);
  EXPECT_THROW((Table{{1, 2}, {3}}), InputError);
  EXPECT_EQ(table.size(), 1u);
}

/// What the complaint about a wrong argument says.
template <class Ask>
std::string complaint(Ask&& ask) {
  try {
    ask();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

class SystemArguments : public testing::Test {
 protected:
  const System system = System(derive_multipliers(load_model("models:rolling_disk_tilted")));
};

TEST_F(SystemArguments, AWorkspaceOfAnotherSystemIsRefused) {
  const System other(derive_multipliers(load_model("models:rolling_disk_tilted")));
  Workspace workspace = other.make_workspace();
  EXPECT_THAT(complaint([&] { system.simulate(workspace, {}); }), HasSubstr("belongs to another system"));
  Workspace own = system.make_workspace();
  const Workspace taken = std::move(own);
  EXPECT_THAT(complaint([&] { system.simulate(own, {}); }), HasSubstr("belongs to another system"));
}

TEST_F(SystemArguments, ACopyOfASystemIsTheSameSystem) {
  Workspace workspace = system.make_workspace();
  const System copied = system;
  EXPECT_EQ(copied.initial_state(workspace).q, system.initial_state(workspace).q);
}

TEST_F(SystemArguments, AShortStateIsRefused) {
  const State whole = system.initial_state();
  State shorter = whole;
  shorter.u.pop_back();
  EXPECT_THROW(system.evaluate_motion(shorter), InputError);
  shorter = whole;
  shorter.q.pop_back();
  EXPECT_THROW(system.evaluate_row(shorter), InputError);
  shorter = whole;
  shorter.q.push_back(0);
  SimulateOptions options;
  options.start = shorter;
  EXPECT_THROW(system.simulate(options), InputError);
}

TEST_F(SystemArguments, AnUnknownNameIsRefusedWithTheNearest) {
  EXPECT_THAT(complaint([&] {
                static_cast<void>(system.make_workspace({{"Ib", 1}}));
              }),
              testing::AllOf(HasSubstr("Ib"), HasSubstr("did you mean")));
  EXPECT_THAT(complaint([&] { static_cast<void>(system.initial_state({{"thet", 1}})); }), HasSubstr("theta"));
  const Trajectory run = system.simulate({.until = 0.01});
  EXPECT_THAT(complaint([&] { static_cast<void>(run["reaction(alon)"]); }), HasSubstr("reaction(along)"));
}

TEST_F(SystemArguments, AParameterThatHasShapedTheEquationsIsRefused) {
  const System linkage(derive_multipliers(load_model("models:iftomm_A02_fourbar")));
  EXPECT_THAT(complaint([&] { static_cast<void>(linkage.make_workspace({{"N", 3}})); }), HasSubstr("N"));
}

TEST_F(SystemArguments, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THROW(system.simulate({.until = -1}), InputError);
  EXPECT_THROW(system.simulate({.every = 0}), InputError);
  EXPECT_THROW(system.simulate({.tolerance = 1}), InputError);
  EXPECT_THROW(system.simulate({.method = "euler"}), InputError);
}

// Whoever is refused goes on with the parameters that were there.
TEST_F(SystemArguments, ARefusalLeavesTheWorkspaceAsItWas) {
  Workspace workspace = system.make_workspace({{"m", 5}});
  EXPECT_THROW(system.set_parameters(workspace, {{"m", 7}, {"nowhere", 1}}), InputError);
  EXPECT_EQ(workspace.parameters()[0], 5);
}

}  // namespace
}  // namespace dalembert
