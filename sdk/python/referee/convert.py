"""Converts what is on the wire to what bots are given."""

from typing import Any

from referee.rules import Move
from referee.rules.hypnosia import HypnosiaMove, Space, Step
from referee.rules.isaac import IsaacPass, Placement, Removal
from referee.wire import Message, Move as WireMove, seconds

_VERTICAL = 2  # DIRECTION_VERTICAL
_HYPNOSIA = 0x0a  # what Move.hypnosia begins with


def field(message: Message, name: str) -> Any:
    """Converts a field that holds no message but a duration: that to seconds.

    Returns a tuple for a repeated one, an enumeration's value as `enum_text` has it, and None for
    one that can be unset and is.
    """
    kind = message.DESCRIPTOR.fields_by_name[name]
    value = getattr(message, name)
    if kind.label == kind.LABEL_REPEATED:
        return tuple(map(seconds, value) if kind.message_type else value)
    if kind.message_type or kind.containing_oneof:
        if not message.HasField(name):
            return None
        return seconds(value) if kind.message_type else value
    return enum_text(kind, value) if kind.enum_type else value


def move(message: Message) -> Move:
    """Converts a move; one of a game without a type of its own is its notation alone."""
    kind = message.WhichOneof("game")
    if kind == "hypnosia":
        return HypnosiaMove(tuple(_step(step) for step in message.hypnosia.steps))
    if kind == "isaac":
        return _isaac(message.isaac)
    return Move(message.notation if kind == "notation" else "?")


class EncodedMove(HypnosiaMove):
    """A move of Hypnosia that is as it came until somebody looks at its steps."""

    __slots__ = ("encoded",)

    def __init__(self, encoded: bytes) -> None:
        self._notation = ""
        self._steps = self._flat = self._board = None
        self.encoded = encoded

    @property
    def steps(self) -> tuple[Step, ...]:
        if self._steps is None:
            self._steps = tuple(map(_step, WireMove.FromString(self.encoded).hypnosia.steps))
        return self._steps


def encoded_move(encoded: bytes) -> Move:
    """Converts a move that is still as on the wire."""
    # Nothing but a short `hypnosia`, as it nearly always is.
    if len(encoded) > 1 and encoded[0] == _HYPNOSIA and encoded[1] == len(encoded) - 2 < 128:
        return EncodedMove(encoded)
    return move(WireMove.FromString(encoded))


def _step(step: Message) -> Step:
    start, end = getattr(step, "from"), step.to
    return Step(step.die, Space(start.area, start.index), step.stack, Space(end.area, end.index),
                step.captured)


def _isaac(message: Message) -> Move:
    kind = message.WhichOneof("kind")
    if kind == "placement":
        placed = message.placement
        return Placement(placed.length, placed.direction == _VERTICAL, placed.cell)
    if kind == "removal":
        removed = message.removal
        return Removal(removed.cell, removed.direction == _VERTICAL, removed.advance)
    return IsaacPass()


def option_values(options: Message) -> dict[str, str]:
    """Returns the options that are set, as the referee's command line takes them."""
    kind = options.WhichOneof("game")
    if kind is None:
        return {}
    if kind == "general":
        return {option.name: option.value.decode("utf-8", "surrogateescape")
                for option in options.general.options}
    return {set_one.name: _text(set_one, value)
            for set_one, value in getattr(options, kind).ListFields()}


def _text(kind: Any, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return enum_text(kind, value) if kind.enum_type else str(value)


def enum_text(kind: Any, value: object) -> str:
    """Returns the name of an enumeration's value without the enumeration's; its number if unknown.

    `kind` is the descriptor of the field.
    """
    prefix = kind.enum_type.values[0].name[:-len("UNSPECIFIED")]
    known = kind.enum_type.values_by_number.get(value)
    return str(value) if known is None else str(known.name[len(prefix):])
