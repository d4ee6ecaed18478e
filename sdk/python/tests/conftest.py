"""Where the tests find the tree and the programs that they run.

REFEREE_BIN names the folder of refereed and refctl; without it tests that need them are skipped.
"""

import os
import pathlib
from typing import Any, Iterator

import pytest
from fake_referee import FakeReferee, Running, begin

from referee import rules

TOP = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def top() -> pathlib.Path:
    """The top of the source tree."""
    return TOP


@pytest.fixture(scope="session")
def bin_dir() -> pathlib.Path:
    """Where refereed, refctl and the sample bots are."""
    folder = os.environ.get("REFEREE_BIN")
    if not folder:
        pytest.skip("REFEREE_BIN does not name the folder of refereed and refctl")
    return pathlib.Path(folder)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: Any) -> None:
    """No test hears what the environment says of a referee."""
    for name in ("ADDRESS", "TOKEN", "FLEET_DOMAIN", "TLS_CA", "TLS_CERT", "TLS_KEY"):
        monkeypatch.delenv(f"REFEREE_{name}", raising=False)


@pytest.fixture
def python_rules() -> None:
    """The rules in Python; the library has tests of its own."""
    rules.library.use(None)


@pytest.fixture
def fake(tmp_path: Any) -> Iterator[FakeReferee]:
    """A referee that says what a test wants."""
    one = FakeReferee(tmp_path)
    yield one
    one.stop()


@pytest.fixture
def play(fake: FakeReferee) -> Iterator[Any]:
    """Has a bot play, welcomed and ready for these matches, until the test ends."""
    clients: list[Running] = []

    def start(bot: Any, *match_ids: str, **options: Any) -> Running:
        clients.append(Running(fake, bot, **options))
        fake.greet()
        if match_ids:
            begin(fake, *match_ids)
        return clients[-1]

    yield start
    for client in clients:
        client.stop()
