"""The page that is served: for this machine's own page only, with the engine's numbers, after the file."""
import json
import threading
import urllib.error
import urllib.request

import pytest

import dalembert as da
from dalembert.view import View

BALL = """
name = "Ball"
gravity = [0, 0, -9.81]
[parameters]
e = {e}
[coordinates]
z = 1
[points.P]
position = [0, 0, "z"]
mass = 1
[constraints]
floor = {{ relation = "z >= 0", restitution = "e" }}
[simulate]
until = 2
"""


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(BALL.format(e=0.5))
    return path


@pytest.fixture
def server(ball):
    with View(da.load(str(ball))) as view:
        thread = threading.Thread(target=view.serve_forever)
        thread.start()
        yield view
        view.shutdown()
        thread.join()


def ask(server, path="", body=None, **headers):
    request = urllib.request.Request(server.address + path, body and body.encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


JSON = {"Content-Type": "application/json"}


def test_the_page_follows_the_file_and_shows_its_errors(server, ball):
    status, page = ask(server)
    assert status == 200 and "<script" in page
    assert json.loads(ask(server, "news")[1]) == {"served": 1, "error": None}
    ball.write_text(BALL.format(e='"f"'))
    news = json.loads(ask(server, "news")[1])
    assert news["served"] == 1 and '5 | e = "f"' in news["error"]
    ball.write_text(BALL.format(e=0.7))
    assert json.loads(ask(server, "news")[1]) == {"served": 2, "error": None}


def test_sliders_get_the_motion_of_the_engine(server, ball):
    status, text = ask(server, "motion", json.dumps({"parameters": {"e": 0.9}, "initial": {"z": 2}}), **JSON)
    motion = json.loads(text)
    assert status == 200 and motion
    assert ask(server, "motion", json.dumps({"parameters": {"k": 1}, "initial": {}}), **JSON)[0] == 422
    for wrong in ("{", "[]", '{"parameters": 3}', '{"parameters": {"e": "x"}, "initial": {}}'):
        assert ask(server, "motion", wrong, **JSON)[0] == 400
    assert ask(server, "motion", "{" + " " * 70_000 + "}", **JSON)[0] == 400


def test_others_are_refused(server):
    assert ask(server, Host="evil.example")[0] == 403
    assert ask(server, Origin="http://evil.example")[0] == 403
    assert ask(server, "motion", "{}", **{"Content-Type": "text/plain"})[0] == 403
    assert ask(server, "elsewhere")[0] == 404
    with pytest.raises(da.ModelError, match="port"):
        View(da.load("models:pendulum"), server.server_address[1])
