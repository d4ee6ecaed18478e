#!/usr/bin/env python3
"""commands.py BIN_DIR SOURCE_DIR: checks that the programs take every command line of refctl, refereed and
refgate that documents, helps and errors show.

The programs read the command lines and do nothing (--parse-only). In blocks of code they are complete; within
a text they may leave out what a command needs. Words in capitals stand for a value."""
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import links  # noqa: E402  pylint: disable=wrong-import-position

PROGRAMS = ("refctl", "refereed", "refgate")
CALL = re.compile(r"(?:^|[\s(`'\"/])(refctl|refereed|refgate)(?=\s+[a-z-])")
# Values for the words in capitals whose values the programs check.
VALUES = {"N": "1", "NUMBER": "1", "ID": "01m82meadmx1xvav3dy73jccza", "DURATION": "1s", "TIME": "2026-11-24",
          "ELO": "40", "SIZE": "1GiB", "GAME": "isaac", "SEED": "1", "VERSION": "1"}
# How the programs say that something is missing, which a text may leave out.
LEFT_OUT = re.compile(r"is required|is missing|A subcommand is required|required .* missing|requires")
# What may stand before a command, beside nothing, the sign that ends another and what sets a variable.
BEFORE = {"--", "do", "then", "exec", "sudo", "time"}
# A command of refctl within a text, without its name.
SHORT = re.compile(r"(archive|ban|bot|competition|fleet|game|key|match|replay|store|test) [a-z]")
# Ends a command in a shell.
END = {"|", "&", ";", "&&", "||", ">", ">>", "2>", "<", ")", "(", "2>&1", "<<<"}


class Call:
    """A command line, and where it stands."""

    def __init__(self, where, words, whole):
        self.where = where
        self.words = words
        self.whole = whole  # nothing that the command needs is left out

    def __str__(self):
        return f"{self.where}: {' '.join(self.words)}"


def words_of(text):
    """Splits a command line as a shell does, up to its end."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;()<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words = []
    for word in lexer:
        if word in END or set(word) <= set("|&;()<>"):
            break
        words.append(word)
    if words and words[-1].isdigit() and re.search(rf"\s{words[-1]}>", text):
        words.pop()  # 2> FILE
    return words


def may_precede(before):
    """Whether a command may begin behind this piece of a line."""
    before = re.sub(r"[\w./-]*/$", "", before)  # the program's folder
    words = before.split()
    if not words or before[-1] in "(`'\";|&":
        return True
    return " exec " in before or words[-1] in BEFORE or words[-1][-1] in ";|&" or re.match(r"\w+=", words[-1])


def calls_in(where, text, whole):
    """Yields the calls in a piece of shell or of text."""
    for match in CALL.finditer(text):
        if not may_precede(text[:match.start(1)]):
            continue
        line = text[match.start(1):]
        if text[match.start()] in "'\"`":
            line = line.split(text[match.start()])[0]
        try:
            words = words_of(line)
        except ValueError:
            words = line.split()
        if len(words) > 1:
            yield Call(where, words, whole and "..." not in words)


def calls_of_document(path, name):
    """Yields the calls of a document."""
    block = None  # the lines of a block of code
    begun = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"\s*```(\w*)", line)
        if fence and block is None:
            block, language = [], fence[1]
        elif fence:
            block = None
        elif block is not None:
            if language not in ("", "sh", "bash", "yaml"):
                continue
            begun += line
            if line.endswith("\\"):
                begun = begun[:-1]
                continue
            yield from calls_in(f"{name}:{number}", begun, language != "")
            begun = ""
        else:
            for span in re.findall(r"`([^`]+)`", line):
                span = f"refctl {span}" if SHORT.match(span) else span
                yield from calls_in(f"{name}:{number}", span, False)


def helps_of(program, words):
    """Yields the help of a program and of all its commands."""
    said = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    yield words, said
    commands = re.search(r"\nSubcommands:\n(.*?)(\n\n|$)", said, re.DOTALL)
    for command in re.findall(r"^  ([a-z-]+)", commands[1] if commands else "", re.MULTILINE):
        yield from helps_of(program, [*words, command])


def calls_of_help(binaries):
    """Yields the calls that the help of the programs shows."""
    for program in PROGRAMS:
        for words, said in helps_of(binaries / program, []):
            where = f"{program} {' '.join(words)} --help"
            for example in re.findall(r"^ {2,4}(\S.*)$", re.sub(r"^.*?\nUsage:.*?\n", "", said, flags=re.DOTALL),
                                      re.MULTILINE):
                if CALL.match(example):
                    yield from calls_in(where, example, True)
            for quoted in re.findall(r"'((?:refctl|refereed|refgate) [^']+)'", re.sub(r"\s+", " ", said)):
                yield from calls_in(where, quoted, False)


def calls_of_sources(root):
    """Yields the calls that errors name, in quotes."""
    for path in sorted((root / "referee").rglob("*.cc")):
        text = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
        for quoted in re.findall(r"'((?:refctl|refereed|refgate) [a-z][^'\"%]*)'", text):
            yield from calls_in(str(path.relative_to(root)), quoted, False)


def filled(words):
    """Yields the words with a value for each word in capitals that stands for one, without ellipses."""
    flag = ""
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("--") and equals and re.fullmatch(r"[A-Z]+", value):
            word = f"{name}={VALUES.get(value, value)}"
        elif re.fullmatch(r"\$?[A-Z]+", word):
            word = VALUES.get(word, word)
        if word not in ("...", "[...]") and flag != "--config":
            yield word
        flag = word


def problem_of(binaries, folder, call):
    """Returns what the program has against a call; empty if it takes it."""
    program, *words = filled(call.words)
    if program == "refereed" and words[0] != "--help" and "--data-dir" not in " ".join(words):
        words = ["--data-dir", "data", *words]
    if "--config" in words:
        words.remove("--config")
    ran = subprocess.run([binaries / program, "--parse-only", *words], cwd=folder, capture_output=True,
                         text=True, check=False, stdin=subprocess.DEVNULL, timeout=60)
    if ran.returncode == 0 or (not call.whole and LEFT_OUT.search(ran.stderr)):
        return ""
    return f"{call}\n    {ran.stderr.strip()}"


def main():
    binaries, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    calls = []
    for path in links.documents_below(root):
        calls += calls_of_document(path, path.relative_to(root))
    of_documents = len(calls)
    calls += calls_of_help(binaries)
    of_help = len(calls) - of_documents
    calls += calls_of_sources(root)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        problems = [text for text in pool.map(lambda call: problem_of(binaries, folder, call), calls) if text]
    print(f"{of_documents} command lines in documents, {of_help} in helps, "
          f"{len(calls) - of_documents - of_help} in errors")
    if of_documents < 100 or of_help < 10:
        problems.append("so few: they are not found")
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
