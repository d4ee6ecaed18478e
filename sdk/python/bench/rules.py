"""What the rules cost in Python: random matches from start to end, in one run.

    PYTHONPATH=sdk/python REFEREE_RULES_LIBRARY=build/release/lib/librefereerules.so \
        python3 sdk/python/bench/rules.py

Prints the microseconds of CPU that a move takes: "moves" lists the legal moves, chooses one and
plays it, each by a call of its own; "playouts" are whole batches. Without the library only the rules
in Python are measured. How the library compares with the engine: bench_rules (sdk/c/README.md).
"""

import random
import time

from referee import rules
from referee.rules import library

SECONDS = 2.0  # of each figure


def by_moves(game: rules.Game) -> float:
    """Returns microseconds a move."""
    chance = random.Random(1)
    moves = 0
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        position = game.start()
        while not position.over:
            draw = position.chance
            if draw is not None:
                position = position.drawn([chance.randrange(draw.sides)
                                           for _ in range(draw.numbers)])
                continue
            position = position.play(chance.choice(position.legal_moves()))
            moves += 1
    return (time.process_time() - began) / moves * 1e6


def by_playouts(game: rules.Game) -> float:
    """Returns microseconds a move."""
    start = game.start()
    moves = seed = 0
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        count = 100 if library.current() else 1
        moves += start.playouts(count, seed).moves
        seed += count
    return (time.process_time() - began) / moves * 1e6


def main() -> None:
    """Prints the table."""
    found = library.current()
    print(f"library: {found or 'not found'}; us of CPU a move")
    print(f"{'':12}{'rules':12}{'moves':>10}{'playouts':>12}")
    for game in ("hypnosia", "isaac"):
        for path in (None, found.path) if found else (None,):
            library.use(path)
            made = rules.make_game(game, 2)
            print(f"{game:12}{'library' if path else 'Python':12}{by_moves(made):10.1f}"
                  f"{by_playouts(made):12.2f}")


if __name__ == "__main__":
    main()
