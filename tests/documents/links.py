#!/usr/bin/env python3
"""links.py FOLDER...: checks that every link of every document below a folder leads to a file that exists
below that folder, and to a heading of it."""
import pathlib
import re
import sys

LEFT_OUT = {"build", "node_modules", ".git"}
FENCE = re.compile(r"^\s*(```|~~~)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def lines_outside_of_code(text):
    """Yields the number and text of each line that is not in a fenced block."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchor_of(heading):
    """Returns the anchor that renderers of Markdown give a heading."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors_of(path):
    """Returns the anchors of a document."""
    anchors = set()
    for _, line in lines_outside_of_code(path.read_text(encoding="utf-8")):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            anchors.add(anchor_of(heading[1]))
    return anchors


def documents_below(root):
    """Yields the documents of a tree."""
    for path in sorted(root.rglob("*.md")):
        if not LEFT_OUT & set(path.relative_to(root).parts):
            yield path


def problems_below(root):
    """Yields what is wrong with the links of the documents below a folder."""
    for path in documents_below(root):
        for number, line in lines_outside_of_code(path.read_text(encoding="utf-8")):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                where = f"{path.relative_to(root)}:{number}: {target}"
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                to = path.parent / name if name else path
                if not to.exists():
                    yield f"{where}: no such file"
                elif root.resolve() not in to.resolve().parents:
                    yield f"{where}: outside of the tree"
                elif anchor and to.suffix == ".md" and anchor not in anchors_of(to):
                    yield f"{where}: no such heading"


def main():
    problems = []
    for folder in sys.argv[1:]:
        root = pathlib.Path(folder)
        if not any(documents_below(root)):
            problems.append(f"{folder}: no documents")
        problems += problems_below(root)
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
