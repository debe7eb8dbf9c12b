#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>

// Every way to write a wrong model is answered with the place, the key, what is wrong and what was expected.

namespace dalembert {
namespace {

std::string complaint_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    make_model(parse_description(text, "m.toml"), overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

struct Wrong {
  const char* text;
  const char* message;
};

void expect(std::initializer_list<Wrong> cases) {
  for (const Wrong& wrong : cases) EXPECT_EQ(complaint_of(wrong.text), wrong.message) << wrong.text;
}

TEST(ModelErrors, TomlThatCannotBeRead) {
  expect({
      {"[coordinates]\nx = \n",
       "m.toml:2:5: Error while parsing key-value pair: expected value, saw '\\n'; expected a TOML file"},
      {"[coordinates]\nx = 0\nx = 1\n",
       "m.toml:3:5: Error while parsing key-value pair: cannot redefine existing integer 'x'; expected a TOML file"},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g.h = 1\n",
       "m.toml:1:64: a key has more than 32 parts (limit `key_depth`); model files need two, as in [points.P]"},
      {"", "m.toml:1:1: coordinates: the model has no coordinates; write [coordinates] with at least one"},
  });
}

TEST(ModelErrors, UnknownKeys) {
  expect({
      {"[coordinate]\nx = 0\n", "m.toml:1:2: coordinate: unknown key; did you mean 'coordinates'?"},
      {"colour = 1\n",
       "m.toml:1:1: colour: unknown key; expected one of name, about, gravity, repeat, parameters, coordinates, "
       "definitions, frames, points, bodies, energy, forces, constraints, initial, frame, release, reduction, outputs, "
       "events, simulate, inputs, shapes, steady, inverse, periodic"},
      {"[coordinates]\nx = { valeu = 0 }\n", "m.toml:2:7: coordinates.x.valeu: unknown key; did you mean 'value'?"},
      {"[points.P]\npositon = [0, 0, 0]\n", "m.toml:2:1: points.P.positon: unknown key; did you mean 'position'?"},
      {"[bodies.B]\ncenter = [0, 0, 0]\n", "m.toml:2:1: bodies.B.center: unknown key; did you mean 'centre'?"},
      {"[frames.F]\nrotation = 1\n",
       "m.toml:2:1: frames.F.rotation: unknown key; expected one of parent, origin, rotate"},
      {"[energy]\nkinetik = \"1\"\n", "m.toml:2:1: energy.kinetik: unknown key; did you mean 'kinetic'?"},
      {"[simulate]\ntill = 3\n",
       "m.toml:2:1: simulate.till: unknown key; expected one of until, every, tolerance, principle, multipliers"},
      {"[constraints]\nc = { relation = \"x = 0\", restituton = 1 }\n",
       "m.toml:2:27: constraints.c.restituton: unknown key; did you mean 'restitution'?"},
      {"[release.l]\npoint = []\n", "m.toml:2:1: release.l.point: unknown key; did you mean 'points'?"},
      {"[events]\ne = { when = \"x\", then = 1 }\n", "m.toml:2:19: events.e.then: unknown key; did you mean 'when'?"},
  });
}

TEST(ModelErrors, WrongTypes) {
  expect({
      {"name = 3\n", "m.toml:1:8: name: expected a text in quotes, found a number"},
      {"coordinates = 3\n", "m.toml:1:15: coordinates: expected a table, found a number"},
      {"[[points]]\n", "m.toml:1:1: points: expected a table, found a list"},
      {"[parameters]\nl = true\n",
       "m.toml:2:5: parameters.l: expected a number, a formula in quotes or { value, positive }, found true or false"},
      {"[parameters]\nl = inf\n", "m.toml:2:5: parameters.l: a number that is not finite; write a finite number"},
      {"[coordinates]\nx = [1, 2]\n",
       "m.toml:2:5: coordinates.x: expected a number, a formula in quotes or { value, rate }, { guess }, found a list"},
      {"[coordinates]\nx = { guess = \"1 +* 2\" }\n",
       "m.toml:2:19: coordinates.x.guess: expected a value, found '*'; write a number, a name, a function, ( or ["},
      {"[points]\nP = 3\n", "m.toml:2:5: points.P: expected a table, found a number"},
      {"[points.P]\nposition = [1, 2]\n", "m.toml:2:12: points.P.position: a list of 2; expected three components"},
      {"[points.P]\nposition = { x = 1 }\n",
       "m.toml:2:12: points.P.position: expected a number, a formula in quotes or a list of three, found a table"},
      {"[points.P]\nframe = 3\n", "m.toml:2:9: points.P.frame: expected a text in quotes, found a number"},
      {"[frames.F]\nrotate = [\"z\", \"a\"]\n",
       "m.toml:2:11: frames.F.rotate: expected a list of rotations, as [[\"z\", \"theta\"]], found a text"},
      {"[frames.F]\nrotate = \"z\"\n",
       "m.toml:2:10: frames.F.rotate: expected a list of rotations, as [[\"z\", \"theta\"]], found a text"},
      {"[bodies.B]\ninertia = [1, 2, 3, 4]\n",
       "m.toml:2:11: bodies.B.inertia: a list of 4; expected xx yy zz, or xx yy zz xy yz zx"},
      {"[constraints]\nc = 3\n",
       "m.toml:2:5: constraints.c: expected a relation in quotes or { relation, restitution }, found a number"},
      {"[constraints]\nc = { restitution = 1 }\n",
       "m.toml:2:5: constraints.c: no relation is given; write { relation = \"z >= 0\", restitution = 0.8 }"},
      {"[events]\ne = 1\n",
       "m.toml:2:5: events.e: expected a formula in quotes or { when, direction, action }, found a number"},
      {"[events]\ne = { action = \"stop\" }\n", "m.toml:2:5: events.e: no formula is given; write { when = \"...\" }"},
      {"[repeat]\nk = 3\n", "m.toml:2:5: repeat.k: expected a text in quotes, found a number"},
      {"[repeat]\nk = \"3\"\n", "m.toml:2:6: repeat.k: not a range; write it as \"1..N\""},
      {"[reduction]\nx = 1\n", "m.toml:1:1: reduction: no coordinates are given; write coordinates = { s = 0 }"},
      {"[release.l]\npoints = \"A\"\n", "m.toml:2:10: release.l.points: expected a list of names, found a text"},
  });
}

TEST(ModelErrors, NamesThatClash) {
  expect({
      {"[parameters]\nx = 1\n[coordinates]\nx = 0\n",
       "m.toml:4:1: coordinates.x: the name 'x' is already that of the parameter at line 2; use another name"},
      {"[coordinates]\nx = 0\n[definitions]\nx = 1\n",
       "m.toml:4:1: definitions.x: the name 'x' is already that of the coordinate at line 2; use another name"},
      {"[coordinates]\nx = 0\n[outputs]\nx = 1\n",
       "m.toml:4:1: outputs.x: the name 'x' is already that of the coordinate at line 2; use another name"},
      {"[coordinates]\nx = 0\n[frame]\nx = \"x'\"\n",
       "m.toml:4:1: frame.x: the name 'x' is already that of the coordinate at line 2; use another name"},
      {"[coordinates]\nx = 0\n[reduction]\ncoordinates = { x = 0 }\nx = 1\n",
       "m.toml:4:17: reduction.coordinates.x: the name 'x' is already that of the coordinate at line 2; use another "
       "name"},
      {"[parameters]\npi = 3\n", "m.toml:2:1: parameters.pi: the name 'pi' is reserved; use another name"},
      {"[coordinates]\nt = 3\n", "m.toml:2:1: coordinates.t: the name 't' is reserved; use another name"},
      {"[outputs]\nenergy = 3\n", "m.toml:2:1: outputs.energy: the name 'energy' is reserved; use another name"},
      {"[outputs]\nresidual = 3\n", "m.toml:2:1: outputs.residual: the name 'residual' is reserved; use another name"},
      {"[parameters]\nsin = 3\n", "m.toml:2:1: parameters.sin: the name 'sin' is reserved; use another name"},
      {"[parameters]\nvelocity = 3\n",
       "m.toml:2:1: parameters.velocity: the name 'velocity' is reserved; use another name"},
      {"[parameters]\n\"2x\" = 3\n",
       "m.toml:2:2: parameters.2x: '2x' is not a name; names are letters, digits and _, and begin with a letter"},
      {"[parameters]\n\"a b\" = 3\n",
       "m.toml:2:2: parameters.a b: 'a b' is not a name; names are letters, digits and _, and begin with a letter"},
      {"[coordinates]\nx = 0\n[frames.A]\n[points.A]\n",
       "m.toml:4:9: points.A: the name 'A' is already that of the frame at line 3; use another name"},
      {"[coordinates]\nx = 0\n[frames.A]\n[frames.B]\n[bodies.A]\nframe = \"B\"\nmass = 1\n",
       "m.toml:5:9: bodies.A: the name 'A' is already that of the frame at line 3; a body may have the name of the "
       "frame that it uses only"},
      {"[coordinates]\nx = 0\n[frames.world]\n",
       "m.toml:3:9: frames.world: the name 'world' is already that of the frame; use another name"},
      {"[parameters]\nl = 1\n[coordinates]\nx = 0\n[constraints]\nl = \"x = l\"\n[release.l]\n",
       "m.toml:7:10: release.l: the name 'l' is already that of the constraint at line 6; use another name"},
      {"[repeat]\nk = \"1..2\"\n[coordinates]\n\"x{k}\" = 0\nx2 = 0\n",
       "m.toml:5:1: coordinates.x2: the name 'x2' is already that of the coordinate at line 4; use another name"},
  });
}

TEST(ModelErrors, UnknownNames) {
  expect({
      {"[coordinates]\ntheta = 0\n[energy]\npotential = \"cos(thata)\"\n",
       "m.toml:4:18: energy.potential: unknown name 'thata'; did you mean 'theta'?"},
      {"[coordinates]\nx = 0\n[energy]\npotential = \"3 + height\"\n",
       "m.toml:4:18: energy.potential: unknown name 'height'; define it, or correct the name"},
      {"[coordinates]\nx = 0\n[energy]\npotential = \"sine(x)\"\n",
       "m.toml:4:14: energy.potential: unknown function 'sine'; did you mean 'sin'?"},
      {"[coordinates]\nx = 0\n[forces]\ny = 1\n",
       "m.toml:4:1: forces.y: there is no coordinate 'y'; expected the name of a coordinate"},
      {"[coordinates]\nx = 0\n[points.P]\nframe = \"wrold\"\n",
       "m.toml:4:10: points.P.frame: there is no frame 'wrold'; did you mean 'world'?"},
      {"[coordinates]\nx = 0\n[points.tip]\n[outputs]\nh = \"position(tap).z\"\n",
       "m.toml:5:15: outputs.h: there is no point, body or frame 'tap'; did you mean 'tip'?"},
      {"[coordinates]\nx = 0\n[points.tip]\n[outputs]\nh = \"tip\"\n",
       "m.toml:5:6: outputs.h: 'tip' is a frame, body or point and not a quantity; write position(tip)"},
      {"[coordinates]\nx = 0\n[constraints]\nrod = \"x = 0\"\n[outputs]\nh = \"reaction(rot)\"\n",
       "m.toml:6:15: outputs.h: there is no constraint or release 'rot'; did you mean 'rod'?"},
      {"[coordinates]\nx = 0\n[frames.F]\nrotate = [[\"quaternion\", \"x\", \"y\", \"z\", \"w\"]]\n",
       "m.toml:4:32: frames.F.rotate: there is no coordinate 'y'; expected the name of a coordinate"},
      {"[coordinates]\nx = 0\n[frames.F]\nrotate = [[\"w\", \"x\"]]\n",
       "m.toml:4:13: frames.F.rotate: 'w' is not a rotation; write [\"x\", angle], [\"y\", angle], [\"z\", angle] or "
       "[\"quaternion\", e0, e1, e2, e3]"},
      {"[parameters]\nl = 1\n[coordinates]\nx = 0\n[release.k]\n",
       "m.toml:5:10: release.k: unknown name 'k'; this model has no constants that can be released"},
      {"[parameters]\nl = 1\n[coordinates]\nx = 0\n[points.A]\n[release.l]\npoints = [\"B\"]\n",
       "m.toml:7:12: release.l.points: there is no point 'B'; expected the name of a point"},
      {"[coordinates]\nx = 0\n[simulate]\nprinciple = \"dalambert\"\n",
       "m.toml:4:14: simulate.principle: 'dalambert' is not a principle; did you mean \"dalembert\"?"},
      {"[coordinates]\nx = 0\n[constraints]\nblade = \"x' = 0\"\n[simulate]\nmultipliers = { blad = 1 }\n",
       "m.toml:6:17: simulate.multipliers.blad: there is no constraint 'blad'; did you mean 'blade'?"},
      {"[coordinates]\nx = 0\n[events]\ne = { when = \"x\", direction = \"up\" }\n",
       "m.toml:4:32: events.e.direction: 'up' is not a direction; expected \"rising\", \"falling\" or \"either\""},
      {"[coordinates]\nx = 0\n[events]\ne = { when = \"x\", action = \"halt\" }\n",
       "m.toml:4:29: events.e.action: 'halt' is not an action; expected \"stop\" or \"record\""},
      {"[coordinates]\nx = 0\n[energy]\npotential = \"residual\"\n",
       "m.toml:4:14: energy.potential: residual is a column of the results; formulas cannot use it"},
  });
  EXPECT_EQ(complaint_of("[parameters]\nlength = 1\n[coordinates]\nx = 0\n", {{"lenght", "2"}}),
            "m.toml: --set lenght: there is no parameter or coordinate 'lenght'; did you mean 'length'?");
  EXPECT_EQ(complaint_of("[parameters]\nlength = 1\n[coordinates]\nx = 0\n", {{"length'", "2"}}),
            "m.toml: --set length': there is no parameter or coordinate 'length'; expected a parameter, a coordinate "
            "or a coordinate's rate such as q'");
  EXPECT_EQ(complaint_of("[parameters]\nlength = 1\n[coordinates]\nx = 0\n", {{"length", "2 +"}}),
            "m.toml: --set length: expected a value, found the end of the formula; write a number, a name, a function, "
            "( or [");
}

TEST(ModelErrors, CyclicDefinitions) {
  expect({
      {"[coordinates]\nx = 0\n[definitions]\na = \"b + 1\"\nb = \"2*c\"\nc = \"a\"\n",
       "m.toml:4:1: definitions.a: it is defined by itself: a -> b -> c -> a; break the cycle"},
      {"[parameters]\na = \"b\"\nb = \"a\"\n[coordinates]\nx = 0\n",
       "m.toml:2:1: parameters.a: it is defined by itself: a -> b -> a; break the cycle"},
      {"[coordinates]\nx = 0\n[frames.A]\nparent = \"B\"\n[frames.B]\nparent = \"A\"\n",
       "m.toml:3:9: frames.A: it is defined by itself: A -> B -> A; break the cycle"},
      {"[coordinates]\nx = 0\n[points.P]\nposition = \"2*position(Q)\"\n[points.Q]\nposition = \"position(P)\"\n",
       "m.toml:3:9: points.P: it is defined by itself: P -> Q -> P; break the cycle"},
      {"[coordinates]\nx = 0\n[outputs]\na = \"a + 1\"\n",
       "m.toml:4:1: outputs.a: it is defined by itself: a -> a; break the cycle"},
  });
}

TEST(ModelErrors, WhatMayAppearWhere) {
  expect({
      {"[coordinates]\nx = \"x\"\n",
       "m.toml:2:6: coordinates.x.value: it depends on x; expected a formula of parameters"},
      {"[parameters]\nl = \"t\"\n[coordinates]\nx = 0\n",
       "m.toml:2:6: parameters.l: it depends on t; expected a formula of parameters"},
      {"[coordinates]\nx = 0\n[points.P]\nposition = [\"x'\", 0, 0]\n",
       "m.toml:4:14: points.P.position: it depends on x'; expected a formula of t, coordinates and parameters"},
      {"[coordinates]\nx = 0\n[points.P]\nmass = \"x\"\n",
       "m.toml:4:9: points.P.mass: it depends on x; expected a formula of parameters"},
      {"[coordinates]\nx = 0\n[frames.F]\n[bodies.F]\nframe = \"F\"\nmass = 1\ninertia = [\"t\", 0, 0]\n",
       "m.toml:7:13: bodies.F.inertia: it depends on t; expected a formula of parameters"},
      {"[coordinates]\nx = 0\n[energy]\nkinetic = \"x''^2\"\n",
       "m.toml:4:12: energy.kinetic: it depends on x''; accelerations may appear in [outputs] and [events] only"},
      {"[coordinates]\nx = 0\n[energy]\npotential = \"x'\"\n",
       "m.toml:4:14: energy.potential: it depends on x'; expected a formula of t, coordinates and parameters; a "
       "potential with rates belongs in lagrangian"},
      {"[coordinates]\nx = 0\n[forces]\nx = \"x''\"\n",
       "m.toml:4:6: forces.x: it depends on x''; accelerations may appear in [outputs] and [events] only"},
      {"[coordinates]\nx = 0\n[forces]\nx = \"energy\"\n",
       "m.toml:4:6: forces.x: energy may appear in [outputs] and [events] only; write the formula itself"},
      {"[coordinates]\nx = 0\n[forces]\nx = \"reaction(c)\"\n",
       "m.toml:4:6: forces.x: reaction may appear in [outputs] and [events] only; constraints and forces do not know "
       "reactions"},
      {"[coordinates]\nx = 0\n[frame]\nu = \"x'\"\n[forces]\nx = \"u\"\n",
       "m.toml:6:6: forces.x: 'u' may appear in [outputs] and [events] only; write the formula itself, or make it a "
       "definition"},
      {"[coordinates]\nx = 0\ny = 0\n[reduction]\ncoordinates = { s = 0 }\nx = \"s\"\ny = \"x\"\n",
       "m.toml:7:6: reduction.y: it depends on x; expected a formula of t, parameters and the coordinates of "
       "[reduction]"},
      {"[coordinates]\nx = 0\ny = 0\n[reduction]\ncoordinates = { s = 0 }\nx = \"s\"\n",
       "m.toml:4:1: reduction: it says nothing about 'y'; give every coordinate in terms of those of [reduction]"},
      {"[coordinates]\nx = 0\n[reduction]\ncoordinates = { s = 0 }\nx = \"s\"\n",
       "m.toml:3:1: reduction: 1 coordinates, and the model has 1; a reduction has fewer"},
      {"[coordinates]\nx = 0\ny = 0\n[forces]\nx = \"s\"\n[reduction]\ncoordinates = { s = 0 }\nx = \"s\"\ny = \"s\"\n",
       "m.toml:5:6: forces.x: it depends on s, a coordinate of [reduction]; those may appear in [reduction] only"},
      {"[parameters]\nl = 1\n[coordinates]\nx = 0\n[forces]\nx = \"l'\"\n",
       "m.toml:6:6: forces.x: the parameter l is constant; remove the prime, or release it by [release.l]"},
      {"gravity = [0, 0, \"x\"]\n[coordinates]\nx = 0\n",
       "m.toml:1:12: gravity: it depends on x; expected a formula of parameters and t"},
      {"[coordinates]\nx = 0\n[simulate]\nuntil = \"x\"\n",
       "m.toml:4:10: simulate.until: it depends on x; expected a formula of parameters"},
      {"[coordinates]\nx = 0\n[simulate]\nevery = 0\n",
       "m.toml:4:9: simulate.every: 0 is not positive; expected a positive number"},
      {"[coordinates]\nx = 0\n[points.P]\nposition = \"x\"\n",
       "m.toml:4:13: points.P.position: a number where a vector is expected; write three components, as [\"x\", \"y\", "
       "0]"},
      {"[coordinates]\nx = 0\n[energy]\npotential = \"[x, 0, 0]\"\n",
       "m.toml:4:14: energy.potential: a vector where a number is expected; take a component (.x, .y, .z) or "
       "norm(...)"},
      {"[coordinates]\nx = \"log(0)\"\n",
       "m.toml:2:6: coordinates.x.value: its value is not finite; expected a finite number"},
      {"[coordinates]\nx = 0\n[bodies.B]\nmass = 1\n",
       "m.toml:3:9: bodies.B: a body needs a frame; write frame = \"...\""},
      {"[coordinates]\nx = 0\n[bodies.B]\nframe = \"world\"\n",
       "m.toml:3:9: bodies.B.mass: a body needs a mass; write mass = \"...\""},
  });
}

TEST(ModelErrors, Constraints) {
  expect({
      {"[coordinates]\nx = 0\ny = 0\n[constraints]\nc = \"x'^2 + y' = 0\"\n",
       "m.toml:5:6: constraints.c: it is not affine in the rate x'; rates may appear linearly only"},
      // atan(x) is asin(x/sqrt(x^2 + 1)), which no relation of their atoms says: not denied, said to be undecided.
      {"[coordinates]\nx = 0\ny = 0\n[constraints]\nc = \"x'^2*(atan(x) - asin(x/sqrt(x^2 + 1))) + y' = 0\"\n",
       "m.toml:5:6: constraints.c: whether it is affine in the rate x' was not decided; write it so that rates appear "
       "linearly, with the factors of each collected"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"x' >= 0\"\n",
       "m.toml:4:6: constraints.c: a one-sided constraint depends on x'; one-sided constraints are formulas of t, "
       "coordinates and parameters"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"x'' = 0\"\n",
       "m.toml:4:6: constraints.c: it depends on x''; accelerations may appear in [outputs] and [events] only"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"x\"\n",
       "m.toml:4:6: constraints.c: this is not a relation; write lhs = rhs, lhs >= rhs or lhs <= rhs"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"x = 1 = 2\"\n",
       "m.toml:4:12: constraints.c: a second '=' in one formula; write one relation only"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"[x, 0, 0] = 0\"\n",
       "m.toml:4:16: constraints.c: a vector on one side and a scalar on the other; write [0, 0, 0] for the zero "
       "vector"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"[x, 0, 0] >= [0, 0, 0]\"\n",
       "m.toml:4:16: constraints.c: a one-sided relation between vectors; write it for each component"},
      {"[coordinates]\nx = 0\n[constraints]\nc = \"1 = 2\"\n",
       "m.toml:4:6: constraints.c: the constraint c depends on no coordinate; a constraint restricts coordinates or "
       "rates"},
      {"[coordinates]\nx = 0\n[constraints]\nc = { relation = \"x = 0\", restitution = 1 }\n",
       "m.toml:4:21: constraints.c: restitution of a constraint that is not one-sided; remove it, or write >= or <="},
      {"[coordinates]\nx = 0\n[constraints]\nc = { relation = \"x >= 0\", restitution = 2 }\n",
       "m.toml:4:1: constraints.c: the restitution is 2; expected a number between 0 and 1"},
  });
}

TEST(ModelErrors, FramesOfQuasiVelocities) {
  expect({
      {"[coordinates]\nx = 0\ny = 0\n[frame]\nu = \"x'\"\n",
       "m.toml:5:1: frame: the number of quasi-velocities is 1; expected 2: as many as coordinates, less one for each "
       "quaternion"},
      {"[coordinates]\nx = 0\n[frame]\nu = \"x'^2\"\n",
       "m.toml:4:6: frame.u: it is not affine in the rate x'; rates may appear linearly only"},
      {"[coordinates]\na = 1\nb = 0\nc = 0\nd = 0\n[frames.F]\nrotate = [[\"quaternion\", \"a\", \"b\", \"c\", "
       "\"d\"]]\n"
       "[frame]\nu1 = \"a'\"\nu2 = \"b'\"\nu3 = \"c'\"\nu4 = \"d'\"\n",
       "m.toml:9:1: frame: the number of quasi-velocities is 4; expected 3: as many as coordinates, less one for each "
       "quaternion"},
      {"[coordinates]\na = 1\nb = 0\nc = 0\n[frames.F]\nrotate = [[\"quaternion\", \"a\", \"b\", \"c\", \"b\"]]\n",
       "m.toml:6:42: frames.F.rotate: the coordinate 'b' appears twice in a quaternion; a quaternion needs four "
       "coordinates"},
  });
}

TEST(ModelErrors, FamiliesNameTheLineWrittenAndTheIndex) {
  expect({
      {"[repeat]\nk = \"1..3\"\n[coordinates]\n\"x{k}\" = 0\n[constraints]\n\"link{k}\" = \"x{k} - x{k-1} = 1\"\n",
       "m.toml:6:21: constraints.link{k} (k = 1): unknown name 'x0'; did you mean 'x1'?"},
      {"[repeat]\nk = \"1..n\"\n[coordinates]\n\"x{k}\" = 0\n",
       "m.toml:2:9: repeat.k: 'n' is neither an index nor an integer parameter; indices come from [repeat] or "
       "sum(...)"},
      {"[parameters]\nn = 2.5\n[repeat]\nk = \"1..n\"\n[coordinates]\n\"x{k}\" = 0\n",
       "m.toml:4:9: repeat.k: 5/2 is not an integer; indices are integers"},
      {"[repeat]\nk = \"5..1\"\n[coordinates]\n\"x{k}\" = 0\n",
       "m.toml:2:6: repeat.k: the range 5..1 runs backwards; write the smaller integer first"},
      {"[repeat]\nk = \"1..1000000\"\n[coordinates]\n\"x{k}\" = 0\n",
       "m.toml:2:6: repeat.k: a family of 1000000, more than 100000 (limit `family_size`); use fewer members"},
      {"[repeat]\ni = \"1..1000\"\nj = \"1..1000\"\n[coordinates]\n\"x{i}_{j}\" = 0\n",
       "m.toml:5:2: coordinates.x{i}_{j}: a family of 1000000, more than 100000 (limit `family_size`); use fewer "
       "members"},
      {"[coordinates]\n\"x{j}\" = 0\n",
       "m.toml:2:2: coordinates.x{j}: in 'x{j}': 'j' is neither an index nor an integer parameter; indices come from "
       "[repeat] or sum(...)"},
      {"[repeat]\nk = \"1..3\"\n[coordinates]\n\"x{k/2}\" = 0\n",
       "m.toml:4:2: coordinates.x{k/2} (k = 1): in 'x{k/2}': 1/2 is not an integer; indices are integers"},
      {"[repeat]\nk = \"1..3\"\n[coordinates]\n\"x{k}\" = \"k\"\n",
       "m.toml:4:11: coordinates.x{k}.value (k = 1): 'k' is an index; write {k} for its value"},
      {"[coordinates]\nx1 = 0\n[energy]\npotential = \"sum(k, 1, 3, x{k}^2)\"\n",
       "m.toml:4:27: energy.potential: unknown name 'x2' (at k = 2); did you mean 'x1'?"},
      {"[coordinates]\nx1 = 0\n[energy]\npotential = \"sum(k, 1, 10000000, {k})\"\n",
       "m.toml:4:14: energy.potential: a sum of 10000000 terms, more than 1000000 (limit `sum_terms`); use fewer "
       "terms"},
      {"[coordinates]\nx1 = 0\n[energy]\npotential = \"sum(k, 1, 3)\"\n",
       "m.toml:4:14: energy.potential: sum with 3 arguments; write sum(k, 1, N, formula of {k})"},
  });
}

}  // namespace
}  // namespace dalembert
