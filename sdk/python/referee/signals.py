"""SIGTERM and SIGINT stop a bot; a second one of them kills it."""

import contextlib
import os
import signal
import threading
from types import FrameType
from typing import Callable, Iterator

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextlib.contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Calls `stop`, on a thread of its own, when the process is told to end.

    Does nothing off the main thread, where Python takes no handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    # Python calls this only between two steps of the bot's; the byte in the pipe comes at once.
    def handle(number: int, frame: FrameType | None) -> None:
        for one in _SIGNALS:
            signal.signal(one, signal.SIG_DFL)

    # A second signal may come before that has been called: then the system does not kill.
    def watch() -> None:
        if os.read(reader, 1) == b"\0":
            return
        stop()
        second = os.read(reader, 1)
        if second != b"\0":
            os._exit(128 + second[0])

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    before = {one: signal.signal(one, handle) for one in _SIGNALS}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        signal.set_wakeup_fd(wakeup)
        os.write(writer, b"\0")
        watcher.join()
        os.close(reader)
        os.close(writer)
