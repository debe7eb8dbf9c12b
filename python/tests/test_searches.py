"""inverse, periodic, fit, gradients and loads of joints: by closed forms, by differences and by each other."""
import math

import numpy as np
import pytest

import dalembert as da

ARM = """
name = "arm"
[parameters]
m = 2
l = 0.5
g = 9.81
c = 0.3
[inputs]
tau = 0
[coordinates]
theta = 0.1
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*l*cos(theta)"
[forces]
theta = "tau - c*theta'"
[inverse]
follow = { theta = "0.1 + 0.4*t^2" }
by = ["tau"]
[periodic]
section = "theta' = 0"
free = ["T"]
"""


@pytest.fixture(scope="module")
def arm():
    return da.parse(ARM, "arm.toml")


def test_the_torque_is_what_the_motion_asked_for_takes(arm):
    motion = arm.inverse(until=1, every=0.25, c=0.7)
    t = motion.t
    theta, rate, acceleration = 0.1 + 0.4 * t**2, 0.8 * t, 0.8
    torque = 2 * 0.25 * acceleration + 2 * 9.81 * 0.5 * np.sin(theta) + 0.7 * rate
    assert motion.status == "finished" and motion.index == 3
    assert motion["tau"] == pytest.approx(torque, rel=1e-8) and motion["theta"] == pytest.approx(theta, rel=1e-9)
    with pytest.raises(da.ModelError, match="inverse"):
        da.load("models:pendulum").inverse()


def elliptic_period(amplitude, frequency):
    """2 pi over the mean of Gauss of 1 and cos(amplitude/2)."""
    a, b = 1.0, math.cos(amplitude / 2)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi / (a * frequency)


def test_a_swing_has_the_period_of_the_elliptic_integral(arm):
    found = arm.periodic(period=1.5, c=0, theta=1.2)
    assert found.period == pytest.approx(elliptic_period(1.2, math.sqrt(9.81 / 0.5)), rel=1e-9)
    assert found.found == {"T": found.period} and found.residual < 1e-9
    assert np.abs(found.multipliers) == pytest.approx([1, 1], abs=1e-4)  # a double one: the root of 1e-9
    assert "period" in repr(found) and found.to_json().startswith("{")
    assert arm.periodic(["T"], period=1.5, c=0, theta=0.01).period < found.period


def test_a_fit_finds_what_made_the_measurements(arm, tmp_path):
    run = arm.simulate(until=3, every=0.05, l=0.62, c=0.11)
    noise = 1e-3 * np.random.default_rng(3).standard_normal(len(run))
    data = {"t": run.t, "theta": run["theta"] + noise}
    fit = arm.fit(data, ["l", "c"], bounds={"l": (0.1, 2), "c": (0, None)})
    assert fit and fit.converged and fit.covariance.shape == (2, 2)
    for parameter, true in zip(fit.parameters, (0.62, 0.11)):
        assert abs(parameter.value - true) < 4 * parameter.deviation < 0.05
    assert fit.columns[0].deviation == pytest.approx(np.std(noise), rel=0.1)
    assert np.array_equal(fit.residuals["theta measured"], data["theta"])
    # The same from a file, with the same bits; what was not measured is passed over.
    path = tmp_path / "measured.csv"
    path.write_text("t,theta\n" + "".join(f"{t!r},{x!r}\n" for t, x in zip(run.t.tolist(), data["theta"].tolist())))
    assert arm.fit(str(path), ["l", "c"]).values == arm.fit(data, ["l", "c"]).values
    gaps = {**data, "theta": np.where(np.arange(len(run)) % 2, np.nan, data["theta"])}
    assert arm.fit(gaps, ["l"]).columns[0].count == (len(run) + 1) // 2
    assert arm.simulate(until=1, **fit.values).status == "finished"


@pytest.mark.parametrize("call", [
    lambda m, data: m.fit(data, ["k"]), lambda m, data: m.fit(data, ["l"], bounds={"c": (0, 1)}),
    lambda m, data: m.fit({"theta": data["theta"]}, ["l"]), lambda m, data: m.fit({**data, "t": data["t"][1:]}, ["l"]),
    lambda m, data: m.fit("/nowhere.csv", ["l"]), lambda m, data: m.fit(data, []), lambda m, data: m.fit(data, ["l"], columns=["phi"]),
    lambda m, data: m.periodic(["k"]), lambda m, data: m.simulate(gradient=["k"]), lambda m, data: m.simulate(joint=["elbow"]),
    lambda m, data: m.simulate(gradient=["l"], estimate_error=True), lambda m, data: m.compare("momentum(k) = 0"),
])
def test_what_cannot_be_looked_for_raises(arm, call):
    with pytest.raises(da.ModelError):
        call(arm, {"t": np.linspace(0, 1, 5), "theta": np.zeros(5)})


def test_gradients_are_the_slopes_of_neighbouring_motions(arm):
    step = 1e-5
    run = arm.simulate(until=1, every=0.25, gradient=["l", "theta"], c=0.2)
    for name, at in (("l", 0.5), ("theta", 0.1)):
        more, less = (arm.simulate(until=1, every=0.25, tolerance=1e-13, c=0.2, **{name: at + by}) for by in (step, -step))
        slope = (more["theta"] - less["theta"]) / (2 * step)
        # Differences are good to step^2 of a third derivative and 1e-13/step.
        assert run[f"d(theta)/d({name})"] == pytest.approx(slope, abs=1e-6)
    assert np.array_equal(run["theta"], arm.with_values(c=0.2).simulate(until=1, every=0.25)["theta"])


def test_loads_of_a_joint_along_the_motion_begin_with_those_at_the_start():
    arm = da.load("models:three_link_arm")
    run = arm.simulate(until=0.02, joint=["fore"])
    joint = arm.reactions(joint="fore").joints[0]
    assert [run[f"joint(fore).force.{axis}"][0] for axis in "xyz"] == pytest.approx(list(joint.force.world), abs=1e-9)


def test_momenta_and_coefficients_of_the_frame_are_compared(pendulum):
    assert pendulum.compare("momentum(theta) = m*l^2*theta'")
    assert pendulum.compare("momentum(theta) = m*l*theta'").equal is False
    frame = da.load("models:free_body_space_frame")
    first = frame.frame().beta[0]
    named = f"beta({first.mu}, {first.nu}, {first.rho})"
    swapped = f"beta({first.nu}, {first.mu}, {first.rho})"
    assert frame.compare(f"{named} = {first.formula}") and frame.compare(f"{named} + {swapped} = 0")
    assert not frame.compare(f"{named} = {first.formula} + 1")
    with pytest.raises(da.ModelError) as caught:
        frame.compare("beta(a, b) = 0")
    assert caught.value.key == "equation"
