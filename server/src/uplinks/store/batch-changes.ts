import type { Queryable } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { TellingUplink } from '../../features/downlinks/telling-uplinks.ts'
import { isWarning, type Warning } from '../../features/fleet/inventory/coarse-states.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Reception } from '../../networks/network-message.ts'
import { compareSnr } from '../../networks/uplink.ts'
import { reassembleFrame } from '../../sensors/reassembly.ts'
import { renderMessage, renderObject } from '../../sensors/render.ts'
import type { Frame, Reading, StatusChange } from '../../sensors/sensor.ts'
import type { GatewayOfUplink } from '../rows/receptions.ts'
import { type Arrival, networkOf } from './arrival.ts'
import { keyOf, uplinkKeyOf } from './key-queries.ts'
import {
  findReceptions,
  type GatewayReception,
  type HeardUplink,
  setReceptions,
} from './reception-queries.ts'
import {
  type DeviceState,
  readMemories,
  type StatusTimes,
  type UplinkRow,
  writeMemories,
} from './writer-queries.ts'

/*
 * What the uplinks of a batch change: states of devices, rows, gateways, downlinks.
 */

/**
 * The time that puts a frame in order: the time that its network reports, but never later than its
 * arrival here. With a network clock that runs ahead, or a time in the far future, the state would
 * otherwise ignore all later frames. The uplink itself keeps the time of the network.
 */
export function heardAt(receivedAt: string, arrivedAt: string): string {
  return receivedAt < arrivedAt ? receivedAt : arrivedAt
}

/**
 * Applies the changes of a frame heard at `time` to the state. A field keeps the value of the
 * latest frame that contains it, so a late frame never overwrites a newer state.
 */
export function mergeStatus(state: DeviceState, time: string, change: StatusChange): void {
  if (state.last_seen === null || time > state.last_seen) state.last_seen = time
  for (const field of Object.keys(change) as (keyof StatusChange)[]) {
    const known = state.status_times[field]
    if (known !== undefined && known > time) continue
    if (isWarning(field) && state.status[field] !== change[field]) {
      noteWarning(state.status_times, field, change[field] === 'Yes' ? time : undefined)
    }
    Object.assign(state.status, { [field]: change[field] })
    state.status_times[field] = time
  }
}

function noteWarning(times: StatusTimes, field: Warning, since: string | undefined): void {
  const { [field]: _, ...others } = times.since ?? {}
  times.since = since === undefined ? others : { ...others, [field]: since }
  if (Object.keys(times.since).length === 0) delete times.since
}

/** A frame that is decoded together with other frames of its device. */
interface JoinedFrame {
  device: { id: number; organization_id: number }
  frame: Frame
  reading: Reading
  /** The time of `heardAt`: ISO 8601 in UTC with microseconds. */
  heard: string
}

/**
 * The stored parts of messages that take several frames, for each device. Call `save` in the
 * transaction that stores the uplinks, under the lock of the counters of their organizations.
 */
export interface FrameMemories {
  join(frame: JoinedFrame): Reading
  save(tx: Transaction): void
}

/** Queries the database only if `devices` is not empty. Most batches contain no such frame. */
export async function openMemories(
  tx: Queryable,
  devices: readonly JoinedFrame['device'][],
): Promise<FrameMemories> {
  const known = devices.length === 0 ? [] : await readMemories(tx, devices)
  const memories = new Map(known.map((row) => [row.device_id, row.memory]))
  const changed = new Map<number, number>()
  return {
    join({ device, frame, reading, heard }) {
      const joined = reassembleFrame(frame, reading, heard, memories.get(device.id) ?? {})
      memories.set(device.id, joined.memory)
      changed.set(device.id, device.organization_id)
      return joined.reading
    },
    save(tx) {
      if (changed.size === 0) return
      const rows = [...changed].map(([device_id, organization_id]) => {
        return { organization_id, device_id, memory: memories.get(device_id) ?? {} }
      })
      writeMemories(tx, rows)
    },
  }
}

function toGateways(receptions: readonly Reception[]): GatewayOfUplink[] {
  return receptions.map(({ gatewayEui, rssi, snr, latitude, longitude }) => ({
    gateway_eui: gatewayEui,
    rssi,
    snr,
    lat: latitude,
    lng: longitude,
  }))
}

/**
 * Adds the gateways of further messages to stored uplinks, best SNR first. The uplink takes its
 * signal and place from the first gateway. The counters of the organizations are locked, so no
 * other writer changes these rows. Returns the arrivals that brought any, with only these.
 */
export async function addReceptions<More extends { arrival: Arrival; device: KnownDevice }>(
  tx: Queryable,
  further: readonly More[],
): Promise<More[]> {
  const stored = await findReceptions(
    tx,
    further.map(({ arrival, device }) => uplinkKeyOf(device, arrival.uplink)),
  )
  const byKey = new Map(stored.map((row) => [keyOf(row.device_id, row.deduplication_key), row]))
  const changed = new Set<HeardUplink>()
  const news = further.flatMap((one) => {
    const { uplink } = one.arrival
    const row = byKey.get(keyOf(one.device.id, uplink.deduplicationKey))
    if (!row) return []
    const known = new Set(row.gateways.map(({ gateway_eui }) => gateway_eui))
    const receptions = uplink.receptions.filter(
      // A reception without a gateway adds nothing if gateways are known.
      ({ gatewayEui }) => !known.has(gatewayEui) && (gatewayEui !== '' || known.size === 0),
    )
    if (receptions.length === 0) return []
    const named = row.gateways.filter(({ gateway_eui }) => gateway_eui !== '')
    row.gateways = [...named, ...toGateways(receptions)].sort(compareSnr)
    changed.add(row)
    return [{ ...one, arrival: { ...one.arrival, uplink: { ...uplink, receptions } } }]
  })
  if (changed.size > 0) await setReceptions(tx, [...changed])
  return news
}

/**
 * Counts the uplinks of a batch for each gateway that heard them. It includes gateways that are not
 * registered.
 */
export function countGateways() {
  const counts = new Map<string, GatewayReception>()
  return {
    /**
     * Counts the uplink, heard at `time`, for gateways of this organization: the one of its device.
     */
    add(organizationId: number, { account, uplink }: Arrival, time: string): void {
      const positions = positionsOf(uplink.receptions)
      for (const eui of gatewaysOf(account.gatewayEui, uplink.receptions)) {
        const key = `${organizationId} ${account.network} ${eui}`
        const known = counts.get(key)
        const position = positions?.get(eui)
        if (known) {
          known.uplinks += 1
          if (time < known.first) known.first = time
          if (time > known.last) known.last = time
          Object.assign(known, position)
        } else {
          const { network } = account
          const gateway = { organization_id: organizationId, network, eui, ...position }
          counts.set(key, { ...gateway, uplinks: 1, first: time, last: time })
        }
      }
    },
    rows: (): GatewayReception[] => [...counts.values()],
  }
}

/** Returns each gateway once. A gateway that delivers an uplink itself has also heard it. */
function gatewaysOf(sender: string | undefined, receptions: { gatewayEui: string }[]): Set<string> {
  const gateways = new Set(receptions.map(({ gatewayEui }) => normalizeEui(gatewayEui)))
  if (sender !== undefined) gateways.add(sender)
  return gateways
}

type Position = Pick<GatewayReception, 'latitude' | 'longitude'>

/** The positions that an uplink tells, by gateway; most networks tell none. */
function positionsOf(receptions: readonly Reception[]): Map<string, Position> | undefined {
  if (!receptions.some(({ latitude }) => latitude !== undefined)) return undefined
  return new Map(
    receptions.flatMap(({ gatewayEui, latitude, longitude }): [string, Position][] =>
      latitude === undefined || longitude === undefined
        ? []
        : [[normalizeEui(gatewayEui), { latitude, longitude }]],
    ),
  )
}

interface DecodedArrival {
  arrival: Arrival
  device: KnownDevice
  reading: Reading
  /** Whether only the built-in decoder has made the reading from the payload. */
  isPlain: boolean
}

interface Ordinals {
  ordinal: number
  deviceOrdinal: number
}

/** The row of an uplink with these ordinals. */
export function toUplinkRow(
  { arrival, device, reading, isPlain }: DecodedArrival,
  { ordinal, deviceOrdinal }: Ordinals,
): UplinkRow {
  const { uplink } = arrival
  const best = uplink.receptions[0]
  return {
    organization_id: device.organization_id,
    ordinal,
    device_id: device.id,
    device_ordinal: deviceOrdinal,
    deduplication_key: uplink.deduplicationKey,
    event_time: uplink.receivedAt,
    event_type: reading.event,
    sensor_sequence: reading.sequence,
    decoded_object: renderObject(reading),
    decoded_message: isPlain ? undefined : renderMessage(reading),
    payload: Buffer.from(uplink.payload).toString('hex'),
    f_port: uplink.fPort,
    f_cnt: uplink.fCnt,
    rssi: rounded(best?.rssi),
    snr: best?.snr,
    latitude: best?.latitude,
    longitude: best?.longitude,
    data_rate: uplink.dataRate,
    frequency: rounded(uplink.frequency),
    gateways: toGateways(uplink.receptions),
  }
}

/** Some networks report a mean RSSI, or a frequency in MHz that gives a fraction of a Hz. */
function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value)
}

/** What an uplink tells about the downlinks of its device. */
export function tellingOf(
  { arrival, device }: { arrival: Arrival; device: KnownDevice },
  { acknowledgement, description }: Reading,
): TellingUplink {
  const network = networkOf(arrival, device)
  return {
    organizationId: device.organization_id,
    deviceId: device.id,
    isSendingReported: reportsSending(network),
    network,
    ...(acknowledgement ? { answer: acknowledgement } : {}),
    description,
  }
}

function reportsSending(network: string): boolean {
  return findNetwork(network)?.capabilities.reports?.includes('sent') ?? false
}
