"""`python3 -m referee new NAME`: writes a bot and its test."""

import argparse
import keyword
import pathlib
import sys

_TEMPLATES = pathlib.Path(__file__).with_name("template")


def new(name: str) -> int:
    """Writes a bot called `name` into a new folder of that name; returns the exit status."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        print(f"referee new: \"{name}\" is no name for a module: letters, digits and _ that do not "
              "begin with a digit", file=sys.stderr)
        return 2
    folder = pathlib.Path(name)
    class_name = "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "Mine"
    try:
        folder.mkdir()
        for template, file in (("bot.txt", f"{name}.py"), ("test.txt", f"test_{name}.py")):
            text = (_TEMPLATES / template).read_text("utf-8")
            text = text.replace("{name}", name).replace("{class_name}", class_name)
            (folder / file).write_text(text, "utf-8")
    except OSError as error:
        print(f"referee new: {error.filename}: {error.strerror}; give another name, or go to a "
              "folder that can be written to", file=sys.stderr)
        return 2
    print(f"Wrote {folder}/{name}.py and {folder}/test_{name}.py. Try them:\n"
          f"  cd {folder}\n"
          "  python3 -m pytest\n"
          f"  refctl duel --game hypnosia --bot 'python3 {name}.py' "
          f"--bot 'other=python3 {name}.py'")
    return 0


def main() -> int:
    """Reads the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m referee", description="Begins a bot.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("new", help="writes a bot and its test into a new folder")
    command.add_argument("name", help="what the bot is called, such as mybot")
    return new(parser.parse_args().name)


if __name__ == "__main__":
    sys.exit(main())
