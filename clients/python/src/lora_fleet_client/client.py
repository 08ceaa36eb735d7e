"""The clients: all operations of the API by name, with and without asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._operations import (
    ENDPOINTS,
    AsyncOperations,
    AsyncPages,
    AsyncRecords,
    Operations,
    Pages,
    Records,
)
from ._requests import CallOptions, Settings
from ._streams import Event
from .errors import SecondFactorNeededError

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Client(Operations):
    """All operations of one service and one organization. Nothing is sent before the first call.

    `url` is where the service is, without `/v1`. `key` is an API key, or the token of a login, which
    needs `organization`; a function is asked before each request. `timeout` is how many seconds the
    service may be silent, and `retries` how many further tries there are where that is safe, with
    pauses of up to `longest_pause` seconds. `http` brings own proxies, certificates or limits.
    Threads may share a client.
    """

    def __init__(
        self,
        url: str,
        key: str | Callable[[], str],
        *,
        organization: int | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        longest_pause: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        settings = Settings(url.rstrip("/"), organization, timeout, retries, longest_pause)
        super().__init__(settings, key, http)
        self.records = Records(self)
        """The records of lists, page after page."""
        self.pages = Pages(self)
        """The pages of lists, one request each."""

    @classmethod
    def sign_in(
        cls,
        url: str,
        email: str,
        password: str,
        *,
        code: str | None = None,
        recovery_code: str | None = None,
        organization: int | None = None,
        **settings: Any,
    ) -> Self:
        """A client for a person, with the person's first organization unless one is named.

        Where two-factor authentication is on, `code` is what the app shows. Without it the login
        fails with `SecondFactorNeededError`. The token is exchanged by itself when it has ended.
        """
        client = cls(url, "", **settings)
        try:
            answer = client.log_in(_credentials(email, password, code, recovery_code))
            token, chosen = _read_login(dict(answer), organization)
        except BaseException:
            client.close()
            raise
        client._take_login(token, chosen)
        return client

    def sign_out(self) -> None:
        """Ends the token, and the client."""
        self.log_out()
        self.close()

    def renew(self) -> None:
        """Exchanges the token now. It lasts 30 days, and can be exchanged for 14 days more."""
        self._renew(self._key if isinstance(self._key, str) else self._key())

    def events(
        self,
        *,
        kinds: str | None = None,
        device: str | int | None = None,
        group: int | None = None,
        network: str | None = None,
        tag: str | None = None,
        type: int | None = None,
        follow: bool = True,
        last_event_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[Event]:
        """Uplinks, downlinks and changes as they happen.

        After a lost connection it goes on behind the last event: no uplink twice, and none left out.
        With `follow=False` it ends when everything since `last_event_id` is read.
        """
        parameters = {
            "kinds": kinds,
            "device": device,
            "group": group,
            "network": network,
            "tag": tag,
            "type": type,
            "follow": None if follow else "no",
        }
        return self._events(ENDPOINTS["follow_events"], parameters, options, last_event_id)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """`Client` for asyncio: the same names, to be awaited. One belongs to one event loop."""

    def __init__(
        self,
        url: str,
        key: str | Callable[[], Awaitable[str]],
        *,
        organization: int | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        longest_pause: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        settings = Settings(url.rstrip("/"), organization, timeout, retries, longest_pause)
        super().__init__(settings, key, http)
        self.records = AsyncRecords(self)
        """The records of lists, page after page."""
        self.pages = AsyncPages(self)
        """The pages of lists, one request each."""

    @classmethod
    async def sign_in(
        cls,
        url: str,
        email: str,
        password: str,
        *,
        code: str | None = None,
        recovery_code: str | None = None,
        organization: int | None = None,
        **settings: Any,
    ) -> Self:
        """See `Client.sign_in`."""
        client = cls(url, "", **settings)
        try:
            answer = await client.log_in(_credentials(email, password, code, recovery_code))
            token, chosen = _read_login(dict(answer), organization)
        except BaseException:
            await client.aclose()
            raise
        client._take_login(token, chosen)
        return client

    async def sign_out(self) -> None:
        """Ends the token, and the client."""
        await self.log_out()
        await self.aclose()

    async def renew(self) -> None:
        """Exchanges the token now. It lasts 30 days, and can be exchanged for 14 days more."""
        await self._renew(self._key if isinstance(self._key, str) else await self._key())

    def events(
        self,
        *,
        kinds: str | None = None,
        device: str | int | None = None,
        group: int | None = None,
        network: str | None = None,
        tag: str | None = None,
        type: int | None = None,
        follow: bool = True,
        last_event_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[Event]:
        """See `Client.events`."""
        parameters = {
            "kinds": kinds,
            "device": device,
            "group": group,
            "network": network,
            "tag": tag,
            "type": type,
            "follow": None if follow else "no",
        }
        return self._events(ENDPOINTS["follow_events"], parameters, options, last_event_id)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


def _credentials(email: str, password: str, code: str | None, recovery_code: str | None) -> Any:
    body = {"email": email, "password": password}
    if code is not None:
        return {**body, "verify_2fa": "yes", "authentication_code": code}
    if recovery_code is not None:
        return {**body, "verify_2fa": "no", "recovery_code": recovery_code}
    return body


def _read_login(answer: dict[str, Any], organization: int | None) -> tuple[str, int | None]:
    """The token, and the organization to use: the first one unless it is named."""
    if "token" not in answer:
        raise SecondFactorNeededError(str(answer.get("message")), status=200, content=answer)
    known = [each["id"] for each in answer["organizations"]]
    return str(answer["token"]), organization or (known[0] if known else None)
