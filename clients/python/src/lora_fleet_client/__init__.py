"""A typed client of the LoRa fleet API."""

from ._requests import CallOptions
from ._streams import AsyncJsonLines, AsyncTextLines, Event, JsonLines, TextLines
from .client import AsyncClient, Client
from .errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    NotFoundError,
    SecondFactorNeededError,
    ServerError,
    TimedOutError,
    TooManyRequestsError,
    UnauthenticatedError,
    ValidationError,
)

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncJsonLines",
    "AsyncTextLines",
    "BadRequestError",
    "CallOptions",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "Event",
    "ForbiddenError",
    "JsonLines",
    "NotFoundError",
    "SecondFactorNeededError",
    "ServerError",
    "TextLines",
    "TimedOutError",
    "TooManyRequestsError",
    "UnauthenticatedError",
    "ValidationError",
]
