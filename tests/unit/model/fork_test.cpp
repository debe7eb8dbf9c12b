#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/model/fields.hpp>
#include <thread>

// A fork has a graph of its own. That every member is visited is seen to by the compiler (model/fields.hpp); here, that
// what is visited is moved, and moved to the same node.

namespace dalembert {
namespace {

struct Reading {
  std::vector<NodeId> ids;
  std::vector<const Graph*> owners;
  bool foreign = false;
};

Reading read(const Model& model) {
  Reading reading;
  struct {
    Reading& reading;
    const Graph* own;
    void operator()(const Expr& each) const {
      reading.ids.push_back(each.id());
      reading.foreign |= &each.graph() != own;
    }
    void operator()(const std::shared_ptr<Graph>& owner) const { reading.owners.push_back(owner.get()); }
  } visit{reading, model.graph.get()};
  for_each_expr(model, visit);
  return reading;
}

/// Every bundled model, and one that has something in each section.
std::vector<Model> models() {
  std::vector<Model> all;
  for (const ModelFile& file : list_models()) all.push_back(load_model(file.path));
  Description rich = parse_description(
      "gravity = [0, 0, \"-g\"]\n[parameters]\ng = 9.81\nl = \"2*k\"\nk = 1\n[coordinates]\nx = \"l/4\"\n"
      "phi = { value = 0.1, rate = \"k\" }\nz = 1\n[definitions]\nd = \"x*l\"\n[frames.F]\norigin = [\"x\", 0, \"z\"]\n"
      "rotate = [[\"y\", \"phi\"]]\n[points.P]\nframe = \"F\"\nposition = [\"l\", 0, 0]\nmass = \"k\"\n"
      "force = [\"-d\", 0, 0]\n[bodies.B]\nframe = \"F\"\nmass = 1\ninertia = [1, 2, 3]\ntorque = [0, \"-phi'\", 0]\n"
      "[energy]\npotential = \"k*x^2\"\ndissipation = \"x'^2\"\n[forces]\nphi = \"sin(t)\"\n"
      "[constraints]\nfloor = \"position(P).z >= -5\"\nrail = \"z = 1\"\n[frame]\na = \"x' + z*phi'\"\nb = \"phi'\"\n"
      "c = \"z'\"\n[release.l]\nconstraint = \"norm(position(P) - position(F)) - l\"\npoints = [\"P\"]\n"
      "[reduction]\ncoordinates = { s = { value = 0.1, rate = 0.2 } }\nx = \"s\"\nphi = \"s\"\nz = 1\n"
      "[outputs]\nu = \"position(P)\"\nf = \"reaction(rail)\"\n[events]\nfar = { when = \"x - 1\" }\n");
  rich.joint("F");
  all.push_back(make_model(rich));
  return all;
}

TEST(Fork, EveryExpressionIsTheSameNodeOfItsOwnGraph) {
  for (const Model& model : models()) {
    const Model copy = fork(model);
    ASSERT_NE(copy.graph, model.graph);
    const Reading before = read(model), after = read(copy);
    EXPECT_FALSE(before.foreign) << model.name;
    EXPECT_FALSE(after.foreign) << model.name << ": an expression of the fork is in another graph";
    EXPECT_EQ(after.ids, before.ids) << model.name;
    EXPECT_EQ(before.owners.size(), 1 + model.releases.size() + model.joints.size());
    EXPECT_EQ(after.owners, std::vector<const Graph*>(before.owners.size(), copy.graph.get())) << model.name;
  }
}

TEST(Fork, TheOriginalStaysAsItIsWhileTheCopyGrows) {
  for (const Model& model : models()) {
    const std::size_t size = model.graph->size();
    const Reading before = read(model);
    Model copy = fork(model);
    ASSERT_EQ(copy.graph->size(), size);
    for (const Frame& frame : copy.frames)
      for (const Expr& component : frame.velocity) sin(time_derivative(copy, component));
    sin(copy.graph->symbol("only the copy has this"));
    EXPECT_GT(copy.graph->size(), size);
    EXPECT_EQ(model.graph->size(), size) << model.name;
    EXPECT_FALSE(model.graph->find_symbol("only the copy has this"));
    EXPECT_EQ(read(model).ids, before.ids);
  }
}

TEST(Fork, BothBuildTheSameFromTheSameSteps) {
  for (Model& model : models()) {
    Model copy = fork(model);
    for (std::size_t i = 0; i < model.frames.size(); ++i)
      EXPECT_EQ(time_derivative(model, model.frames[i].velocity[0]).id(),
                time_derivative(copy, copy.frames[i].velocity[0]).id())
          << model.name;
  }
}

TEST(Fork, AForkOutlivesItsOriginal) {
  Model copy = [] { return fork(load_model(find_model("models:pendulum"))); }();
  EXPECT_FALSE(parameter_values(copy).empty());
  EXPECT_EQ(initial_state(copy).q.size(), copy.coordinates.size());
}

TEST(Fork, ManyThreadsMayForkOneModelAndDerive) {
  const Model model = load_model("models:double_pendulum");
  const std::size_t size = model.graph->size();
  std::vector<std::size_t> sizes(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    threads.emplace_back([&, i] {
      const Model own = fork(model);
      for (const Point& point : own.points)
        for (const Expr& component : point.velocity) exp(time_derivative(own, component));
      sizes[i] = own.graph->size();
    });
  for (std::thread& each : threads) each.join();
  EXPECT_GT(sizes[0], size);
  EXPECT_EQ(sizes, std::vector<std::size_t>(sizes.size(), sizes[0]));
  EXPECT_EQ(model.graph->size(), size);
}

TEST(ForEachExpr, AVisitorMayReplaceWithoutTouchingWhatIsShared) {
  const Model model = models().back();
  ASSERT_EQ(model.releases.size(), 1);
  Model copy = model;
  Expr zero = model.graph->constant(0);
  for_each_expr(copy, [&](Expr& each) { each = zero; });
  EXPECT_TRUE(copy.releases[0].variation.model->time.is_zero());
  EXPECT_EQ(model.releases[0].variation.model->time, model.time);
}

}  // namespace
}  // namespace dalembert
