"""Why a bot cannot go on. Each error says what was wrong, where, and what would be right."""


class Error(Exception):
    """The base of all errors that `Client.run` raises."""


class InvalidOptions(Error):
    """An option, a flag or a file that an option names makes no sense."""


class Unauthenticated(Error):
    """The referee does not know the bot's token."""


class PermissionDenied(Error):
    """The referee does not admit this bot."""


class NotUnderstood(Error):
    """The referee could make no sense of what the bot told of itself."""


class PlaceTaken(Error):
    """Another process has connected with the bot's token, and plays in its place."""


class PlaceKept(Error):
    """Another process is connected with the bot's token, and `keep_existing` leaves it alone."""


class NotAReferee(Error):
    """What listens at the address is no referee."""


class Unreachable(Error):
    """No referee answered for as long as `give_up_after`."""


class DiceMismatch(Error):
    """The dice of a match were not those that follow from what the referee had told before."""


class WorkerLost(Error):
    """A process that thinks for the bot (`--workers`) has ended by itself."""
