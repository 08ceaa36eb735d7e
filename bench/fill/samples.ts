import type { Queryable } from '../../server/src/db/connect.ts'
import { decodeFrame } from '../../server/src/sensors/decode.ts'
import { renderObject } from '../../server/src/sensors/render.ts'
import type { Reading, Sensor } from '../../server/src/sensors/sensor.ts'
import { airTemperatureHumidity } from '../../server/src/sensors/types/air-temperature-humidity.ts'
import { compass } from '../../server/src/sensors/types/compass.ts'
import { doorWindow } from '../../server/src/sensors/types/door-window.ts'
import { gps } from '../../server/src/sensors/types/gps.ts'
import { thermocouple } from '../../server/src/sensors/types/thermocouple.ts'
import { ultrasonicLevel } from '../../server/src/sensors/types/ultrasonic-level.ts'
import { voltage } from '../../server/src/sensors/types/voltage.ts'
import { payload } from '../uplink-message.ts'

/** The first is the one that sends the uplinks of the load generator. */
const sensors: readonly Sensor[] = [
  ...[airTemperatureHumidity, doorWindow, gps, thermocouple, ultrasonicLevel, voltage, compass],
]

/** The device types of a filled fleet, in turn. */
export const typeIds = sensors.map(({ deviceTypes }) => deviceTypes[0]?.typeId ?? 0)

/** Frames that a device of each type sends in turn. Every 24th is its health report. */
export const samplesPerType = 240
const healthEvery = 24

/** A health report: a battery that falls from 3.2 to 2.9 V (sensors/frames/supervisory.ts). */
function healthFrame(turn: number): Buffer {
  return Buffer.from([0x10, 0x01, 0, 0, 0x32 - (turn % 4), 0, 0, 0, 0, 0, 5])
}

function framesOf(sensor: Sensor): Buffer[] {
  const frames =
    sensor === airTemperatureHumidity
      ? Array.from({ length: 200 }, (_, variation) => payload(variation))
      : sensor.examples.map(({ hex }) => Buffer.from(hex, 'hex'))
  return Array.from({ length: samplesPerType }, (_, turn) =>
    turn % healthEvery === 0
      ? healthFrame(turn / healthEvery)
      : (frames[turn % frames.length] ?? healthFrame(turn)),
  )
}

/**
 * Makes `bench.samples`: for each type the uplinks of its devices, decoded as the service decodes
 * them, in the form of short rows (docs/decisions/0031-rows-of-uplinks.md), and `bench.types` with the
 * status that they leave.
 */
export async function makeSamples(db: Queryable): Promise<void> {
  await db.query(
    `create table bench.samples (
       type_id integer, number integer, event_type uplink_event, sensor_sequence integer[], decoded_object jsonb,
       payload bytea, primary key (type_id, number)
     )`,
  )
  await db.query('create table bench.types (type_id integer primary key, status jsonb)')
  for (const [place, sensor] of sensors.entries()) {
    const frames = framesOf(sensor)
    const readings = frames.map((bytes) => decodeFrame({ bytes, fPort: 1 }))
    await storeSamples(db, typeIds[place] ?? 0, frames, readings)
  }
  await db.query('analyze bench.samples')
}

async function storeSamples(
  db: Queryable,
  typeId: number,
  frames: readonly Buffer[],
  readings: readonly Reading[],
): Promise<void> {
  const rows = readings.map((reading, number) => ({
    ...{ type_id: typeId, number, event_type: reading.event },
    sensor_sequence: reading.sequence,
    decoded_object: renderObject(reading),
    payload: `\\x${frames[number]?.toString('hex')}`,
  }))
  await db.query(
    `insert into bench.samples
     select * from json_populate_recordset(null::bench.samples, $1::json)`,
    [JSON.stringify(rows)],
  )
  const status = Object.assign({}, ...readings.map((reading) => reading.status))
  await db.query('insert into bench.types values ($1, $2)', [typeId, JSON.stringify(status)])
}
