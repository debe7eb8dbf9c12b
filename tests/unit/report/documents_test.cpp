#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <dalembert/report/sweep.hpp>
#include <nlohmann/json.hpp>

#include "sample.hpp"

using namespace dalembert;

TEST(Json, HasTheShapeOfTheContractAndNullForAbsentValues) {
  Trajectory trajectory = sample_trajectory();
  trajectory.rows.set(0, 4, INFINITY);
  nlohmann::json document = nlohmann::json::parse(write_json(trajectory));
  EXPECT_EQ(document["columns"], nlohmann::json(trajectory.columns));
  EXPECT_EQ(document["status"], "singular");
  EXPECT_EQ(document["message"], trajectory.message);
  EXPECT_TRUE(document["rows"][0][3].is_null());
  EXPECT_TRUE(document["rows"][0][4].is_null());
  EXPECT_EQ(document["rows"][0][2].get<double>(), -1.0 / 3);
  EXPECT_EQ(document["rows"][1][1].get<double>(), 5e-324);
  EXPECT_EQ(document["events"][0]["name"], "lift");
  EXPECT_EQ(document["events"][0]["kind"], "stop");
  EXPECT_EQ(document["events"][0]["t"], 0.1);
  EXPECT_TRUE(document["events"][0]["state"][3].is_null());
  EXPECT_EQ(document["statistics"]["steps"], 3);
  EXPECT_EQ(document["statistics"]["evaluations"], 40);
  EXPECT_EQ(document["statistics"]["seconds"], 0.25);
}

TEST(Json, TextThatIsNotUtf8DoesNotBreakTheDocument) {
  Trajectory trajectory = sample_trajectory();
  trajectory.message = "\xFF";
  EXPECT_NO_THROW(nlohmann::json::parse(write_json(trajectory)));
}

namespace {

/// Opens a file's bytes with the library, as another program would.
class Hdf5 : public testing::Test {
 protected:
  void open(const std::string& bytes) {
    access_ = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access_, 1 << 16, 0);
    std::string copy = bytes;
    ASSERT_GE(H5Pset_file_image(access_, copy.data(), copy.size()), 0);
    file_ = H5Fopen("image", H5F_ACC_RDONLY, access_);
    ASSERT_GE(file_, 0);
  }
  void TearDown() override {
    H5Fclose(file_);
    H5Pclose(access_);
  }

  std::vector<hsize_t> extent(const char* name) {
    hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return sizes;
  }
  std::vector<double> numbers(const char* name) {
    std::size_t count = 1;
    for (hsize_t size : extent(name)) count *= size;
    std::vector<double> values(count);
    hid_t set = H5Dopen2(file_, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(set);
    return values;
  }
  std::vector<std::string> texts(const char* name) {
    hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), type = H5Dget_type(set);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
    std::size_t size = H5Tget_size(type), count = extent(name)[0];
    std::string flat(size * count, '\0');
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, flat.data()), 0);
    H5Tclose(type);
    H5Dclose(set);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i) result.emplace_back(flat.substr(i * size, size).c_str());
    return result;
  }
  std::string text_attribute(const char* name) {
    hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    std::string value(H5Tget_size(type), '\0');
    EXPECT_GE(H5Aread(attribute, type, value.data()), 0);
    H5Tclose(type);
    H5Aclose(attribute);
    return value;
  }

  hid_t access_ = -1, file_ = -1;
};

}  // namespace

TEST_F(Hdf5, RowsColumnsEventsAndEndingReadBack) {
  Trajectory trajectory = sample_trajectory();
  open(write_hdf5(trajectory, "Pendulum"));
  EXPECT_EQ(texts("columns"), trajectory.columns);
  EXPECT_EQ(extent("rows"), (std::vector<hsize_t>{2, 5}));
  std::vector<double> values = numbers("rows");
  EXPECT_TRUE(std::isnan(values[3]));
  EXPECT_EQ(values[2], -1.0 / 3);
  EXPECT_EQ(values[6], 5e-324);
  EXPECT_EQ(texts("events/name"), std::vector<std::string>{"lift"});
  EXPECT_EQ(texts("events/kind"), std::vector<std::string>{"stop"});
  EXPECT_EQ(numbers("events/t"), std::vector<double>{0.1});
  EXPECT_EQ(extent("events/state"), (std::vector<hsize_t>{1, 5}));
  EXPECT_EQ(text_attribute("status"), "singular");
  EXPECT_EQ(text_attribute("message"), trajectory.message);
  EXPECT_EQ(text_attribute("name"), "Pendulum");
}

TEST_F(Hdf5, TablesOfASweepReadBackAGroupEach) {
  SweepResult result;
  result.tables = {{"runs", {"run", "A"}, {"status", "message"}, {0, 0.5, 1, NAN}, {"finished", "", "singular", "why"}},
                   {"section", {"run", "A", "t"}, {}, {}, {}}};
  open(write_hdf5(result, "Pendulum"));
  EXPECT_EQ(texts("runs/columns"), result.tables[0].columns);
  EXPECT_EQ(extent("runs/rows"), (std::vector<hsize_t>{2, 2}));
  EXPECT_EQ(numbers("runs/rows")[1], 0.5);
  EXPECT_TRUE(std::isnan(numbers("runs/rows")[3]));
  EXPECT_EQ(texts("runs/status"), (std::vector<std::string>{"finished", "singular"}));
  EXPECT_EQ(texts("runs/message"), (std::vector<std::string>{"", "why"}));
  EXPECT_EQ(extent("section/rows"), (std::vector<hsize_t>{0, 3}));
  EXPECT_EQ(text_attribute("name"), "Pendulum");
}

TEST_F(Hdf5, ThousandsOfColumnsAndNoRowsAreAFileToo) {
  Trajectory trajectory;
  for (int i = 0; i < 5000; ++i) trajectory.columns.push_back("reaction(link" + std::to_string(i) + ")");
  open(write_hdf5(trajectory));
  EXPECT_EQ(texts("columns"), trajectory.columns);
  EXPECT_EQ(extent("rows"), (std::vector<hsize_t>{0, 5000}));
  EXPECT_EQ(extent("events/t"), std::vector<hsize_t>{0});
}

TEST(Summary, SaysHowItEndedAndWhatStayedConstant) {
  Trajectory trajectory = sample_trajectory();
  trajectory.summary.largest_kinetic = 2;
  trajectory.summary.balance = {"balance", 1, 4e-12};
  trajectory.summary.integrals = {{"momentum of φ", 2.5, 1e-13}};
  trajectory.summary.largest_residual = 3e-15;
  trajectory.error = {0, 1e-9, 3e-9, 0, 0};
  std::string text = write_summary(trajectory);
  EXPECT_THAT(text, testing::HasSubstr("singular: the constraint rod loses rank at t = 0.1"));
  EXPECT_THAT(text, testing::ContainsRegex("energy balance +2e-12"));  // relative to the largest kinetic energy
  EXPECT_THAT(text, testing::ContainsRegex("momentum of φ +1e-13 +largest change from 2.5"));
  EXPECT_THAT(text, testing::ContainsRegex("residual +3e-15"));
  EXPECT_THAT(text, testing::HasSubstr("3e-09 of its size in column θ'"));
  EXPECT_THAT(text, testing::ContainsRegex("lift +t = 0.1 +stop"));
}
