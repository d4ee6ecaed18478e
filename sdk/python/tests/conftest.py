"""Where the tests find the tree and the programs that they run.

REFEREE_BIN names the folder of refereed and refctl; without it tests that need them are skipped.
"""

import os
import pathlib

import pytest

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
