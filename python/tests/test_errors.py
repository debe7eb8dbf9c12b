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


@pytest.mark.parametrize("call, says", [
    (lambda m: m.simulate(until="a"), "until is a number, not 'a'"), (lambda m: m.simulate({"l": 2}), "given={...}"),
    (lambda m: m.simulate(every=[1]), "every is a number"), (lambda m: m.simulate(by=3), "by is a text"),
    (lambda m: m.simulate(joint=3), "a name or a list of names"), (lambda m: m.check(3), "given has values by name"),
    (lambda m: m.with_values({1: 2}), "texts as its names"), (lambda m: m.gauss([1]), "at has values by name"),
    (lambda m: m.gauss({"theta": "a"}), "at['theta'] is a number"), (lambda m: m.verify("a"), "time is a number"),
    (lambda m: m.equilibria(box={"theta": 1}), "box['theta'] is (low, high)"), (lambda m: m.linearize(over=3), "over has values"),
    (lambda m: m.action("a"), "until is a number"), (lambda m: m.reactions(by=3), "by is a text"), (lambda m: da.parse(3), "text is a text"),
    (lambda m: da.expr("x").lambdify(3), "a symbol or its name"), (lambda m: da.expr("x").subs({1: 2}), "a symbol or its name")])
def test_an_argument_of_a_wrong_kind_is_a_sentence(pendulum, call, says):
    with pytest.raises(TypeError) as caught:
        call(pendulum)
    assert says in str(caught.value) and len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("call, says", [
    (lambda m: m.with_values(zz=1), ": zz: there is no"), (lambda m: m.simulate(l="zz"), ": l: unknown name"),
    (lambda m: m.linearize(theta=1), "by NAME=VALUE as an argument, or name with steady=... the values and rates to solve for; frozen=True"),
    (lambda m: m.linearize(steady="zz"), ": steady: zz"), (lambda m: m.linearize(over={"zz": [1, 2]}), ": over: there is no"),
    (lambda m: m.linearize(over={"l": [2, 1]}), "over: the values do not ascend"), (lambda m: m.equilibria(box={"zz": (1, 2)}), ": box: there"),
    (lambda m: m.fit({"t": [0, 1], "u": [1, 2]}, ["l"]), "columns=..."), (lambda m: m.gauss({"psi''": 1}), ": at: "),
    (lambda m: m.fit({"t": [0, 1], "theta": [1, 2]}, ["l"], bounds={"l": (7, 8)}), "l=... as an argument"),
    (lambda m: m.simulate(until=0.1).picture([3]), "times: t = 3"), (lambda m: da.load("models:zz9"), "dalembert.models()"),
    (lambda m: off_the_rod().simulate(until=1), "with_values(solve=[NAME])")])
def test_what_the_engine_says_names_arguments(pendulum, call, says):
    with pytest.raises(da.ModelError) as caught:
        call(pendulum)
    text = str(caught.value)
    assert says in text and not any("--" in each for each in (text, caught.value.key or "", caught.value.remedy or ""))


def off_the_rod():
    m = da.Model("off")
    x, y = m.coordinates("x y", [1, 1])
    m.point("P", [x, y, 0], mass=1)
    m.constraint("rod", x**2 + y**2 == 1)
    return m


def test_notes_name_arguments(pendulum):
    assert not any("--" in note for note in pendulum.equilibria().notes)


def test_as_many_values_as_names_are_needed():
    m = da.Model()
    for add in (m.coordinates, m.parameters):
        with pytest.raises(da.ModelError, match=r"2 names \(z, w\) have 1 values; give one for each"):
            add("z w", [1])
    m.coordinates("z w", 1)
    assert list(m.with_values().coordinates()) == ["z", "w"]


def test_a_motion_that_cannot_go_on_is_a_status():
    m = da.Model("falls into a pole")
    x = m.coordinate("x", 1)
    m.energy(kinetic=x.rate**2 / 2, potential=-1 / x**2)
    run = m.simulate(until=10)
    assert not run and run.status in ("step-underflow", "not-finite", "singular") and run.message
    assert len(run) > 1
