"""What is wrong raises, with place and remedy, whatever it is; the interpreter goes on."""
import pickle

import pytest

import dalembert as da


def test_an_error_has_its_parts(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('name = "wrong"\n[coordinates]\nx = {}\n[constraints]\nrod = "x = lenght"\n')
    with pytest.raises(da.ModelError) as caught:
        da.load(str(path))
    error = caught.value
    assert error.file == str(path) and error.line == 5 and error.column and error.key == "constraints.rod"
    assert error.problem == "unknown name 'lenght'" and error.remedy == "define it, or correct the name"
    assert error.expected is None and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert again.line == 5 and str(again) == str(error)


@pytest.mark.parametrize("text, expected, remedy", [
    ("2*", "a value", "write a number, a name, a function, ( or ["), ("2 x", "an operator", "write * for a product"),
    ("(1]", ")", "it was opened at 1:1"), ("[[1, 2, 3], 0, 0]", "a scalar", "take a component (.x, .y, .z) or norm(...)")])
def test_what_was_expected_and_what_to_do_are_two_things(text, expected, remedy):
    with pytest.raises(da.FormulaError) as caught:
        da.expr(text)
    assert (caught.value.expected, caught.value.remedy) == (expected, remedy)


def test_where_only_the_expected_is_known_the_remedy_is_to_give_it(pendulum):
    with pytest.raises(da.ModelError) as caught:
        pendulum.simulate(m=float("nan"))
    assert (caught.value.expected, caught.value.remedy) == ("a finite number", "give a finite number")
    assert pickle.loads(pickle.dumps(caught.value)).expected == "a finite number"


def test_the_nearest_name_is_suggested(pendulum):
    with pytest.raises(da.ModelError, match="models:pendulum"):
        da.load("models:pendulun")
    with pytest.raises(da.ModelError, match="theta"):
        pendulum.simulate(until=0.1)["thetta"]


HOSTILE = {
    "empty": "",
    "not toml": "[[[[",
    "no numbers": 'name = 3\n[coordinates]\nx = {value = "1/0"}\n',
    "deep": 'name = "d"\n[coordinates]\nx = {}\n[energy]\nkinetic = "' + "(" * 100_000 + "x" + ")" * 100_000 + '"\n',
    "tower": 'name = "t"\n[coordinates]\nx = {}\n[energy]\nkinetic = "' + "x" + "^9" * 50 + '"\n',
    "huge number": 'name = "h"\n[parameters]\nm = "1e400000"\n[coordinates]\nx = {}\n',
    "huge family": 'name = "f"\n[repeat]\ni = [1, 1000000000]\n[coordinates]\n"x{i}" = {}\n',
    "nul": 'name = "\\u0000"\n[coordinates]\n"\\u0000" = {}\n',
    "bytes": "\udcff\udcfe",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_model_raises(text):
    with pytest.raises((da.ModelError, da.ComputationError)):
        da.parse(text, "hostile.toml").check()


@pytest.mark.parametrize("options", [dict(until=float("nan")), dict(until=float("inf")), dict(until=-1), dict(every=0),
                                     dict(every=-1), dict(tolerance=0), dict(tolerance=float("nan")), dict(until=1, every=1e-12),
                                     dict(method="euler"), dict(by="newton"), dict(m=float("nan")), dict(theta=float("inf"))])
def test_numbers_that_make_no_sense_raise(pendulum, options):
    with pytest.raises(da.ModelError):
        pendulum.simulate(**options)


@pytest.mark.parametrize("call", [
    lambda m: m.simulate(until="soon"), lambda m: m.simulate(start=3), lambda m: m.accelerations("a", "b", "c"),
    lambda m: m.reactions(by=3), lambda m: m.linearize(over={"l": [1]}), lambda m: m.linearize(over={"l": [1, 2, 4]}),
    lambda m: m.equilibria(box={"theta": 1}), lambda m: m.gauss({"psi''": 1}), lambda m: m.action(to={"psi": 1}),
    lambda m: da.load(3), lambda m: da.load("/nowhere/model.toml"), lambda m: da.expr(None), lambda m: da.expr([]),
    lambda m: m.verify(states=0), lambda m: m.equilibria(starts=0), lambda m: m.gauss({"theta": float("nan")}),
    lambda m: m.action(from_={"theta": float("inf")}), lambda m: m.sweep({"l": []}), lambda m: m.initial_state(-3),
    lambda m: m.with_values(theta=object()), lambda m: da.symbols(["1/"]).__len__() and da.expr("1/"),
])
def test_arguments_of_a_wrong_kind_raise(pendulum, call):
    with pytest.raises((TypeError, ValueError)):
        call(pendulum)


def test_a_motion_that_cannot_go_on_is_a_status():
    m = da.Model("falls into a pole")
    x = m.coordinate("x", 1)
    m.energy(kinetic=x.rate**2 / 2, potential=-1 / x**2)
    run = m.simulate(until=10)
    assert not run and run.status in ("step-underflow", "not-finite", "singular") and run.message
    assert len(run) > 1
