"""The package installs without a network, has its types, and begins a bot."""

import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import pytest

from referee.rules import library

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def run(*command: Any, cwd: Any) -> str:
    ended = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: Any) -> pathlib.Path:
    """A copy of the package, since setuptools writes beside what it builds."""
    copy = tmp_path_factory.mktemp("tree") / "python"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "build", ".*"))
    return copy


@pytest.fixture(scope="module")
def installed(tree: pathlib.Path) -> pathlib.Path:
    """The Python of a virtual environment, with the wheel and the system's packages."""
    folder = tree.parent
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps",
        tree, cwd=folder)
    wheel, = folder.glob("*.whl")
    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", f"--python={python}", "install", "--no-index", wheel,
        cwd=folder)
    return python


def test_a_wheel_does_without_the_tree(installed: pathlib.Path, tmp_path: Any) -> None:
    where = run(installed, "-I", "-c", "import referee; print(referee.__file__)", cwd=tmp_path)
    assert pathlib.Path(where.strip()).is_relative_to(installed.parents[1])


def test_a_wheel_has_the_library_of_the_rules_and_is_for_one_platform(
        installed: pathlib.Path, tmp_path: Any) -> None:
    wheel, = installed.parents[2].glob("*.whl")
    named = os.environ.get(library.VARIABLE, "")
    environment = {name: value for name, value in os.environ.items() if name != library.VARIABLE}
    told = subprocess.run(
        [str(installed), "-I", "-c", "import referee.rules as rules\nprint(rules.backend)"],
        cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert told.returncode == 0, told.stderr
    if not named:
        assert wheel.name.endswith("-py3-none-any.whl")
        pytest.skip(f"{library.VARIABLE} does not name the library")
    assert "-py3-none-linux_" in wheel.name
    assert (told.stdout, told.stderr) == ("native\n", "")


def test_what_is_installed_opens_replays(installed: pathlib.Path, tmp_path: Any) -> None:
    file = sorted((PACKAGE.parents[1] / "tests/golden/replays/5-cap-times").glob("*.rpl"))[0]
    told = run(installed, "-I", "-c", "import sys, referee.replay as replay\n"
               "print(replay.open(sys.argv[1]).match_id)", file, cwd=tmp_path)
    assert told.strip() == file.stem


def test_begins_a_bot_whose_tests_pass(installed: pathlib.Path, tmp_path: Any) -> None:
    told = run(installed, "-m", "referee", "new", "my_bot", cwd=tmp_path)
    assert "refctl duel" in told
    run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path / "my_bot")
    again = subprocess.run([installed, "-m", "referee", "new", "my_bot"], cwd=tmp_path,
                           capture_output=True, text=True)
    assert again.returncode == 2 and "my_bot: File exists" in again.stderr
    bad = subprocess.run([installed, "-m", "referee", "new", "my-bot"], cwd=tmp_path,
                         capture_output=True, text=True)
    assert bad.returncode == 2 and "no name for a module" in bad.stderr


def test_a_bot_that_is_begun_is_typed(
        tree: pathlib.Path, installed: pathlib.Path, tmp_path: Any) -> None:
    pytest.importorskip("mypy")
    run(installed, "-m", "referee", "new", "mybot", cwd=tmp_path)
    run(sys.executable, "-m", "mypy", "--strict", f"--python-executable={installed}",
        "--python-version=3.11", f"--cache-dir={tree.parent}/mypy", "mybot.py", "test_mybot.py",
        cwd=tmp_path / "mybot")


def test_the_package_is_typed(tree: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    run(sys.executable, "-m", "mypy", "--python-version=3.11", f"--cache-dir={tree.parent}/mypy",
        cwd=tree)
