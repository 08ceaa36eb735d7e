"""The failures of calls. Each is an `ApiError`."""

from __future__ import annotations

from collections.abc import Mapping


class ApiError(Exception):
    """A call failed. The message is the service's own if it answered."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        errors: Mapping[str, list[str]] | None = None,
        content: object = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """Of the answer; 0 if none came."""
        self.errors: dict[str, list[str]] = dict(errors or {})
        """Messages by field, of a 422. A field in another is named `outer.inner`."""
        self.content = content
        """The whole body of the answer, parsed if it is JSON."""
        self.request_id = request_id
        """Names the request in the service's log."""
        self.retry_after = retry_after
        """Seconds after which the service asks to try again."""

    def __str__(self) -> str:
        fields = "".join(f"\n  {name}: {' '.join(texts)}" for name, texts in self.errors.items())
        return self.message + fields


class BadRequestError(ApiError):
    """400: the request cannot be read."""


class UnauthenticatedError(ApiError):
    """401: the key or token is missing, unknown, expired or ended."""


class SecondFactorNeededError(UnauthenticatedError):
    """The login needs a code too: pass `code` or `recovery_code`."""


class ForbiddenError(ApiError):
    """403: the permission is missing, or the membership."""


class NotFoundError(ApiError):
    """404: there is no such thing in the organization, or for this key."""


class ConflictError(ApiError):
    """409: the state does not allow it."""


class ValidationError(ApiError):
    """422: fields are missing or wrong; `errors` names all of them."""


class TooManyRequestsError(ApiError):
    """429: the allowance of this minute is spent."""


class ServerError(ApiError):
    """500 and above: the service is faulty, busy or stopping."""


class ConnectionFailedError(ApiError):
    """No whole answer came. The request may have been carried out or not."""


class TimedOutError(ConnectionFailedError):
    """The answer did not come in time. The request may have been carried out or not."""


BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: TooManyRequestsError,
}
