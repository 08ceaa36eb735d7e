"""What both clients do without a connection: make requests, read answers, and choose pauses."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import quote

import httpx

from .errors import BY_STATUS, ApiError, ConnectionFailedError, ServerError, TimedOutError

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Parameters = Mapping[str, object]


class CallOptions(TypedDict):
    """What a single call may have of its own."""

    timeout: NotRequired[float]
    """Seconds that the service may be silent."""
    retries: NotRequired[int]
    """Further tries."""
    idempotency_key: NotRequired[str]
    """In place of one that is made up. The same key makes the service repeat its first answer."""


@dataclass(frozen=True)
class Endpoint:
    """An operation of the API."""

    method: str
    path: str
    """Below `/v1`, such as `/devices/{device_id}`."""
    repeat: Literal["safe", "keyed", "never"]
    """Whether it may be sent again without knowing what became of the first one: it only reads; it
    carries an `Idempotency-Key`; or never."""


REFRESH = Endpoint("GET", "/auth/refresh-token", "never")


@dataclass(frozen=True)
class Settings:
    """How to reach the service, and how patiently."""

    url: str
    organization: int | None
    timeout: float
    retries: int
    longest_pause: float

    def tries_of(self, endpoint: Endpoint, options: CallOptions) -> int:
        if endpoint.repeat == "never":
            return 1
        return 1 + options.get("retries", self.retries)


def make_request(
    http: httpx.Client | httpx.AsyncClient,
    settings: Settings,
    endpoint: Endpoint,
    parameters: Parameters,
    body: object,
    options: CallOptions,
) -> httpx.Request:
    """The request without its `Authorization`, which may change from try to try."""

    def fill(match: re.Match[str]) -> str:
        value = parameters.get(match[1])
        if value is None or value == "":
            raise ValueError(f"{match[1]} is missing.")
        return quote(str(value), safe="")

    in_path = set(re.findall(r"\{(\w+)\}", endpoint.path))
    path = re.sub(r"\{(\w+)\}", fill, endpoint.path)
    query = {
        name: _text(value)
        for name, value in parameters.items()
        if name not in in_path and value is not None
    }
    headers = {"Accept": "application/json"}
    if settings.organization is not None:
        headers["Organization"] = str(settings.organization)
    if endpoint.repeat == "keyed":
        headers["Idempotency-Key"] = options.get("idempotency_key") or secrets.token_hex(16)
    return http.build_request(
        endpoint.method,
        f"{settings.url}/v1{path}",
        params=query,
        headers=headers,
        json=body,
        timeout=options.get("timeout", settings.timeout),
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        # A time without a zone is local, as everywhere in Python.
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)


def read_content(response: httpx.Response) -> Any:
    """The body: JSON parsed, pictures as bytes, everything else as text; None if there is none."""
    if response.content == b"":
        return None
    kind = response.headers.get("content-type", "")
    if kind.startswith("image/"):
        return response.content
    if "application/json" not in kind:
        return response.text
    try:
        return response.json()
    except ValueError as cause:
        raise ConnectionFailedError("The answer is not complete.") from cause


def error_of(response: httpx.Response) -> ApiError:
    """The error of an answer that is no success. Its body has been read."""
    status = response.status_code
    content = read_content(response)
    parts = content if isinstance(content, dict) else {}
    message, errors = parts.get("message"), parts.get("errors")
    kind = BY_STATUS.get(status) or (ServerError if status >= 500 else ApiError)
    return kind(
        message if isinstance(message, str) else f"The service answered with {status}.",
        status=status,
        errors=errors if isinstance(errors, dict) else None,
        content=content,
        request_id=response.headers.get("x-request-id"),
        retry_after=_read_seconds(response.headers.get("retry-after")),
    )


def error_of_transport(cause: httpx.TransportError) -> ConnectionFailedError:
    if isinstance(cause, httpx.TimeoutException):
        return TimedOutError("No answer came in time.")
    return ConnectionFailedError("The service does not answer.")


def _read_seconds(value: str | None) -> float | None:
    """Seconds or a date (RFC 9110, 10.2.3)."""
    if not value:
        return None
    if value.isdigit():
        return float(value)
    try:
        left = parsedate_to_datetime(value) - datetime.now(timezone.utc)
    except (TypeError, ValueError):
        return None
    return max(0.0, left.total_seconds())


_PASSING = frozenset((429, 502, 503, 504))
_FIRST_PAUSE = 0.5


def pause_after(error: ApiError, attempt: int, longest: float) -> float | None:
    """Seconds until the next try; None if none makes sense."""
    # 409 with a time: the first request of the same Idempotency-Key is still being handled.
    is_busy = error.status == 409 and error.retry_after is not None
    is_passing = isinstance(error, ConnectionFailedError) or error.status in _PASSING
    if not is_passing and not is_busy:
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= longest else None
    # Clients that were cut off together come back one by one.
    return float(min(longest, _FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + random.random() / 2))


def next_of(page: Mapping[str, Any], sent: Parameters) -> Parameters | None:
    """What asks for the next page of a list; None after the last one."""
    after = page.get("after")
    if after is not None:
        return None if after == sent.get("after") else {**sent, "after": after}
    links = page.get("links")
    has_more = links["next"] is not None if links else page.get("more") is True
    if not has_more:
        return None
    number = sent.get("page")
    return {**sent, "page": (number if isinstance(number, int) else 1) + 1}
