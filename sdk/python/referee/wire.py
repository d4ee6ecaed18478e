"""The messages of the protocol, made from its descriptors when this is imported.

The descriptors live in a pool of their own, so that they meet no generated code of the same names
that a bot may bring. `protocol.binpb` is what protoc makes of proto/; see "The protocol" in
README.md for the command.
"""

import pathlib
from typing import Any, Iterable

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

# A message of the protocol. Its fields are explained in proto/, and are not typed for mypy: what
# bots are given has classes of its own.
Message = Any


def _load(path: pathlib.Path) -> Any:
    files = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        for message in file.message_type:
            _keep_bytes(message, _BYTES.get(f"{file.package}.{message.name}", ()))
        pool.AddSerializedFile(file.SerializeToString())
    return pool


# Fields that stay as they came until somebody looks. A turn has dozens of moves, of which each would
# be half a dozen messages to read and to free; most bots look at few of them, and the position is
# there as text, too. On the wire a message is the same as its bytes.
_BYTES = {
    "referee.v1.TurnRequest": ("legal_moves", "position"),
    "referee.v1.TurnPlayed": ("move",),
    "referee.v1.MoveReply": ("move",),
}


def _keep_bytes(message: Any, names: Iterable[str]) -> None:
    for field in message.field:
        if field.name in names:
            field.type = descriptor_pb2.FieldDescriptorProto.TYPE_BYTES
            field.ClearField("type_name")


_POOL = _load(pathlib.Path(__file__).with_name("protocol.binpb"))


def _message(name: str) -> Any:
    descriptor = _POOL.FindMessageTypeByName(name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(_POOL).GetPrototype(descriptor)  # before protobuf 4.22


PlayRequest = _message("referee.v1.PlayRequest")
PlayResponse = _message("referee.v1.PlayResponse")
BotItem = _message("referee.v1.BotItem")
RefereeItem = _message("referee.v1.RefereeItem")
MatchStart = _message("referee.v1.MatchStart")
Move = _message("referee.v1.Move")
TurnRequest = _message("referee.v1.TurnRequest")
TurnPlayed = _message("referee.v1.TurnPlayed")
SeatForfeited = _message("referee.v1.SeatForfeited")
Verdict = _message("referee.v1.Verdict")
Record = _message("referee.v1.Record")

# The full name of the method that plays.
PLAY = "/referee.v1.BotService/Play"


def seconds(duration: Message) -> float:
    """Converts a duration to seconds."""
    return float(duration.seconds + duration.nanos * 1e-9)
