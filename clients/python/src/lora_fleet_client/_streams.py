"""Answers that are read as they come: lines of CSV, lines of JSON, and events."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

import httpx

from ._requests import error_of_transport


if TYPE_CHECKING:
    from typing_extensions import Buffer, Self


class _Stream:
    """Closes its connection at its end, with `close()`, or at the end of a `with`."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()

    def read(self) -> str:
        """All that is left, as one text."""
        try:
            self._response.read()
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            self.close()
        return self._response.text

    def save(self, file: IO[bytes]) -> int:
        """Writes all into a file, piece by piece, and returns how many bytes there were."""
        size = 0
        try:
            for piece in self._response.iter_bytes():
                size += len(piece)
                file.write(piece)
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            self.close()
        return size

    def _lines(self) -> Iterator[str]:
        try:
            yield from self._response.iter_lines()
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            self.close()


class TextLines(_Stream):
    """A file of CSV, line by line: the first one names the columns."""

    def __iter__(self) -> Iterator[str]:
        return self._lines()

    def file(self) -> io.BufferedReader:
        """A file to read from, for what takes no lines."""
        return io.BufferedReader(_Bytes(self._response))


class _Bytes(io.RawIOBase):
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces = response.iter_bytes()
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        try:
            while self._left == b"":
                self._left = next(self._pieces)
        except StopIteration:
            return 0
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        target = memoryview(buffer)
        size = min(len(target), len(self._left))
        target[:size], self._left = self._left[:size], self._left[size:]
        return size

    def close(self) -> None:
        self._response.close()
        super().close()


class JsonLines(_Stream):
    """A file with one record on each line (NDJSON), record by record."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for line in self._lines():
            if line:
                yield json.loads(line)


class _AsyncStream:
    """Closes its connection at its end, with `aclose()`, or at the end of an `async with`."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._response.aclose()

    async def read(self) -> str:
        """All that is left, as one text."""
        try:
            await self._response.aread()
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            await self.aclose()
        return self._response.text

    async def save(self, file: IO[bytes]) -> int:
        """Writes all into a file, piece by piece, and returns how many bytes there were."""
        size = 0
        try:
            async for piece in self._response.aiter_bytes():
                size += len(piece)
                file.write(piece)
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            await self.aclose()
        return size

    async def _lines(self) -> AsyncIterator[str]:
        try:
            async for line in self._response.aiter_lines():
                yield line
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        finally:
            await self.aclose()


class AsyncTextLines(_AsyncStream):
    """A file of CSV, line by line: the first one names the columns."""

    def __aiter__(self) -> AsyncIterator[str]:
        return self._lines()


class AsyncJsonLines(_AsyncStream):
    """A file with one record on each line (NDJSON), record by record."""

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        async for line in self._lines():
            if line:
                yield json.loads(line)


@dataclass(frozen=True)
class Event:
    """A live event."""

    kind: str
    """`uplink`, `downlink`, `device`, `gateway`, `account`, `job`, `alert`, `dashboard` or `reset`."""
    data: dict[str, Any]
    id: str
    """Where to begin the next time, as `last_event_id`."""


class EventReader:
    """Makes events of the lines of a stream of server-sent events."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id or ""
        self._kind = ""
        self._data: list[str] = []

    def take(self, line: str) -> Event | None:
        """The event that this line ends, if it ends one. A `ping` is no event."""
        if line != "":
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "id":
                self.last_event_id = value
            elif name == "event":
                self._kind = value
            elif name == "data":
                self._data.append(value)
            return None
        kind, data = self._kind, "\n".join(self._data)
        self._kind, self._data = "", []
        if data == "" or kind == "ping":
            return None
        return Event(kind, json.loads(data), self.last_event_id)

    def forget(self) -> None:
        """Drops the half of an event that a lost connection left."""
        self._kind, self._data = "", []
