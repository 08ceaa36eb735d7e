"""Sends requests with asyncio: `_sync.py` with its words for waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

import httpx

from ._requests import (
    REFRESH,
    CallOptions,
    Endpoint,
    Parameters,
    Settings,
    error_of,
    error_of_transport,
    make_request,
    next_of,
    pause_after,
    read_content,
)
from ._streams import AsyncJsonLines, AsyncTextLines, Event, EventReader
from ._sync import EVENT_SILENCE, LOST
from .errors import ApiError, UnauthenticatedError

_Stream = TypeVar("_Stream", AsyncTextLines, AsyncJsonLines)


class AsyncSender:
    """What the operations stand on."""

    def __init__(
        self,
        settings: Settings,
        key: str | Callable[[], Awaitable[str]],
        http: httpx.AsyncClient | None,
    ) -> None:
        self._settings = settings
        self._key = key
        self._http = http or httpx.AsyncClient()
        self._renewal = asyncio.Lock()
        # Whether the key is the token of a login, which can be exchanged.
        self._renews = False

    def _take_login(self, token: str, organization: int | None) -> None:
        self._key = token
        self._settings = replace(self._settings, organization=organization)
        self._renews = True

    async def _call(
        self, endpoint: Endpoint, parameters: Parameters, body: object, options: CallOptions
    ) -> Any:
        response = await self._send(endpoint, parameters, body, options, stream=False)
        answer = read_content(response)
        if self._renews and endpoint.path == REFRESH.path:
            self._key = str(answer["token"])
        return answer

    async def _open(
        self,
        kind: type[_Stream],
        endpoint: Endpoint,
        parameters: Parameters,
        options: CallOptions,
    ) -> _Stream:
        return kind(await self._send(endpoint, parameters, None, options, stream=True))

    async def _send(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        body: object,
        options: CallOptions,
        *,
        stream: bool,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        request = make_request(self._http, self._settings, endpoint, parameters, body, options)
        request.headers.update(headers or {})
        tries = self._settings.tries_of(endpoint, options)
        attempt = 1
        while True:
            try:
                return await self._send_renewed(request, stream)
            except ApiError as error:
                pause = pause_after(error, attempt, self._settings.longest_pause)
                if pause is None or attempt >= tries:
                    raise
            await asyncio.sleep(pause)
            attempt += 1

    async def _send_renewed(self, request: httpx.Request, stream: bool) -> httpx.Response:
        """Sends once; with a token that has just ended once more, under a new one."""
        key = self._key if isinstance(self._key, str) else await self._key()
        try:
            return await self._send_once(request, key, stream)
        except UnauthenticatedError:
            if not self._renews:
                raise
        # It was not carried out, so it may be sent again, whatever it is.
        return await self._send_once(request, await self._renew(key), stream)

    async def _send_once(self, request: httpx.Request, key: str, stream: bool) -> httpx.Response:
        if key:
            request.headers["Authorization"] = f"Bearer {key}"
        try:
            response = await self._http.send(request, stream=stream)
            if response.is_success:
                return response
            await response.aread()
        except httpx.TransportError as cause:
            raise error_of_transport(cause) from cause
        raise error_of(response)

    async def _renew(self, ended: str) -> str:
        async with self._renewal:
            # Another task may have done it.
            if isinstance(self._key, str) and self._key != ended:
                return self._key
            request = make_request(self._http, self._settings, REFRESH, {}, None, {})
            answer = read_content(await self._send_once(request, ended, stream=False))
            token = str(answer["token"])
            self._key = token
            return token

    async def _pages(
        self, endpoint: Endpoint, parameters: Parameters, options: CallOptions
    ) -> AsyncIterator[Any]:
        following: Parameters | None = parameters
        while following is not None:
            page = await self._call(endpoint, following, None, options)
            yield page
            following = next_of(page, following)

    async def _records(
        self, endpoint: Endpoint, parameters: Parameters, options: CallOptions
    ) -> AsyncIterator[Any]:
        async for page in self._pages(endpoint, parameters, options):
            for record in page["data"]:
                yield record

    async def _events(
        self,
        endpoint: Endpoint,
        parameters: Parameters,
        options: CallOptions,
        last_event_id: str | None,
    ) -> AsyncIterator[Event]:
        """Follows the stream, and comes back where it was when the connection ends."""
        reader = EventReader(last_event_id)
        silence: CallOptions = {**options, "timeout": options.get("timeout", EVENT_SILENCE)}
        attempt = 1
        while True:
            sent = {"Last-Event-ID": reader.last_event_id} if reader.last_event_id else {}
            async with aclosing(
                await self._send(endpoint, parameters, None, silence, stream=True, headers=sent)
            ) as response:
                try:
                    async for line in response.aiter_lines():
                        event = reader.take(line)
                        if event is not None:
                            attempt = 1
                            yield event
                    if parameters.get("follow") == "no":
                        return
                except httpx.TransportError as cause:
                    error = error_of_transport(cause)
                    if attempt > options.get("retries", self._settings.retries):
                        raise error from cause
            reader.forget()
            await asyncio.sleep(pause_after(LOST, attempt, self._settings.longest_pause) or 0)
            attempt += 1
