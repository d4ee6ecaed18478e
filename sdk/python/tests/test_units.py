"""Chance, options, dice and the protocol's descriptors: what needs no stream."""

import ast
import pathlib
import pickle
import shutil
import subprocess
from typing import Any

import pytest
from google.protobuf.message import DecodeError

import referee
from referee import address, chance, convert, options, wire
from referee.dice_check import DiceCheck
from referee.errors import InvalidOptions
from referee.log import duration_text
from referee.nonce import Nonces, Part, Revealed
from referee.refdice import match_key, roll, sha256

TOP = pathlib.Path(__file__).resolve().parents[3]

# --- Chance ---


def test_chance_is_that_of_the_other_sdks_and_differs_in_each_match_of_a_block() -> None:
    chances = [chance.of_turn(chance.of_match(1, bytes(range(32)), bot), 7)
               for bot in ("ann", "bob")]
    assert chances == [1616034103337092269, 5017184269829859537]


def test_chance_depends_on_commitment_seat_and_turn() -> None:
    of = {(seat, commitment, turn): chance.of_turn(chance.of_match(seat, commitment, "a"), turn)
          for seat in range(6) for commitment in (b"c", b"d") for turn in range(1, 101)}
    assert len(set(of.values())) == 1200
    assert of[0, b"c", 3] == chance.of_turn(chance.of_match(0, b"c", "a"), 3)


def test_rng_draws_from_one_sequence() -> None:
    rng = referee.Rng(12345)
    numbers = [rng.next() for _ in range(3)]
    assert numbers[0] == 12345
    # SplitMix64 seeded with 12345, as published.
    assert numbers[1:] == [2454886589211414944, 3778200017661327597]
    assert [referee.Rng(12345).choice("abcdefg")] == ["abcdefg"[12345 % 7]]


def test_rng_does_what_random_does() -> None:
    rng = referee.Rng(7)
    assert sorted(rng.sample(range(10), 10)) == list(range(10))
    assert all(0 <= rng.random() < 1 for _ in range(1000))
    assert 0 <= rng.getrandbits(100) < 1 << 100
    assert 3 <= rng.randint(3, 11) <= 9
    rng.gauss(0, 1)
    kept = pickle.loads(pickle.dumps(rng))
    assert [kept.next() for _ in range(3)] == [rng.next() for _ in range(3)]
    with pytest.raises(TypeError):
        rng.seed("text")


def test_rng_is_even() -> None:
    counts = [0] * 10
    for turn in range(1, 10_001):
        counts[chance.of_turn(chance.of_match(1, b"x" * 32, "a"), turn) % 10] += 1
    assert all(850 <= count <= 1150 for count in counts)


# --- Options ---


def settled(**given: Any) -> options.Options:
    return options.settle(options.Options(**{"address": "h:1", "token": "t", **given}))


def test_takes_address_and_token_from_the_environment(monkeypatch: Any) -> None:
    monkeypatch.setenv("REFEREE_ADDRESS", "unix:x")
    monkeypatch.setenv("REFEREE_TOKEN", "secret")
    monkeypatch.setenv("REFEREE_TLS_CA", "ca.pem")
    taken = options.settle(options.Options())
    assert (taken.address, taken.token, taken.tls_ca) == ("unix:x", "secret", "ca.pem")
    assert "secret" not in repr(taken)
    assert settled(insecure=True).tls_ca == ""
    assert settled(address="other:1").address == "other:1"


@pytest.mark.parametrize("given, says", [
    ({"address": ""}, "no address: give --address, or set REFEREE_ADDRESS"),
    ({"token": ""}, "no token: give --token-file, or set REFEREE_TOKEN"),
    ({"address": "nonsense"}, "write nonsense:7450"),
    ({"address": "host:0"}, "must be host:port or unix:path"),
    ({"token": "t" * 257}, "257 bytes"), ({"parallel_turns": -1}, "parallel-turns is -1"),
    ({"version": "v" * 33}, "33 bytes"),
    ({"threads": 0}, "threads is 0"), ({"max_matches": 1025}, "1 to 1024"),
    ({"workers": 2, "threads": 2}, "choose one"), ({"log_level": "loud"}, "debug, info")])
def test_refuses_what_makes_no_sense(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidOptions, match=says):
        settled(**given)


def parsed(*arguments: str) -> options.Options:
    return options.parse_command_line(["bot", *arguments], options.Options())


def test_reads_flags(tmp_path: Any) -> None:
    token = tmp_path / "token"
    token.write_text("  rfb_1 \nmore")
    read = parsed("--address=a:1", "--token-file", str(token), "--bot-version", "2", "--threads",
                  "3", "--max-matches=4", "--parallel-turns=4", "--keep-existing", "--give-up-after", "1m30s",
                  "--log-level", "WARNING")
    assert (read.address, read.token, read.version) == ("a:1", "rfb_1", "2")
    assert (read.threads, read.max_matches, read.parallel_turns) == (3, 4, 4)
    assert read.keep_existing
    assert (read.give_up_after, read.log_level) == (90.0, "warning")


def test_a_flag_that_is_0_takes_the_place_of_what_the_program_says() -> None:
    program = options.Options(parallel_turns=5, workers=2, keep_existing=True)
    read = options.parse_command_line(["bot", "--parallel-turns=0", "--workers", "0"], program)
    assert (read.parallel_turns, read.workers, read.keep_existing) == (0, 0, True)


@pytest.mark.parametrize("arguments, says", [
    (["--nonsense"], "nonsense.*see --help"), (["--threads", "x"], "threads"),
    (["--give-up-after", "5"], "must be a duration"), (["--log-level", "loud"], "debug, info"),
    (["--token-file", "not there"], "\"not there\": No such file"), (["--addr", "a:1"], "addr")])
def test_refuses_flags_that_make_no_sense(arguments: list[str], says: str) -> None:
    with pytest.raises(InvalidOptions, match=says):
        parsed(*arguments)


@pytest.mark.parametrize("text, value", [
    ("500ms", 0.5), ("1h1m1s", 3661.0), ("0", 0.0), ("1.5s", 1.5), ("inf", float("inf")),
    ("5", None), ("", None), ("s", None), ("1 s", None)])
def test_reads_durations(text: str, value: Any) -> None:
    assert options.parse_duration(text) == value


def test_writes_durations() -> None:
    assert [duration_text(seconds) for seconds in (0, 0.25, 1.5, 60, 3723)] == [
        "0ms", "250ms", "1.5s", "1m", "1h2m3s"]


def test_run_says_what_is_wrong_and_ends_with_status_2(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        referee.run(referee.Bot(), ["mine"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "mine: no address: give --address, or set REFEREE_ADDRESS in the environment\n")
    with pytest.raises(TypeError):
        referee.run(referee.Bot(), ["mine"], max_match=3)


def test_shows_its_version(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        referee.run(referee.Bot(), ["mine", "--version"], software="mine")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"mine {referee.__version__}\n"


def test_trusts_this_machine_with_plain_text_and_no_other() -> None:
    for local in ("unix:x", "localhost:1", "127.0.0.1:1", "127.9.9.9:1", "[::1]:1"):
        assert address.read_address(local).local, local
    for other in ("10.0.0.1:1", "example.org:1", "127.0.0.1.example.org:1"):
        assert not address.read_address(other).local, other
    assert address.credentials_for(settled(address="127.0.0.1:1")) is None
    assert address.credentials_for(settled(address="h:1", insecure=True)) is None
    assert address.credentials_for(settled(address="h:1")) is not None


@pytest.mark.parametrize("given, says", [
    ({"insecure": True, "tls": True}, "choose one"),
    ({"tls_cert": "c"}, "--tls-cert without --tls-key"),
    ({"tls_key": "k"}, "--tls-key without --tls-cert"),
    ({"tls_cert": "c", "tls_key": "not there"}, "--tls-key \"not there\": cannot be read"),
    ({"tls_ca": "not there"}, "--tls-ca \"not there\": cannot be read: No such file")])
def test_refuses_tls_that_makes_no_sense(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidOptions, match=says):
        address.credentials_for(settled(**given))


def test_names_the_certificate_file_that_will_not_do(tmp_path: Any) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(InvalidOptions, match="the file is empty"):
        address.credentials_for(settled(tls_ca=str(tmp_path / "empty")))
    with pytest.raises(InvalidOptions, match="no PEM with a certificate"):
        address.credentials_for(settled(tls_ca=str(tmp_path / "text")))


def test_backs_off_up_to_a_limit() -> None:
    assert [options.full_jitter(attempt, 1.0) for attempt in (0, 1, 2, 9, 100)] == [
        0.02, 0.04, 0.08, 10.0, 10.0]
    assert 0 <= options.default_backoff(3) <= 0.16


# --- Dice ---

SEED = b"s" * 32
NONCES = (b"n" * 32, b"o" * 32)


def told(game: str = "hypnosia", pinned: bool = False) -> Any:
    match = wire.MatchStart().match
    match.game = game
    match.pinned = pinned
    match.bots.extend(["a", "b"])
    match.commitment = sha256(SEED)
    return match


def verdict(**changes: Any) -> Any:
    one = wire.Verdict(state=3, seed=SEED, nonces=NONCES, nonce_hashes=map(sha256, NONCES))
    for field, value in changes.items():
        one.ClearField(field)
        if isinstance(value, (list, tuple)):
            getattr(one, field).extend(value)
        else:
            setattr(one, field, value)
    return one


OWN = Part(0, Revealed(NONCES[0], tuple(map(sha256, NONCES))))


def seen(*rolls: Any) -> DiceCheck:
    check = DiceCheck()
    for turn, dice in enumerate(rolls, 1):
        check.saw_turn(turn, 0, dice)
    return check


def test_dice_of_an_honest_referee_fit() -> None:
    key = match_key(SEED, NONCES)
    check = seen(roll(key, "roll/0/0"), roll(key, "roll/0/1"))
    assert check.problem(told(), verdict(), OWN) == ""
    assert "in turn 1 seat 0 had the dice" in seen((7, 7)).problem(told(), verdict(), OWN)
    late = DiceCheck()
    late.saw_turn(2, 0, (7, 7))  # which roll of the seat it is is not known
    assert late.problem(told(), verdict(), OWN) == ""


@pytest.mark.parametrize("changes, says", [
    ({"seed": b"t" * 32}, "the seed has the commitment"),
    ({"seed": b""}, "the seed was not revealed"),
    ({"nonces": (b"x" * 32, NONCES[1])}, "the nonce of seat 0 has the hash"),
    ({"nonces": (NONCES[0], b"")}, "the nonce of seat 1 was not revealed, and yet"),
    ({"nonces": (b"x" * 33, NONCES[1])}, "over 32 bytes"),
    ({"nonce_hashes": ()}, "there are 2 nonces and 0 hashes"),
    ({"nonces": (b"x" * 32, NONCES[1]), "nonce_hashes": (sha256(b"x" * 32), sha256(NONCES[1]))},
     "the hashes of the nonces are not those")])
def test_dice_that_were_tampered_with_do_not_fit(changes: dict[str, Any], says: str) -> None:
    assert says in seen().problem(told(), verdict(**changes), OWN)


def test_dice_without_the_own_nonce_fit_where_all_others_resigned_first() -> None:
    unrevealed = verdict(nonces=(b"", b""), nonce_hashes=(b"", b""))
    forfeit = unrevealed.forfeits.add(seat=1, turn=1, cause=1)  # TIMEOUT
    assert "the nonce of seat 0 was not revealed" in seen().problem(told(), unrevealed, Part(0))
    forfeit.cause = 4  # RESIGNED
    assert seen().problem(told(), unrevealed, Part(0)) == ""


def test_dice_without_the_bots_part_do_not_fit() -> None:
    assert "was not asked for its nonce" in seen().problem(told(), verdict(), Part())
    assert seen().problem(told(), verdict(), Part(came_back=True)) == ""
    pinned = verdict(nonces=(), nonce_hashes=())
    assert seen().problem(told(pinned=True), pinned, Part()) == ""


def test_a_nonce_is_another_once_it_was_revealed() -> None:
    nonce = Nonces().of(told())
    first = nonce.hash()
    assert nonce.hash() == first
    revealed = nonce.reveal((first, b"o"), 0)
    assert revealed is not None and sha256(revealed) == first
    assert nonce.reveal((first, b"p"), 0) is None
    assert nonce.reveal((first, b"o"), 0) == revealed
    assert nonce.hash() != first


def test_the_matches_of_a_block_share_their_nonce() -> None:
    nonces = Nonces()
    match = told()
    assert nonces.of(match) is not nonces.of(match)
    match.block.block_id = "b"
    assert nonces.of(match) is nonces.of(match)


# --- The protocol ---


def test_options_are_written_as_the_command_line_takes_them() -> None:
    given = wire.MatchStart().match.options
    assert convert.option_values(given) == {}
    given.hypnosia.stack_bridges = False
    given.hypnosia.turn_limit = 40
    assert convert.option_values(given) == {"stack_bridges": "false", "turn_limit": "40"}
    given.isaac.counter_advance = 1
    assert convert.option_values(given) == {"counter_advance": "EXACT"}
    given.general.options.add(name="target", value=b"50")
    assert convert.option_values(given) == {"target": "50"}


def test_a_game_without_rules_is_text() -> None:
    start = wire.MatchStart()
    start.match.game = "pig"
    match = referee.Match(start)
    request = wire.TurnRequest(position_text="somewhere")
    request.legal_moves.append(wire.Move(notation="roll").SerializeToString())
    turn = referee.Turn(match, request, 0.0)
    assert [str(move) for move in turn.moves] == ["roll"]
    assert turn.position_text == "somewhere"
    with pytest.raises(referee.rules.UnknownGame):
        turn.position


def test_moves_are_read_when_they_are_looked_at() -> None:
    start = wire.MatchStart()
    start.match.game = "pig"
    unreadable = b"\xff"
    readable = wire.Move(notation="roll").SerializeToString()
    request = wire.TurnRequest(legal_moves=[readable, unreadable])
    moves = referee.Turn(referee.Match(start), request, 0.0).moves
    assert len(moves) == 2
    assert str(moves[0]) == "roll"
    with pytest.raises(DecodeError):
        moves[1]


def test_what_bots_are_given_is_converted_when_it_is_looked_at() -> None:
    played = referee.TurnPlayed(wire.TurnPlayed(turn=3, dice=[5, 4]))
    assert (played.turn, played.dice, played.notation) == (3, (5, 4), "")
    assert (played.time_used, played.bank_left, played.substituted) == (0.0, None, None)
    told = wire.TurnPlayed(substituted=1)
    told.bank_left.FromMilliseconds(1500)
    assert referee.TurnPlayed(told).bank_left == 1.5
    assert referee.TurnPlayed(told).substituted == "TIMEOUT"
    assert referee.Forfeit(wire.SeatForfeited(cause=99)).cause == "99"
    assert referee.Verdict(wire.Verdict()).state == "UNSPECIFIED"
    start = wire.MatchStart()
    start.resumed.bank_left.add().FromSeconds(2)
    resumed = referee.Match(start).resumed
    assert resumed is not None and resumed.bank_left == (2.0,)
    assert (resumed.seat_to_move, resumed.last_turn) == (None, None)
    clock = referee.Match(start).time_control
    assert (clock.per_move, clock.increment) == (None, 0.0)
    with pytest.raises(AttributeError):
        getattr(played, "match_id")


def test_what_bots_are_given_cannot_be_changed_by_mistake() -> None:
    turn = referee.Turn(referee.Match(wire.MatchStart()), wire.TurnRequest(), 0.0)
    for told in (turn, turn.match):
        for name in ("number", "moves", "dice", "limit", "deadline", "match", "id", "log", "any"):
            with pytest.raises(AttributeError):
                setattr(told, name, 1)


def test_a_turn_has_one_rng_that_goes_on() -> None:
    turn = referee.Turn(referee.Match(wire.MatchStart()), wire.TurnRequest(), 0.0)
    assert turn.rng.next() == turn.chance
    assert turn.rng.next() != turn.chance


def test_the_descriptors_are_those_of_the_protocol(tmp_path: Any) -> None:
    protoc = shutil.which("protoc")
    if protoc is None:
        pytest.skip("protoc is not installed")
    made = tmp_path / "protocol.binpb"
    subprocess.run([protoc, f"--proto_path={TOP}/proto", "--include_imports",
                    f"--descriptor_set_out={made}", "referee/v1/bot_service.proto",
                    "referee/v1/replay.proto"], check=True)
    kept = pathlib.Path(wire.__file__).with_name("protocol.binpb")
    assert sha256(made.read_bytes()) == sha256(kept.read_bytes()), (
        "proto/ has changed: write referee/protocol.binpb anew (README.md)")


def test_python_3_11_can_read_the_package() -> None:
    package = pathlib.Path(wire.__file__).parent
    for source in [*package.rglob("*.py"), *(TOP / "sample-bots").rglob("*.py")]:
        ast.parse(source.read_text("utf-8"), feature_version=(3, 11))
