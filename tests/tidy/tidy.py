#!/usr/bin/env python3
"""Checks what no compiler checks: layout, includes, guards, sizes, words, formatting.

    tests/tidy/tidy.py CHECK... [--root DIR]

Each check prints what it finds, "path:line: problem", and the status is 1 if any finds something,
77 if the only check asked for needs a tool that is not installed. tidy_test.py checks the checks.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77

TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "deploy", "proto", "referee", "sample-bots", "sdk", "tests",
}
# Never looked at: what builds and tools leave behind.
TOP_LEVEL_IGNORED = {"build", "compile_commands.json"}
IGNORED_FOLDERS = {".git", ".cache", ".mypy_cache", ".pytest_cache", "__pycache__", "dist", "node_modules"}

# Which rooms of referee/ each room may include, itself aside.
BELOW = {
    "base": set(),
    "launch": {"base"},
    "log": {"base"},
    "metrics": {"base"},
    "sqlite": {"base"},
    "postgres": {"base"},
    "dice": {"base"},
    "games": {"base", "dice"},
    "match": {"base", "dice", "games"},
    "replay": {"base", "dice", "games", "match", "sqlite"},
    "shelf": {"base", "dice", "games", "match", "replay", "sqlite"},
    "view": {"base", "dice", "games", "match", "replay", "sqlite"},
    "rating": {"base"},
    "schedule": {"base", "dice", "rating"},
    "store": {"base", "dice", "games", "match", "replay", "rating", "schedule", "sqlite", "postgres"},
    "host": {"base", "dice", "games", "match", "replay", "sqlite"},
}
BELOW["client"] = BELOW["view"] - {"view"}
BELOW["competition"] = BELOW["store"] | {"store", "host", "log"}
BELOW["service"] = BELOW["competition"] | {"competition", "metrics", "client"}
BELOW["conformance"] = BELOW["service"] | {"service", "view", "launch"}
BELOW["node"] = BELOW["service"] | {"service", "shelf"}
BELOW["daemon"] = BELOW["node"] | {"node"}
BELOW["gate"] = BELOW["view"] | {"view", "client", "log"}
BELOW["ctl"] = BELOW["node"] | {"node", "view", "client", "gate", "launch", "conformance"}

# The parts of the tree that have headers, and which of them each may include.
PARTS = {
    "referee": {"referee", "proto"},
    "sdk": {"sdk", "proto"},
    "sample-bots": {"sample-bots", "sdk", "proto"},
    "tests": {"referee", "sdk", "sample-bots", "proto", "tests"},
}

GRPC = re.compile(r"^(grpc|grpc\+\+|grpcpp)/|\.grpc\.pb\.h$")
GRPC_ALLOWED = re.compile(r"^(referee/(service|daemon|ctl|client|gate|conformance)|sdk|tests)/")
# Of the service, what must do without it, also through what it includes: a session is the same over
# any transport, and so is a connection.
GRPC_FREE = re.compile(r"^referee/service/(accept/|convert/|play/(?!play_stream\.))")
GENERATED = re.compile(r"\.pb\.h$|^google/protobuf/")
GENERATED_ALLOWED = re.compile(
    r"^(referee/(replay|view|store|service|ctl|gate|conformance)|sdk|sample-bots|tests)/"
    r"|^referee/games/wire\.h$"
    r"|^referee/games/[a-z0-9_]+/convert[a-z0-9_]*\.(h|cc)$")

# The SDK stands by itself: its public headers are named by where they are installed, its own ones
# by their place in it.
SDK = "sdk/cpp/"
SDK_HEADERS = "sdk/cpp/include/"
# The one header of it that speaks of the rules as well, and what bots may include of them: the
# library referee::rules.
SDK_RULES = "sdk/cpp/include/referee/sdk/rules.h"
RULES = re.compile(r"^referee/(base/(ids|limits)\.h|dice/dice\.h|games/(game|rules)\.h"
                   r"|games/[a-z0-9_]+/(?!convert)[a-z0-9_]+\.h)$")

# What it shares with the referee: how text from outside is read, locks, and the dice.
SDK_SHARES = re.compile(r"^referee/(base/(address|errors|ids|limits|mutex|text)|dice/dice)\.h$")

# The rules behind functions of C, for other languages: its header names no other, and is installed
# as it is.
SDK_C = "sdk/c/src/"
SDK_C_HEADERS = "sdk/c/include/"

# The same games as in the catalogue, for programs without a referee.
RULES_ALONE = "referee/games/rules.h"

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCE_SUFFIXES = {".cc", ".h", ".py", ".js", ".ts", ".sh", ".proto", ".cmake"}
WARN_LINES = 500
MAX_LINES = 800
# Written by a generator when the SDK for Node is built.
GENERATED_SOURCES = "sdk/node/src/proto/"

# Spelled in pieces, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(" + "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot",
                                                        "Us" + "ers"]) + r")/\w")


class Tree:
    """The files of a source tree: texts by path, relative, with slashes."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.top_level = {entry.name for entry in self.root.iterdir()}
        self.texts = {}
        for top in sorted(self.top_level - TOP_LEVEL_IGNORED - IGNORED_FOLDERS):
            self._read(self.root / top)

    def _read(self, path):
        if path.is_dir():
            if path.name not in IGNORED_FOLDERS:
                for entry in sorted(path.iterdir()):
                    self._read(entry)
            return
        try:
            self.texts[path.relative_to(self.root).as_posix()] = path.read_text("utf-8")
        except UnicodeDecodeError:
            pass  # not a text

    def cpp(self):
        return [path for path in self.texts if path.endswith((".cc", ".h"))]

    def includes(self, path):
        """Yields (line number, quote, included) for each #include of a file."""
        for number, line in enumerate(self.texts[path].splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1), match.group(2)


def check_layout(tree):
    """The top level is fixed; a document lives in the room that it describes."""
    for entry in sorted(tree.top_level - TOP_LEVEL - TOP_LEVEL_IGNORED):
        if not entry.startswith("."):
            yield f"{entry}: the top level has no such entry; put it into the room it belongs to"
    for path in tree.cpp():
        parts = path.split("/")
        if parts[0] == "referee" and (len(parts) < 3 or parts[1] not in BELOW):
            yield f"{path}: not in a room of referee/; the rooms are {', '.join(BELOW)}"


def resolved(tree, path, included):
    """Returns the path in the tree of what `path` includes: of generated code, its source."""
    if SDK_HEADERS + included in tree.texts:
        return SDK_HEADERS + included
    if path.startswith(SDK) and SDK + included in tree.texts:
        return SDK + included
    if included.endswith(".pb.h"):
        return re.sub(r"(\.grpc)?\.pb\.h$", ".proto", included)
    return included


def include_problem(tree, path, quote, included):
    """Returns why `path` may not include `included`, or None."""
    if GRPC.search(included) and not GRPC_ALLOWED.match(path):
        return "gRPC appears only in service, daemon, ctl, client, gate, sdk and tests"
    if GENERATED.search(included) and not GENERATED_ALLOWED.match(path):
        return ("generated protobuf appears only in replay, view, store, service, ctl, gate, sdk, bots, tests and "
                "each game's conversion file")
    target = resolved(tree, path, included)
    part = target.split("/")[0]
    if part not in PARTS and part != "proto":
        beside = path.rpartition("/")[0] + "/" + included
        if quote == '"' and beside in tree.texts:
            return f'own headers are included by their path from the top: "{beside}"'
        return None
    if quote != '"':
        return "own headers are included in double quotes"
    if target not in tree.texts:
        return "there is no such file"
    own_part = path.split("/")[0]
    if path.startswith(SDK) and SDK_SHARES.match(target):
        return None
    speaks_of_rules = own_part == "sample-bots" or path == SDK_RULES or path.startswith(SDK_C)
    if speaks_of_rules and RULES.match(target):
        return None
    if part not in PARTS.get(own_part, set()):
        return f"{own_part} may include {', '.join(sorted(PARTS.get(own_part, [])))} only"
    if own_part == part == "referee":
        if target == RULES_ALONE and not path.startswith("referee/games/"):
            return "a referee makes games by catalogue.h: those of rules.h are not for the wire"
        room, other = path.split("/")[1], target.split("/")[1]
        if other != room and other not in BELOW.get(room, set()):
            below = ", ".join(sorted(BELOW.get(room, set()))) or "no other room"
            return f"{room} may include {below} only"
    return None


def brings_grpc(tree, included, seen):
    """Returns whether a file that includes `included` includes gRPC; not through those in `seen`."""
    if GRPC.search(included):
        return True
    if included in seen or included not in tree.texts:
        return False
    seen.add(included)
    return any(brings_grpc(tree, further, seen) for _, _, further in tree.includes(included))


def check_includes(tree):
    """Rooms include only rooms below them; gRPC and generated code stay where they belong."""
    for path in tree.cpp():
        for number, quote, included in tree.includes(path):
            problem = include_problem(tree, path, quote, included)
            if not problem and GRPC_FREE.match(path) and brings_grpc(tree, included, set()):
                problem = "sessions and conversions do without gRPC"
            if problem:
                yield f"{path}:{number}: includes {included}: {problem}"


def check_guards(tree):
    """The guard of a header is its path."""
    for path in tree.cpp():
        if not path.endswith(".h"):
            continue
        named = path
        if path.startswith(SDK_HEADERS):
            named = path[len(SDK_HEADERS):]
        elif path.startswith(SDK_C_HEADERS):
            named = path[len(SDK_C_HEADERS):]
        elif path.startswith(SDK):
            named = "sdk/" + path[len(SDK):]
        guard = re.sub(r"[^A-Z0-9]", "_", named.upper()) + "_"
        if not guard.startswith("REFEREE_"):
            guard = "REFEREE_" + guard
        text = tree.texts[path]
        opening = f"#ifndef {guard}\n#define {guard}\n"
        if opening not in text or not text.endswith(f"#endif  // {guard}\n"):
            yield f"{path}: the header guard is to be {guard}"


def check_reachable(tree):
    """Every header of referee/ is used by something other than its own source file."""
    users = {}
    for path in tree.cpp():
        for _, _, included in tree.includes(path):
            users.setdefault(included, set()).add(path)
    for path in tree.cpp():
        if path.startswith("referee/") and path.endswith(".h"):
            if not users.get(path, set()) - {path[:-2] + ".cc"}:
                yield f"{path}: no file includes it but its own source"


def check_listed(tree):
    """Every source file, tests included, is built: some CMakeLists.txt above it names it."""
    for path in tree.cpp():
        if not path.endswith(".cc"):
            continue
        folders = [parent.as_posix() for parent in pathlib.PurePosixPath(path).parents]
        for folder in folders:
            prefix = "" if folder == "." else folder + "/"
            text = tree.texts.get(prefix + "CMakeLists.txt", "")
            name = re.escape(path[len(prefix):])
            if re.search(rf"(?<![\w./-]){name}(?![\w./-])", re.sub(r"#.*", "", text)):
                break
        else:
            yield f"{path}: no CMakeLists.txt names it, so that it is never built"


def check_sizes(tree):
    """No source file is longer than a reader can hold."""
    for path, text in tree.texts.items():
        lines = text.count("\n")
        if pathlib.PurePosixPath(path).suffix not in SOURCE_SUFFIXES:
            continue
        if path.startswith(GENERATED_SOURCES):
            continue
        if lines > MAX_LINES:
            yield f"{path}: {lines} lines, at most {MAX_LINES}: split it"
        elif lines > WARN_LINES:
            print(f"{path}: {lines} lines, more than {WARN_LINES} (a hint, not a failure)")


def check_words(tree):
    """Nothing is left unfinished, and nothing speaks of the machine that it was written on."""
    for path, text in tree.texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, problem in ((UNFINISHED, "unfinished"), (MACHINE_PATH, "one machine's")):
                match = pattern.search(line)
                if match:
                    yield f"{path}:{number}: '{match.group()}' is {problem}"
        if path.endswith((".cc", ".h", ".proto", ".py", ".cmake", ".txt", ".md")):
            if text and not text.endswith("\n"):
                yield f"{path}: does not end in a newline"


def check_links(tree):
    """What a document points to is there."""
    for path, text in tree.texts.items():
        if not path.endswith(".md"):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not (tree.root / path).parent.joinpath(target).exists():
                    yield f"{path}:{number}: points to {target}, which is not there"


# Words that say nothing to a stranger.
PRIVATE_WORDS = re.compile(r"\b(whoever|whomever|letter box|untold)\b", re.IGNORECASE)
MOST_WORDS_OF_A_SENTENCE = 40
MOST_WORDS_OF_AN_OPENING = 20


def sentences(text):
    """The sentences of a document, each with its line; without code, tables and headings."""
    text = re.sub(r"^```.*?^```", lambda code: "\n" * code.group().count("\n"), text, flags=re.M | re.S)
    paragraph = re.compile(r"(?:^(?!\s*[|#]|\s*$).+\n?)+", re.M)
    for found in paragraph.finditer(text):
        start = text.count("\n", 0, found.start()) + 1
        # A point of a list is a paragraph of its own.
        for point in re.split(r"\n(?=\s*(?:[-*]|\d+\.)\s)", found.group()):
            for sentence in re.split(r"(?<=[.!?:;])[*_)\"']*\s+", point):
                if sentence.strip():
                    yield start, sentence
            start += point.count("\n") + 1


def words_of(sentence):
    return re.findall(r"[A-Za-z][\w'-]*", re.sub(r"`[^`]*`|\]\([^)]*\)", " x ", sentence))


def check_language(tree):
    """Documents have plain words, and sentences that one reads once."""
    for path, text in tree.texts.items():
        if not path.endswith(".md"):
            continue
        for line, sentence in sentences(text):
            word = PRIVATE_WORDS.search(re.sub(r"`[^`]*`", "", sentence))
            if word:
                yield f"{path}:{line}: '{word.group()}' is no plain word"
            length = len(words_of(sentence))
            if length > MOST_WORDS_OF_A_SENTENCE:
                yield f"{path}:{line}: a sentence of {length} words: {sentence.strip()[:60]}"


def check_openings(tree):
    """The first sentence of a header says in few words what it is."""
    for path, text in tree.texts.items():
        if not path.endswith(".h"):
            continue
        opening = re.match(r"(?://.*\n)+|/\*.*?\*/", text, re.S if text.startswith("/*") else 0)
        if not opening:
            yield f"{path}:1: no comment says what it is"
            continue
        comment = re.sub(r"^(?://+| ?\*|/\*+) ?", "", opening.group(), flags=re.M)
        first = re.split(r"(?<=[.!?:;])\s", comment.strip())[0]
        length = len(words_of(first))
        if length > MOST_WORDS_OF_AN_OPENING:
            yield f"{path}:1: opens with a sentence of {length} words"


class ToolMissing(Exception):
    """A check needs a tool that is not installed."""


def tool(name, *places):
    """Returns the path of a tool."""
    for place in places:
        if place.exists():
            return str(place)
    found = shutil.which(name)
    if not found:
        raise ToolMissing(name)
    return found


def run(tree, command):
    """Runs a tool in the tree; yields what it prints if it is not content."""
    result = subprocess.run(command, cwd=tree.root, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        yield result.stdout.rstrip() or f"{command[0]}: status {result.returncode}"


def check_format(tree):
    """C++ is as clang-format leaves it."""
    program = tool("clang-format")
    if tree.cpp():
        yield from run(tree, [program, "--dry-run", "-Werror", *tree.cpp()])


def check_shell(tree):
    """Shell scripts pass shellcheck."""
    program = tool("shellcheck")
    scripts = [path for path, text in tree.texts.items()
               if re.match(r"#!.*\b(ba)?sh\b|# shellcheck shell=", text)]
    if scripts:
        yield from run(tree, [program, "-x", "--", *scripts])


def check_proto(tree):
    """The protocol passes buf's lint and is formatted."""
    program = tool("buf", tree.root / "build/tools/node_modules/.bin/buf")
    yield from run(tree, [program, "lint", "proto"])
    yield from run(tree, [program, "format", "proto", "-d", "--exit-code"])


ALERTS = "deploy/observability/alerts.yaml"
ALERTS_TEST = "deploy/observability/alerts_test.yaml"
METRICS = "referee/metrics/METRICS.md"
RUNBOOK = "deploy/RUNBOOK.md"


def check_alerts(tree):
    """A test has each alert fire, the runbook says what to do, and its metrics are documented."""
    if ALERTS not in tree.texts:
        return
    text = tree.texts[ALERTS]
    tests = tree.texts.get(ALERTS_TEST, "")
    for alert in re.findall(r"- alert: (\w+)", text):
        if f'alertname="{alert}"' not in tests:
            yield f"{ALERTS}: {alert} fires in no test of {ALERTS_TEST}"
        if f"\n### {alert}\n" not in tree.texts.get(RUNBOOK, ""):
            yield f"{ALERTS}: {RUNBOOK} does not say what to do about {alert}"
    documented = tree.texts.get(METRICS, "")
    for metric in sorted(set(re.findall(r"\b(?:referee|grpc|process)_[a-z_]+", text))):
        if metric == "grpc_code":
            continue
        if re.sub(r"_bucket$", "", metric) not in documented:
            yield f"{ALERTS}: {METRICS} does not know {metric}"
    program = tool("promtool")
    yield from run(tree, [program, "check", "rules", ALERTS])
    yield from run(tree, [program, "test", "rules", ALERTS_TEST])


CHECKS = {name[len("check_"):]: function for name, function in list(globals().items())
          if name.startswith("check_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2],
                        help="the top of the source tree (default: of this one)")
    parser.add_argument("checks", nargs="+", choices=sorted(CHECKS), metavar="CHECK",
                        help="one of " + ", ".join(sorted(CHECKS)))
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    status = 0
    for name in arguments.checks:
        try:
            for problem in CHECKS[name](tree):
                print(problem)
                status = 1
        except ToolMissing as missing:
            print(f"skipped: {name} needs {missing}, which is not installed")
            status = status or (SKIPPED if len(arguments.checks) == 1 else 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
