// Pictures of a scene, and the list of a gallery.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/report/gallery.hpp>
#include <dalembert/report/picture.hpp>
#include <dalembert/simulate/system.hpp>

#include "report/picture/view.hpp"

using namespace dalembert;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Drawn {
  Trajectory motion;
  std::string picture;
};

Drawn draw_pendulum(const PictureOptions& options) {
  const Model model = load_model(find_model("models:pendulum"));
  Trajectory motion = System(derive_multipliers(model)).simulate({.until = 1.0, .every = 0.1});
  std::string picture = write_picture(make_scene(model, motion), motion, options);
  return {std::move(motion), std::move(picture)};
}

/// The numbers of the last element of a kind.
std::vector<double> numbers_of(const std::string& picture, const std::string& element,
                               std::initializer_list<const char*> names) {
  const std::string text = picture.substr(picture.rfind("<" + element));
  std::vector<double> numbers;
  for (const char* name : names) {
    const std::size_t at = text.find(std::string(" ") + name + "=\"") + std::string(name).size() + 3;
    numbers.push_back(std::stod(text.substr(at)));
  }
  return numbers;
}

TEST(Picture, TheBobHangsAtItsAngleAndTheReactionPointsToThePivot) {
  for (std::size_t row : {0u, 4u, 9u}) {
    const Drawn drawn = draw_pendulum({.times = {0.1 * static_cast<double>(row)}});
    const double theta = drawn.motion.rows[row][1];
    const auto ball = numbers_of(drawn.picture, "circle", {"cx", "cy"});
    const std::string shapes = drawn.picture.substr(0, drawn.picture.rfind("<circle"));
    const auto rod = numbers_of(shapes, "line", {"x1", "y1", "x2", "y2"});
    const double length = std::hypot(rod[2] - rod[0], rod[3] - rod[1]);
    EXPECT_GT(length, 100);
    EXPECT_NEAR(rod[2] - rod[0], length * std::sin(theta), 0.11);  // pixels are written to a tenth
    EXPECT_NEAR(rod[3] - rod[1], length * std::cos(theta), 0.11);
    EXPECT_NEAR(ball[0], rod[2], 0.051);
    EXPECT_NEAR(ball[1], rod[3], 0.051);
    const auto arrow = numbers_of(drawn.picture, "line", {"x1", "y1", "x2", "y2"});
    const double size = std::hypot(arrow[2] - arrow[0], arrow[3] - arrow[1]);
    EXPECT_NEAR((arrow[2] - arrow[0]) / size, -std::sin(theta), 0.01);
    EXPECT_NEAR((arrow[3] - arrow[1]) / size, -std::cos(theta), 0.01);
  }
}

TEST(Picture, LengthsOfArrowsAreInTheRatioOfTheReactions) {
  const auto length_at = [](double time) {
    const auto arrow = numbers_of(draw_pendulum({.times = {time}}).picture, "line", {"x1", "y1", "x2", "y2"});
    return std::hypot(arrow[2] - arrow[0], arrow[3] - arrow[1]);
  };
  const Trajectory motion = draw_pendulum({}).motion;
  const double ratio = motion["reaction(l)"][5] / motion["reaction(l)"][0];
  EXPECT_NEAR(length_at(0.5) / length_at(0), ratio, 0.01 * ratio);
}

/// The places of the arrows' tips, one coordinate after the other.
std::vector<double> tips_of(const std::string& picture) {
  std::vector<double> tips;
  for (std::size_t at = picture.find("<line "); at != std::string::npos; at = picture.find("<line ", at + 1)) {
    const std::string line = picture.substr(at, picture.find("/>", at) - at);
    if (line.find("#tip") == std::string::npos) continue;
    const auto tip = numbers_of(line, "line", {"x2", "y2"});
    tips.insert(tips.end(), tip.begin(), tip.end());
  }
  return tips;
}

TEST(Picture, HoldsItsArrowsAndAMechanismThatGoesFar) {
  const Model model = load_model(find_model("models:whipple_bicycle"));
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 4.0, .every = 0.1});
  const Scene scene = make_scene(model, motion);
  for (const std::vector<double>& times : {std::vector{0.8}, std::vector{0.0, 2.0, 0.8}}) {
    const std::string picture = write_picture(scene, motion, {.times = times});
    const auto sheet = numbers_of(picture.substr(0, picture.find('>')), "svg", {"width", "height"});
    const std::vector<double> tips = tips_of(picture);
    ASSERT_GE(tips.size(), 4u);
    for (std::size_t i = 0; i < tips.size(); ++i)
      EXPECT_TRUE(tips[i] > 0 && tips[i] < sheet[i % 2]) << tips[i] << " of " << sheet[i % 2];
    // The whole way, 18 m, is much wider than high; the bicycle alone is not.
    if (times.size() == 1)
      EXPECT_LT(sheet[0], 1.5 * sheet[1]);
    else
      EXPECT_GT(sheet[0], 1.5 * sheet[1]);
  }
}

TEST(Picture, TimesOutsideOfTheMotionAreRefused) {
  EXPECT_THROW(draw_pendulum({.times = {1.5}}), InputError);
  EXPECT_THROW(draw_pendulum({.times = {-1.0}}), InputError);
  EXPECT_THROW(draw_pendulum({.times = {std::nan("")}}), InputError);
}

TEST(Picture, HullsHoldTheirPointsAndNoMore) {
  const std::vector<Pixel> hull = convex_hull({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.5, 0}});
  EXPECT_EQ(hull.size(), 4u);
  for (const Pixel& corner : hull) EXPECT_TRUE((corner.x == 0 || corner.x == 1) && (corner.y == 0 || corner.y == 1));
}

TEST(Gallery, NamesAreTextAndAddressesAreEscaped) {
  const std::string list = write_gallery({{"<b>", "a & b", "a\"b c.html", ""}});
  EXPECT_THAT(list, HasSubstr("<h2>&lt;b&gt;</h2><p>a &amp; b</p>"));
  EXPECT_THAT(list, HasSubstr("href=\"a%22b%20c.html\""));
  EXPECT_THAT(list, Not(HasSubstr("<b>")));
}

TEST(Picture, ShapesHaveTheirColoursAndSizes) {
  const Model model = make_model(parse_description(
      "[coordinates]\nq = 0.5\n[frames.arm]\nrotate = [[\"z\", \"q\"]]\n[points.P]\nframe = \"arm\"\n"
      "position = [2, 0, 0]\nmass = 1\n"
      "[shapes.a]\nkind = \"sphere\"\nframe = \"arm\"\nat = [1, 0, 0]\nsize = 0.25\ncolour = \"#123456\"\n"
      "[shapes.b]\nkind = \"spring\"\nbetween = [\"world\", \"P\"]\nsize = [0.1, 5]\n"
      "[shapes.c]\nkind = \"line\"\nbetween = [\"world\", \"P\"]\ncolour = \"#abcdef\"\n"
      "[shapes.d]\nkind = \"ground\"\naxis = \"y\"\nat = [0, -1, 0]\n"
      "[shapes.f]\nkind = \"disk\"\nframe = \"arm\"\nsize = 0.2\ncolour = \"#0a0b0c\"\n"));
  const Trajectory motion = System(derive_multipliers(model)).simulate({.until = 0.3, .every = 0.1});
  const std::string picture = write_picture(make_scene(model, motion), motion, {.paths = false});
  for (const char* colour : {"#123456", "#abcdef", "#0a0b0c"}) EXPECT_THAT(picture, HasSubstr(colour));
  const auto line = numbers_of(picture, "line", {"x1", "y1", "x2", "y2"});
  const double scale = std::hypot(line[2] - line[0], line[3] - line[1]) / 2;  // the line is two long
  const std::string ball = picture.substr(0, picture.find("#123456"));
  EXPECT_NEAR(numbers_of(ball, "circle", {"r"})[0], 0.25 * scale, 0.1);
  // Coils: ten corners between the two ends.
  const std::string spring = picture.substr(picture.find("<polyline points=\"") + 18);
  EXPECT_EQ(std::ranges::count(spring.substr(0, spring.find('"')), ','), 12);
}

}  // namespace
