"""Models by calls: the same as those of files, and written as files."""
import numpy as np
import pytest

import dalembert as da


def pendulum_in_plane():
    m = da.Model("pendulum", about="A mass on a rod.")
    l, g, mass = m.parameters("l g m", [1, 9.81, 2])
    x, z = m.coordinates("x z", [0.6, -0.8])
    m.gravity(0, 0, -g)
    m.point("P", [x, 0, z], mass=mass)
    m.constraint("rod", x**2 + z**2 == l**2)
    return m


def test_a_rod_pulls_with_weight_and_speed():
    m = pendulum_in_plane()
    run = m.simulate(until=2)
    assert run and run.summary.largest_residual < 1e-10
    # f = x^2 + z^2 - l^2 has the gradient 2 (x, z): the force along the rod is 2 lambda l, and must be
    # m (g cos a + v^2 / l) with cos a = -z / l.
    speed = run["x'"]**2 + run["z'"]**2
    assert -2 * run["reaction(rod)"] == pytest.approx(2 * (9.81 * -run["z"] + speed), rel=1e-8)


def test_what_is_built_is_what_is_written():
    m = pendulum_in_plane()
    again = da.parse(m.to_toml(), "again.toml")
    assert np.array_equal(again.simulate(until=1).rows, m.simulate(until=1).rows)
    assert again.about == "A mass on a rod." and again.compare(m)
    assert "g = 9.81\n" in m.to_toml() and "x = 0.6\n" in m.to_toml()


def test_a_model_can_grow_after_it_was_asked():
    m = pendulum_in_plane()
    assert "height" not in m.columns()
    m.output("height", "z + l")
    assert m.simulate(until=0.1)["height"] == pytest.approx(m.simulate(until=0.1)["z"] + 1)
    loaded = da.load("models:pendulum")
    loaded.output("twice", 2 * da.expr("theta"))
    assert np.array_equal(loaded.simulate(until=0.1)["twice"], 2 * loaded.simulate(until=0.1)["theta"])


def test_values_that_were_given_stay_when_a_part_is_added():
    longer = da.load("models:pendulum").with_values(l=2)
    longer.output("twice", "2*theta")
    assert longer.parameters()["l"] == 2 and "twice" in longer.columns()


def test_frames_bodies_and_places_of_points():
    m = da.Model("compound pendulum")
    g, a, inertia = m.parameters("g a J", [9.81, 0.5, 0.3])
    theta = m.coordinate("theta", 0.4)
    arm = m.reference_frame("arm", rotate=[("y", theta)])
    m.body("rod", arm, mass=2, inertia=[0, inertia, 0], centre=[0, 0, -a])
    tip = m.point("tip", [0, 0, -2 * a], frame=arm)
    m.gravity(0, 0, -g)
    m.output("height", tip.position[2])
    run = m.simulate(until=1)
    assert run["height"] == pytest.approx(-np.cos(run["theta"]), rel=1e-13)
    # (J + m a^2) theta'' = -m g a sin(theta)
    expected = -2 * 9.81 * 0.5 * np.sin(0.4) / (0.3 + 2 * 0.25)
    assert m.accelerations(0, [0.4], [0])[0] == pytest.approx(expected, rel=1e-13)


def test_differential_constraints_by_rates():
    m = da.Model("skate")
    x, y, phi = m.coordinates("x y phi", rates=[1, 0, 2])
    m.energy(kinetic=(x.rate**2 + y.rate**2 + phi.rate**2) / 2)
    m.constraint("blade", x.rate * da.sin(phi) == y.rate * da.cos(phi))
    assert m.check().constraints[0].is_integrable is False
    run = m.simulate(until=2)
    # A skate goes around with constant speed and turns evenly: x = sin(2 t) / 2.
    assert run["x"] == pytest.approx(np.sin(2 * run.t) / 2, abs=1e-8)


def test_an_inequality_is_a_contact():
    m = da.Model("ball")
    z = m.coordinate("z", 1)
    m.energy(kinetic=z.rate**2 / 2, potential="9.81*z")
    m.constraint("floor", z >= 0, restitution=0.5)
    run = m.simulate(until=0.6)
    assert run.events[0].kind == "impact" and run.events[0].t == pytest.approx(np.sqrt(2 / 9.81), rel=1e-8)
    assert run.events[0].impact.impulse == pytest.approx(1.5 * np.sqrt(2 * 9.81), rel=1e-8)


def test_a_wrong_part_is_named():
    m = pendulum_in_plane()
    m.constraint("wall", "x = yy")
    with pytest.raises(da.ModelError) as caught:
        m.check()
    assert caught.value.key == "constraints.wall" and "yy" in caught.value.problem
