"""Where the tests find the tree and the programs that they run.

REFEREE_BIN names the folder of refereed and refctl; without it tests that need them are skipped.
"""

import os
import pathlib
from typing import Any, Iterator

import pytest
from fake_referee import FakeReferee

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


@pytest.fixture
def fake(tmp_path: Any) -> Iterator[FakeReferee]:
    """A referee that says what a test wants."""
    one = FakeReferee(tmp_path)
    yield one
    one.stop()
