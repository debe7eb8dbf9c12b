"""Systems of sympy.physics.mechanics: read, and the same accelerations at random states."""
import pytest

import dalembert as da
from conftest import need

sympy = need("sympy")
me = need("sympy.physics.mechanics")


def double_pendulum():
    q1, q2 = me.dynamicsymbols("q1 q2")
    m, l, g = sympy.symbols("m l g")
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", l * (sympy.sin(q1) * N.x - sympy.cos(q1) * N.y))
    R = P.locatenew("R", l * (sympy.sin(q2) * N.x - sympy.cos(q2) * N.y))
    for point in (P, R):
        point.set_vel(N, point.pos_from(O).dt(N))
    masses = [me.Particle("p", P, m), me.Particle("r", R, m)]
    for particle, point in zip(masses, (P, R)):
        particle.potential_energy = m * g * point.pos_from(O).dot(N.y)
    method = me.LagrangesMethod(me.Lagrangian(N, *masses), [q1, q2], frame=N)
    method.form_lagranges_equations()
    return method, {m: 1.3, l: 0.7, g: 9.81}, {q1: 0.4, q2: -0.3}


def cartesian_pendulum():
    x, y = me.dynamicsymbols("x y")
    m, l, g, c = sympy.symbols("m l g c")
    N = me.ReferenceFrame("N")
    P = me.Point("P")
    P.set_vel(N, x.diff() * N.x + y.diff() * N.y)
    particle = me.Particle("p", P, m)
    particle.potential_energy = m * g * y
    drag = [(P, -c * (x.diff() * N.x + y.diff() * N.y))]
    method = me.LagrangesMethod(me.Lagrangian(N, particle), [x, y], hol_coneqs=[x**2 + y**2 - l**2], forcelist=drag, frame=N)
    method.form_lagranges_equations()
    return method, {m: 2, l: 1, g: 9.81, c: 0.3}, {x: 0.6, y: -0.8}


def rolling_disk(by_hand=False):
    """A disk that rolls without slipping, by Kane's method in its own angular velocities. `by_hand`: rolling is put
    into the velocities themselves, and the place of the contact is no coordinate."""
    q1, q2, q3, q4, q5 = q = me.dynamicsymbols("q1:6")
    u1, u2, u3, u4, u5 = u = me.dynamicsymbols("u1:6")
    r, m, g = sympy.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    turns = R.ang_vel_in(N).express(L)
    kd = [turns.dot(L.x) - u1, turns.dot(L.y) - u2, turns.dot(L.z) - u3, q4.diff() - u4, q5.diff() - u5]
    rates = sympy.solve(kd, [each.diff() for each in q])
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    centre = me.Point("centre")
    arm = r * L.z
    turned = R.ang_vel_in(N) ^ arm
    moved = (q4 * N.x + q5 * N.y + arm).dt(N).subs(rates)
    centre.set_vel(N, turned if by_hand else moved)
    slip = moved - turned
    inertia = me.inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = me.RigidBody("disk", centre, R, m, (inertia, centre))
    if by_hand:
        method = me.KanesMethod(N, q[:3], u[:3], kd[:3])
    else:
        method = me.KanesMethod(N, q, u[:3], kd, u_dependent=u[3:], velocity_constraints=[slip.dot(N.x), slip.dot(N.y)])
    method.kanes_equations([body], [(centre, -m * g * Y.z)])
    return method, {r: 0.3, m: 1.2, g: 9.81}, {q2: 0.2}


def test_velocities_that_are_no_derivatives_are_refused():
    method, values, _ = rolling_disk(by_hand=True)
    with pytest.raises(da.ModelError, match="velocity_constraints"):
        da.from_sympy(method, values)


def kane_pendulum(weight=1, push=0):
    q, u = me.dynamicsymbols("q u")
    m, l, g, c = sympy.symbols("m l g c")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q, N.z])
    A.set_ang_vel(N, u * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", -l * A.y)
    P.v2pt_theory(O, N, A)
    method = me.KanesMethod(N, [q], [u], [q.diff() - u])
    method.kanes_equations([me.Particle("p", P, m)], [(P, -weight * m * g * N.y + push * A.x), (A, -c * u * N.z)])
    return method, {m: 2, l: 0.8, g: 9.81, c: 0.1}, {q: 0.5}


def driven_oscillator():
    """Its Lagrangian has the time, and a parameter is called as a coordinate is."""
    x = me.dynamicsymbols("x")
    m, k, a = sympy.symbols("m k x")
    t = me.dynamicsymbols._t
    method = me.LagrangesMethod(m * x.diff()**2 / 2 - k * x**2 / 2 + a * x * sympy.cos(3 * t), [x])
    method.form_lagranges_equations()
    return method, {m: 2, k: 5, a: 0.7}, {x: 0.3}


def pushed_pendulum():
    """By Kane's method, with a force that depends on time along an axis that turns."""
    return kane_pendulum(push=sympy.sin(me.dynamicsymbols._t))


def pendulum_on_a_moving_support():
    """A constraint that depends on time."""
    x, y = me.dynamicsymbols("x y")
    m, l = sympy.symbols("m l")
    N = me.ReferenceFrame("N")
    support = sympy.sin(2 * me.dynamicsymbols._t) / 3
    method = me.LagrangesMethod(m * (x.diff()**2 + y.diff()**2) / 2 - 9 * m * y, [x, y],
                                hol_coneqs=[(x - support)**2 + y**2 - l**2], frame=N)
    method.form_lagranges_equations()
    return method, {m: 2, l: 1}, {x: 0.6, y: -0.8}


@pytest.mark.parametrize("system", [double_pendulum, cartesian_pendulum, kane_pendulum, rolling_disk, driven_oscillator,
                                    pushed_pendulum, pendulum_on_a_moving_support])
def test_a_system_of_sympy_has_the_same_accelerations(system):
    method, values, initial = system()
    model = da.from_sympy(method, values, initial=initial)
    agreement = da.verify(model, method)
    assert agreement, agreement
    assert agreement.states == 8


def test_speeds_of_kane_are_the_frame_of_hamel():
    method, values, initial = rolling_disk()
    model = da.from_sympy(method, values, initial={**initial, method.q[2].diff(): 5})
    assert {"u1", "u3"} <= {each.name for each in model.frame().velocities}
    one, other = model.simulate(until=0.5), model.simulate(until=0.5, by="hamel")
    assert one and other and other["q2"] == pytest.approx(one["q2"], abs=1e-7)


def test_another_system_is_noticed():
    method, values, initial = kane_pendulum()
    other, _, _ = kane_pendulum(weight=sympy.Rational(1001, 1000))
    model = da.from_sympy(method, values, initial=initial)
    assert da.verify(model, method) and not da.verify(model, other)
    later, _, _ = kane_pendulum(push=sympy.sin(me.dynamicsymbols._t) / 1000)
    assert not da.verify(model, later)
    with pytest.raises(da.ModelError, match="r: the model has no such parameter"):
        da.verify(model, rolling_disk()[0])


def test_what_is_no_method_is_refused():
    with pytest.raises(da.ModelError, match="KanesMethod"):
        da.from_sympy(sympy.Symbol("x"))


def test_a_method_whose_equations_are_not_formed_says_what_to_call():
    q, u = me.dynamicsymbols("q u")
    with pytest.raises(da.ModelError, match="kanes_equations") as caught:
        da.from_sympy(me.KanesMethod(me.ReferenceFrame("N"), [q], [u], [q.diff() - u]))
    assert "first" in caught.value.remedy
    method = me.LagrangesMethod(q.diff()**2 / 2, [q])
    with pytest.raises(da.ModelError, match="form_lagranges_equations"):
        da.verify(da.from_sympy(method), method)


def test_a_start_may_be_among_the_values():
    method, values, initial = double_pendulum()
    q1, q2 = method.q
    state = da.from_sympy(method, {**values, **initial, q2.diff(): 2}).initial_state()
    assert list(state.q) == [0.4, -0.3] and list(state.u) == [0, 2]
    named = da.from_sympy(method, {"m": 3, "q1": 0.1, "q2'": 4}, initial={"q1": 0.2})
    assert named.parameters()["m"] == 3
    assert list(named.initial_state().q) == [0.2, 0] and list(named.initial_state().u) == [0, 4]


def test_a_start_may_be_given_by_the_speeds_of_kane():
    method, values, _ = kane_pendulum()
    q, u = method.q[0], method.u[0]
    assert list(da.from_sympy(method, {**values, u: 1.5}).initial_state().u) == [1.5]
    assert list(da.from_sympy(method, values, initial={"u": 1.5, q.diff(): 1.5}).initial_state().u) == [1.5]
    with pytest.raises(da.ModelError, match="not both"):
        da.from_sympy(method, values, initial={u: 1.5, q.diff(): 1})
    disk, numbers, _ = rolling_disk()
    rates = da.from_sympy(disk, {**numbers, disk.q[1]: 0.2, disk.u[0]: 0.1, disk.u[1]: 5, disk.u[2]: 0.3}).initial_state().u
    lean = 0.2
    assert rates[1] == pytest.approx(0.1) and rates[0] * sympy.cos(lean) == pytest.approx(0.3)


@pytest.mark.parametrize("given", [dict(values={"zz": 1}), dict(values={sympy.Symbol("zz"): 1}), dict(initial={"zz": 1}),
                                   dict(initial={"m": 1})])
def test_a_value_for_what_is_not_there_is_refused(given):
    method, _, _ = double_pendulum()
    with pytest.raises(da.ModelError, match="known are q1, q2, q1', q2'") as caught:
        da.from_sympy(method, **given)
    assert caught.value.key.endswith(("zz", "m"))
    with pytest.raises(da.ModelError, match="no number"):
        da.from_sympy(method, {"m": "heavy"})
