"""Tokens, addresses and plain text are read as tests/golden has it for all SDKs."""

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import referee
from referee import address, options, text
from referee.errors import InvalidOptions

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "tests" / "golden"


def cases(name: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]
    assert len(found) > 30
    return found


@pytest.mark.parametrize("case", cases("addresses.jsonl"), ids=lambda case: case["given"][:40])
def test_an_address_is_taken_or_refused_with_what_to_write(case: dict[str, Any]) -> None:
    given = case["given"]
    if not case.get("refused"):
        read = address.read_address(given)
        assert (read.text, read.local) == (case["address"], case["local"])
        assert (read.host, read.port, read.path) == (
            case.get("host", ""), case.get("port", 0), case.get("path", ""))
        settled = options.settle(options.Options(address=given, token="t"))
        assert settled.address == case["address"]
        return
    with pytest.raises(InvalidOptions) as refused:
        address.read_address(given)
    message = str(refused.value)
    assert text.is_plain(message)
    if "write" in case:
        assert message.endswith(f": write {case['write']}")
    else:
        assert "it must be host:port or unix:path" in message


@pytest.mark.parametrize("given, target", [
    ("unix:/tmp/my bots/100%", "unix:/tmp/my%20bots/100%25"), ("unix:referee", "unix:referee"),
    ("dns:7450", "dns:///dns:7450"), ("[::1]:7450", "dns:///%5B::1%5D:7450")])
def test_grpc_takes_an_address_as_it_is_meant(given: str, target: str) -> None:
    assert address.target_of(given) == target


@pytest.mark.parametrize("case", cases("tokens.jsonl"), ids=lambda case: case["bytes"][:40])
def test_a_token_is_taken_or_refused_with_its_byte(
        case: dict[str, Any], tmp_path: Any, monkeypatch: Any) -> None:
    raw = bytes.fromhex(case["bytes"])
    line = ["bot", "--address=h:1"]
    if case["source"] == "file":
        file = tmp_path / "token"
        file.write_bytes(raw)
        line += ["--token-file", str(file)]
        source = "--token-file"
    else:
        variable = raw.decode("utf-8", "surrogateescape")
        monkeypatch.setenv("REFEREE_TOKEN", variable)
        source = "no token: " if not raw.strip() else "REFEREE_TOKEN: "

    def read() -> str:
        given = options.parse_command_line(line, options.Options())
        return options.settle(given).token

    if not case.get("refused"):
        assert read() == case["token"]
        return
    with pytest.raises(InvalidOptions) as refused:
        read()
    assert str(refused.value).startswith(source)
    if "byte" in case:
        assert f": byte {case['byte']} is " in str(refused.value)


def test_a_token_of_the_command_line_is_looked_at_too() -> None:
    with pytest.raises(InvalidOptions, match="^--token: byte 4 is 0xc3"):
        options.parse_command_line(["bot", "--token", "rfb\u00e9"], options.Options())
    with pytest.raises(InvalidOptions, match="^the token: byte 1 is 0x80"):
        options.settle(options.Options(address="h:1", token="\udc80"))


@pytest.mark.parametrize("variables, says", [
    ({"REFEREE_ADDRESS": "http://h:7450", "REFEREE_TOKEN": "t"}, "write h:7450"),
    ({"REFEREE_ADDRESS": "::1:7450", "REFEREE_TOKEN": "t"},
     "REFEREE_ADDRESS: address \"::1:7450\": write [::1]:7450"),
    ({"REFEREE_ADDRESS": "h:7450", "REFEREE_TOKEN": "rfb_\u00e9"}, "REFEREE_TOKEN: byte 5 is 0xc3")])
def test_run_refuses_them_at_once_with_status_2(variables: dict[str, str], says: str) -> None:
    program = ("import referee\nclass B(referee.Bot):\n"
               "    def choose_turn(self, turn): return turn.moves[0]\nreferee.run(B)\n")
    package = str(pathlib.Path(referee.__file__).resolve().parents[1])
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           env={"PYTHONPATH": package, **variables}, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and says in ended.stderr


@pytest.mark.parametrize("case", cases("plain_text.jsonl"), ids=lambda case: case["bytes"][:40])
def test_plain_text_is_what_names_may_have(case: dict[str, Any]) -> None:
    try:
        told = bytes.fromhex(case["bytes"]).decode()
    except UnicodeDecodeError:
        assert not case["plain"]
        return
    assert text.is_plain(told) == case["plain"]
    assert text.is_plain(text.plain(told, 200))


def test_text_is_made_plain_and_cut_between_two_characters() -> None:
    assert text.plain("a\nb\tc\u202e\x1b[1m\ufeff", 200) == "a b c?[1m?"
    assert text.plain("\u00e9" * 200, 201) == "\u00e9" * 100
    assert text.cut("a\ud800b", 3) == "a?b"
