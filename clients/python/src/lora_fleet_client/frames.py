"""Measurements and exports as a `DataFrame` of pandas. It needs `lora-fleet-client[pandas]`."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import IO, Any

import pandas as pd

from ._streams import AsyncJsonLines, AsyncTextLines, JsonLines, TextLines


def measurements_frame(
    answer: Mapping[str, Any], aggregate: Sequence[str] = ("avg",), *, wide: bool = False
) -> pd.DataFrame:
    """The points of `query_measurements` or of `get_device_measurements`, one in each row.

    `aggregate` is what the query asked for: it names the columns of the values, as `avg` or `max`.
    (Those of `time_in` are named by the states, in seconds.) `get_device_measurements` always has
    `min`, `max`, `average` and `count`. Times are in UTC. `wide` has a row for each time, and a column
    for each measurement of each device, with the first of the values.
    """
    rows: list[dict[str, Any]] = []
    columns: list[str] = []
    for series in answer["data"]:
        names = [str(each["value"]) for each in series.get("values", ())] or list(aggregate)
        about = {
            "device_id": series.get("device_id"),
            "device_name": series.get("device_name"),
            "measurement": series.get("measurement", series.get("name")),
            "quantity": series["quantity"],
            "unit": series["unit"],
        }
        for point in series["points"]:
            if isinstance(point, Mapping):
                values = {name: value for name, value in point.items() if name != "time"}
                time = point["time"]
            else:
                time, *found = point
                if len(found) != len(names):
                    raise ValueError(
                        f"a point has {len(found)} values, and aggregate names {len(names)}"
                    )
                values = dict(zip(names, found))
            columns += [name for name in values if name not in columns]
            rows.append({"time": time, **about, **values})
    heads = ["time", "device_id", "device_name", "measurement", "quantity", "unit"]
    frame = pd.DataFrame(rows, columns=heads + (columns or list(aggregate)))
    frame["time"] = pd.to_datetime(frame["time"], utc=True, format="ISO8601")
    if frame["device_id"].isna().all() and len(frame) > 0:
        # Of one device, which the answer does not name.
        frame = frame.drop(columns=["device_id", "device_name"])
    return _widen(frame) if wide else frame


def _widen(frame: pd.DataFrame) -> pd.DataFrame:
    keys = [key for key in ("device_id", "measurement") if key in frame.columns]
    names = [str(name) for name in frame.columns]
    value = "average" if "average" in names else names[names.index("unit") + 1]
    wide: pd.DataFrame = frame.pivot(index="time", columns=keys, values=value)
    return wide


def export_frame(export: TextLines | JsonLines) -> pd.DataFrame:
    """A whole export. EUIs, payloads and names stay text, and times are in UTC.

    Of lines of JSON, a column `decoded_object.temperature` holds the member of that object.
    """
    if isinstance(export, JsonLines):
        with export:
            return _read_records(list(export))
    with export.file() as file:
        return _read_csv(file)


async def export_frame_async(export: AsyncTextLines | AsyncJsonLines) -> pd.DataFrame:
    """`export_frame` for an `AsyncClient`."""
    if isinstance(export, AsyncJsonLines):
        return _read_records([record async for record in export])
    content = io.BytesIO()
    await export.save(content)
    content.seek(0)
    return _read_csv(content)


# `1e0301` is a payload, and no number; `NA` may be the name of a device.
_TEXTS = ("device_id", "DeviceId", "data", "device_name", "name", "gateway_eui", "join_eui", "tags")


def _read_csv(file: IO[bytes] | io.BufferedReader) -> pd.DataFrame:
    frame = pd.read_csv(
        file,
        dtype=dict.fromkeys(_TEXTS, str),
        keep_default_na=False,
        na_values=[""],
        skipinitialspace=True,
        encoding="utf-8-sig",
    )
    return _read_times(frame)


def _read_records(records: list[dict[str, Any]]) -> pd.DataFrame:
    return _read_times(pd.json_normalize(records))


def _read_times(frame: pd.DataFrame) -> pd.DataFrame:
    for name in map(str, frame.columns):
        if name.endswith(("_at", "_time")) or name in ("eventTime", "last_seen"):
            # `--` stands for no time.
            frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601", errors="coerce")
    return frame
