"""The commands as methods: numbers by closed forms, by each other and by the command line's JSON."""
import json

import numpy as np
import pytest

import dalembert as da


def test_pendulum_accelerations_are_the_closed_form(pendulum):
    g, l = pendulum.parameters()["g"], pendulum.parameters()["l"]
    f = pendulum.accelerations
    for theta in np.linspace(-3, 3, 7):
        assert f(0.0, [theta], [0.7])[0] == pytest.approx(-g / l * np.sin(theta), rel=1e-14)


def test_small_swings_have_the_period_of_the_linear_pendulum(pendulum):
    run = pendulum.simulate(until=5, every=0.001, theta=1e-4, **{"theta'": 0})
    theta, t = run["theta"], run.t
    down = np.flatnonzero((theta[:-1] > 0) & (theta[1:] <= 0))
    zeros = t[down] + 0.001 * theta[down] / (theta[down] - theta[down + 1])
    g, l = pendulum.parameters()["g"], pendulum.parameters()["l"]
    # The period differs by theta^2/16 relatively, the interpolation by about (0.001 omega)^2 of a step.
    assert np.diff(zeros) == pytest.approx(2 * np.pi * np.sqrt(l / g), rel=1e-7)


def test_names_are_those_of_the_json_document(disk):
    report = disk.check()
    document = json.loads(report.to_json())
    assert document["degrees_of_freedom"] == report.degrees_of_freedom == 3
    assert document["coordinates"] == report.coordinates
    assert [each["name"] for each in document["constraints"]] == [each.name for each in report.constraints]
    assert [each.is_integrable for each in report.constraints] == [False, False]


def test_equations_solve_to_the_reported_values(disk):
    equations = disk.equations()
    values = equations.values()
    n = len(values.state.q)
    assert equations.mass_matrix.shape == (n, n) and equations.jacobian.shape == (2, n)
    where = {**disk.parameters(), "t": values.state.t,
             **{str(s): x for s, x in zip(equations.coordinates, values.state.q)},
             **{str(s): x for s, x in zip(equations.velocities, values.state.u)}}
    number = np.vectorize(lambda e: e.evaluate(where), otypes=[float])
    mass, bias, jacobian = number(equations.mass_matrix), number(equations.bias), number(equations.jacobian)
    # M u' + bias = A^T lambda, A u' + drift = 0, from expressions, by NumPy's solver.
    size = len(mass) + len(jacobian)
    matrix = np.block([[mass, -jacobian.T], [jacobian, np.zeros((2, 2))]])
    solved = np.linalg.solve(matrix, -np.concatenate([bias, number(equations.drift)]))
    bound = 100 * size * np.finfo(float).eps * np.linalg.cond(matrix) * np.max(np.abs(solved))
    assert np.max(np.abs(solved[:n] - values.accelerations)) <= bound
    assert np.max(np.abs(solved[n:] - values.multipliers)) <= bound


def test_principles_give_the_same_reaction(disk):
    by = [disk.reactions(by=principle)["along"].value for principle in ("multipliers", "hamel", "projection")]
    assert by[1:] == pytest.approx([by[0]] * 2, rel=1e-9, abs=1e-12)
    assert disk.equations().by("hamel").principle == "hamel"


def test_a_reaction_formula_has_the_reaction_value(disk):
    report = disk.reactions()
    reaction = report["along"]
    where = {**disk.parameters(), "t": report.state.t, **report.accelerations}
    for name, q, u in zip(disk.coordinates(), report.state.q, report.state.u):
        where[name], where[name + "'"] = q, u
    where.update({f"reaction({each})": report[each].value for each in report})
    assert isinstance(reaction.formula, da.Expr)
    assert reaction.formula.evaluate(where) == pytest.approx(reaction.value, rel=1e-9, abs=1e-12)
    with pytest.raises(KeyError, match="along"):
        report["alonk"]


def test_a_released_length_pulls_with_weight_and_speed(pendulum):
    report = pendulum.reactions(theta=0.7, **{"theta'": 1.5})
    p = pendulum.parameters()
    # The rod holds m (g cos(theta) + l theta'^2), towards the centre: against the constraint norm(position) - l.
    assert report["l"].value == pytest.approx(-p["m"] * (p["g"] * np.cos(0.7) + p["l"] * 1.5**2), rel=1e-12)
    assert report["l"].on[0].on == "P" and report["l"].released is not None
    with pytest.raises(da.ModelError, match="can be released: l"):
        pendulum.reactions(release="g")
    m = da.Model("not released yet")
    l, theta = m.parameter("l", 2), m.coordinate("theta", 0.7)
    m.point("P", [l * da.sin(theta), 0, -l * da.cos(theta)], mass=3)
    m.gravity(0, 0, -10)
    assert m.reactions().releasable == ["l"] and len(m.reactions()) == 0
    assert m.reactions(release="l")["l"].value == pytest.approx(-30 * np.cos(0.7), rel=1e-12)


def test_branches_of_equilibria_fork_where_the_hoop_turns_fast():
    diagram = da.load("models:rotating_hoop").equilibria(over={"W": np.linspace(3, 9, 61)}, box={"theta": (-1.5, 1.5)})
    assert [each.kind for each in diagram.special] == ["branch"]
    assert diagram.special[0].value == pytest.approx(np.sqrt(9.81 / 0.4), rel=1e-9)  # W^2 = g / R
    for branch in diagram.branches:
        for point in branch.points:
            theta = float(point.q[0])
            assert np.sin(theta) * (0.4 * point.value**2 * np.cos(theta) - 9.81) == pytest.approx(0, abs=1e-8)


def test_verify_agrees_and_says_what_it_compared(pendulum):
    result = pendulum.verify(states=2)
    assert result and result.ok and len(result.agreements) > 3
    assert all(each.largest <= each.bound for each in result.agreements)


def test_a_proof_and_a_refutation(pendulum):
    assert pendulum.compare("theta'' = -g/l*sin(theta)")
    wrong = pendulum.compare("theta'' = -g/l*theta")
    assert wrong.equal is False and wrong.counterexample.left != wrong.counterexample.right
    with pytest.raises(da.ModelError):
        pendulum.compare("theta''")


def test_linear_equations_have_the_pendulum_frequency(pendulum):
    linear = pendulum.linearize(theta=0, **{"theta'": 0})
    g, l = pendulum.parameters()["g"], pendulum.parameters()["l"]
    assert sorted(np.abs(linear.eigenvalues.imag)) == pytest.approx([np.sqrt(g / l)] * 2, rel=1e-9)
    assert linear.A.shape == (2, 2)
    locus = pendulum.linearize(over={"l": np.linspace(0.5, 2, 4)}, theta=0, **{"theta'": 0})
    assert np.max(np.abs(locus.roots.imag), axis=1) == pytest.approx(np.sqrt(g / locus.values), rel=1e-9)


def test_equilibria_of_a_pendulum_hang_and_stand(pendulum):
    found = pendulum.equilibria().found
    angles = sorted(abs(float(each.q[0])) for each in found)
    assert angles == pytest.approx([0, np.pi], abs=1e-8)
    assert {each.stable for each in found} == {False, None} or {each.stable for each in found} == {False, True}


def test_gauss_constraint_grows_by_the_mass_form(pendulum):
    actual = pendulum.gauss()
    moved = pendulum.gauss({"theta''": float(actual.actual[0]) + 1})
    mass = pendulum.equations().values().mass_matrix[0, 0]
    assert moved.excess == pytest.approx(mass, rel=1e-12)
    assert actual.excess == pytest.approx(0, abs=1e-12)


def test_the_other_commands_answer(disk):
    assert disk.frame().velocities and disk.geometry().G.shape == (5, 5)
    oscillator = da.load("models:oscillator")
    action = oscillator.action(0.8, from_={"q": 0.4}, to={"q": -0.9})
    assert action.ok and action.is_principal
    hodograph = da.load("models:projectile_polar").hodograph()
    assert hodograph.arc.shape == hodograph.t.shape and hodograph.transport.ndim == 3


def test_values_are_arguments_and_nothing_is_changed(disk):
    before = disk.simulate(until=0.5)
    heavy = disk.simulate(until=0.5, m=3)
    assert np.array_equal(disk.simulate(until=0.5).rows, before.rows)
    assert not np.array_equal(heavy["reaction(along)"], before["reaction(along)"])
    assert np.array_equal(heavy.rows, disk.with_values(m=3).simulate(until=0.5).rows)
    with pytest.raises(da.ModelError, match="mm"):
        disk.simulate(until=0.5, mm=3)


def test_a_parameter_that_shapes_the_model_forms_it_again():
    chain = da.load("models:chain_10")
    size = next(name for name, value in chain.parameters().items() if value == 10)
    longer = chain.simulate(until=0.01, **{size: 12})
    assert len(longer.columns) > len(chain.simulate(until=0.01).columns)


def test_going_on_from_a_state_is_going_on(pendulum):
    whole = pendulum.simulate(until=2, every=0.5)
    half = pendulum.simulate(until=1, every=0.5)
    rest = pendulum.simulate(until=2, every=0.5, start=half.last)
    assert rest["theta"][-1] == pytest.approx(whole["theta"][-1], rel=1e-8)


def test_accelerations_over_arrays_are_those_one_by_one(disk):
    random = np.random.default_rng(1)
    state = disk.initial_state()
    q = state.q + 0.1 * random.standard_normal((50, 5))
    qd = state.u + 0.1 * random.standard_normal((50, 5))
    f = disk.accelerations
    assert f.is_native
    together = f(np.zeros(50), q, qd)
    assert together.shape == (50, 5)
    assert np.array_equal(together, [f(0.0, a, b) for a, b in zip(q, qd)])
    heavier = f.with_values(m=3)(0.0, state.q, state.u)
    assert heavier == pytest.approx(disk.equations().values().accelerations, rel=1e-9, abs=1e-9)  # mass cancels
    assert f(0.0, state.q, state.u) == pytest.approx(disk.equations().values().accelerations, rel=1e-10, abs=1e-10)
    with pytest.raises(da.ModelError, match="5 numbers"):
        f(0.0, q[:, :4], qd)


def test_models_are_listed_and_each_is_found():
    listed = da.models()
    assert "rolling_disk_tilted" in listed and len(listed) > 40
    assert da.load("models:pendulum").about == listed["pendulum"]


def test_a_notebook_shows_a_card_and_aligned_latex(disk):
    assert "degrees of freedom" in disk._repr_html_()
    latex = disk.equations()._repr_latex_()
    assert latex.startswith("$\\displaystyle \\begin{aligned}") and "{align}" not in latex and "%" not in latex
    assert "reaction(along)" in repr(disk.equations())
    assert disk.reactions()._repr_latex_().count("aligned") >= 2


def test_a_check_shows_what_the_system_is_in_a_notebook(disk):
    shown = disk.check()._repr_html_()
    for part in ("degrees of freedom", "X, Y, psi, theta, phi", "constraint along", "non-holonomic", "integral: energy"):
        assert part in shown


def test_small_motions_are_one_formula_in_a_notebook(pendulum):
    latex = pendulum.linearize(theta=0, **{"theta'": 0})._repr_latex_()
    assert latex.startswith("$\\displaystyle \\begin{gathered}") and latex.endswith("\\end{gathered}$")
    assert "\\[" not in latex and "\\]" not in latex
    assert latex.count("\\begin{") == latex.count("\\end{") and "-10.9 & 0" in latex


def test_a_card_shows_what_a_name_would_do():
    name = "<script>\\u202e\\u001b[2J"
    shown = da.parse(f'name = "{name}"\n[coordinates]\nx = 0\n[energy]\nkinetic = "x\'^2/2"\n')._repr_html_()
    assert "<script>" not in shown and "\u202e" not in shown and "\x1b" not in shown and "\\u202e" in shown


def test_a_value_is_given_once(pendulum):
    with pytest.raises(TypeError, match="l is given twice"):
        pendulum.simulate(until=0.1, given={"l": 1}, l=2)
