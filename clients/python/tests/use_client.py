"""Uses the installed package against a service that runs: `npm run generators` starts both."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import httpx
from lora_fleet_client import (
    AsyncClient,
    Client,
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
from lora_fleet_client.frames import export_frame, export_frame_async, measurements_frame
from lora_fleet_client.types import QueryMeasurementsRequest

URL, KEY, EUI = os.environ["LORA_URL"], os.environ["LORA_KEY"], os.environ["LORA_EUI"]
EMAIL, PASSWORD = os.environ["LORA_EMAIL"], os.environ["LORA_PASSWORD"]
DAY = timedelta(days=1)
NOW = datetime.fromisoformat(os.environ["LORA_TIME"])


def main() -> None:
    with Client(URL, KEY) as fleet:
        use_operations(fleet)
        read_lists(fleet)
        meet_errors(fleet)
        read_exports(fleet)
        read_measurements(fleet)
        follow_events(fleet)
    send_again()
    sign_in()
    asyncio.run(use_async())
    print("all done")


def raises(kind: type[Exception], act: Callable[[], object]) -> Exception:
    try:
        act()
    except kind as error:
        assert type(error) is kind, repr(error)
        return error
    raise AssertionError(f"{kind.__name__} did not come")


def use_operations(fleet: Client) -> None:
    assert fleet.get_fleet_summary()["data"]["devices"]["total"] == 5
    device = fleet.get_fleet_device(EUI)["data"]
    fleet.update_device(device["id"], {"device_name": "Front door"})
    found = fleet.list_fleet_devices(search="Front")["data"]
    assert [each["id"] for each in found] == [device["id"]]
    group = fleet.create_group({"groupName": "Barn"})["data"]
    assert fleet.delete_group(group["id"]) is None  # type: ignore[func-returns-value]


def read_lists(fleet: Client) -> None:
    names = sorted(each["device_name"] for each in fleet.records.list_fleet_devices(limit=1000))
    assert len(names) == 5
    # A cursor, numbered pages, and pages that only say whether more follow.
    assert sorted(d["device_name"] for d in fleet.records.list_fleet_devices(limit=2)) == names
    pages = fleet.pages.list_devices(itemsPerPage=2)
    assert [len(page["data"]) for page in pages] == [2, 2, 1]
    lite = fleet.pages.list_devices(version="lite", itemsPerPage=2)
    assert [len(page["data"]) for page in lite] == [2, 2, 1]


def meet_errors(fleet: Client) -> None:
    raises(UnauthenticatedError, lambda: Client(URL, "lfc_unknown").get_fleet_summary())
    raises(NotFoundError, lambda: fleet.get_job(4711))
    raises(ForbiddenError, fleet.list_api_keys)
    error = raises(ValidationError, lambda: fleet.create_group({"groupName": ""}))
    assert isinstance(error, ValidationError) and error.status == 422
    assert list(error.errors) == ["groupName"] and error.request_id
    raises(ValueError, lambda: fleet.get_fleet_device(""))
    nowhere = Client("http://127.0.0.1:1", KEY, retries=0)
    raises(ConnectionFailedError, nowhere.get_fleet_summary)


def read_exports(fleet: Client) -> None:
    records = list(fleet.export_fleet_uplinks_ndjson(device=EUI))
    assert [record["f_cnt"] for record in records] == [2, 1]
    with fleet.export_fleet_uplinks_csv() as lines:
        assert next(iter(lines)).startswith("received_at,event_time,device_id")
    content = io.BytesIO()
    assert fleet.export_fleet_devices().save(content) == len(content.getvalue()) > 0
    assert EUI in fleet.export_fleet_devices().read()
    for frame in (
        export_frame(fleet.export_fleet_uplinks_csv()),
        export_frame(fleet.export_fleet_uplinks_ndjson()),
    ):
        assert list(frame["device_id"]) == [EUI, EUI]
        assert str(frame["event_time"].dtype).endswith("UTC]")
        assert all(isinstance(payload, str) for payload in frame["data"])
    none = fleet.export_fleet_uplinks_csv(until=NOW - 365 * DAY)
    assert len(export_frame(none)) == 0
    raises(NotFoundError, lambda: fleet.export_fleet_uplinks_csv(device="00AA00000000FFFF"))


def query() -> QueryMeasurementsRequest:
    return {
        "from": (NOW - 2 * DAY).isoformat(),
        "to": (NOW + DAY).isoformat(),
        "step": "1d",
        "aggregate": ["min", "max"],
        "series": [{"devices": [EUI], "measurement": "temperature"}],
    }


def read_measurements(fleet: Client) -> None:
    answer = fleet.query_measurements(query())
    frame = measurements_frame(answer, ["min", "max"])
    assert (frame["min"].iloc[0], frame["max"].iloc[0]) == (21.5, 23.0), frame
    raises(ValueError, lambda: measurements_frame(answer))
    wide = measurements_frame(answer, ["min", "max"], wide=True)
    assert [str(name) for name in wide.columns] == [str((EUI, "temperature"))] and wide.iloc[
        0, 0
    ] == 21.5
    one = fleet.get_device_measurements(EUI, from_=NOW - DAY, to=NOW + DAY)
    points = measurements_frame(one)
    assert points[points["measurement"] == "temperature"]["count"].sum() == 2, points
    assert len(measurements_frame({"data": []})) == 0


def follow_events(fleet: Client) -> None:
    missed = list(fleet.events(kinds="uplink", follow=False, last_event_id=f"{first_id(fleet)}"))
    assert [event.data["f_cnt"] for event in missed] == [2], missed


def first_id(fleet: Client) -> str:
    """Where the stream was after the first uplink."""
    older, first = list(fleet.export_fleet_uplinks_ndjson(device=EUI))[::-1][:1] * 2
    return f"1.{first['ordinal']}.0"


class Disturbed(httpx.BaseTransport):
    """Stands between client and service; `fates` say what becomes of the requests."""

    def __init__(self, *fates: str) -> None:
        self.fates = list(fates)
        self.seen: list[httpx.Request] = []
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        fate = self.fates.pop(0) if self.fates else "pass"
        if fate == "busy":
            return httpx.Response(503, headers={"retry-after": "0"})
        if fate == "later":
            return httpx.Response(429, headers={"retry-after": "3600"})
        if fate == "hang":
            raise httpx.ReadTimeout("")
        response = self.inner.handle_request(request)
        if fate == "lose answer":
            response.close()
            raise httpx.ReadError("")
        return response


def disturbed(*fates: str) -> tuple[Client, Disturbed]:
    between = Disturbed(*fates)
    return Client(URL, KEY, longest_pause=0.01, http=httpx.Client(transport=between)), between


def send_again() -> None:
    fleet, between = disturbed("busy", "lose answer")
    before = len(Client(URL, KEY).list_groups()["data"])
    fleet.create_group({"groupName": "Once"})
    assert len(fleet.list_groups()["data"]) == before + 1
    keys = [request.headers["idempotency-key"] for request in between.seen[:3]]
    assert len(set(keys)) == 1 and len(keys[0]) == 32
    once = fleet.create_group({"groupName": "Order"}, idempotency_key="once-4712")
    again = fleet.create_group({"groupName": "Order"}, idempotency_key="once-4712")
    assert once["data"]["id"] == again["data"]["id"]

    fleet, between = disturbed("busy")
    raises(ServerError, lambda: fleet.update_device(EUI, {"device_name": "Gate"}))
    assert len(between.seen) == 1
    fleet, between = disturbed(*["busy"] * 9)
    raises(ServerError, fleet.get_fleet_summary)
    assert len(between.seen) == 4
    fleet, between = disturbed("later")
    raises(TooManyRequestsError, fleet.get_fleet_summary)
    assert len(between.seen) == 1
    fleet, between = disturbed("hang")
    raises(TimedOutError, lambda: fleet.get_fleet_summary(retries=0, timeout=0.1))
    # A stream goes on where it was.
    fleet, between = disturbed("lose answer")
    assert len(list(fleet.events(follow=False, last_event_id=first_id(fleet), kinds="uplink"))) == 1


def sign_in() -> None:
    with Client.sign_in(URL, EMAIL, PASSWORD) as person:
        assert person.get_fleet_summary()["data"]["devices"]["total"] == 5
        former = person._key
        person.renew()
        assert person._key != former
        # As if another program had exchanged it: the token has ended, and is no longer exchanged.
        person.refresh_token()
        assert person.get_current_user()["data"]["email"] == EMAIL
        person.sign_out()
    raises(UnauthenticatedError, lambda: Client.sign_in(URL, EMAIL, "wrong"))
    careful, recovery = os.environ["LORA_CAREFUL"], os.environ["LORA_RECOVERY"]
    secret = os.environ["LORA_CAREFUL_PASSWORD"]
    raises(SecondFactorNeededError, lambda: Client.sign_in(URL, careful, secret))
    member = Client.sign_in(URL, careful, secret, recovery_code=recovery)
    assert member.get_current_user()["data"]["email"] == careful


async def use_async() -> None:
    async with AsyncClient(URL, KEY) as fleet:
        summary, device = await asyncio.gather(
            fleet.get_fleet_summary(), fleet.get_fleet_device(EUI)
        )
        assert summary["data"]["devices"]["total"] == 5
        assert device["data"]["device_id"] == EUI
        names = [each["device_name"] async for each in fleet.records.list_fleet_devices(limit=2)]
        assert len(names) == 5
        records = [each async for each in await fleet.export_fleet_uplinks_ndjson()]
        assert len(records) == 2
        frame = await export_frame_async(await fleet.export_fleet_uplinks_csv())
        assert len(frame) == 2
        lines = await export_frame_async(await fleet.export_fleet_uplinks_ndjson())
        assert list(lines["device_id"]) == [EUI, EUI]
        answer = await fleet.query_measurements(query())
        assert measurements_frame(answer, ["min", "max"])["max"].iloc[0] == 23.0
        first = f"1.{records[-1]['ordinal']}.0"
        missed = [each async for each in fleet.events(follow=False, last_event_id=first)]
        assert [each.kind for each in missed] == ["uplink"], missed
        try:
            await fleet.get_job(4711)
        except NotFoundError:
            pass
        else:
            raise AssertionError("a job that is not there")
    async with await AsyncClient.sign_in(URL, EMAIL, PASSWORD) as person:
        await person.renew()
        assert (await person.get_current_user())["data"]["email"] == EMAIL


if __name__ == "__main__":
    main()
