import type { Queryable } from '../../../db/connect.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { ConditionSettings } from './condition-settings.ts'
import { findCompared, type ReadUplink, readPastUplinks } from './reading-queries.ts'

/** What conditions on a change, on how often, or on another device look back at. */
export interface Past {
  /** What a device said, in the order of the times. */
  of(deviceId: number): readonly Said[]
  /** With what a condition compares. */
  comparedWith(than: Than): Compared
  /** Whether a message of before meets the conditions: each is asked for by many later ones. */
  met: Map<ReadUplink, boolean | undefined>
}

export interface Said {
  uplink: ReadUplink
  /** Milliseconds. */
  time: number
}

export type Than = NonNullable<ConditionSettings['conditions'][number]['than']>

export interface Compared {
  name: string
  devices: readonly number[]
}

/** Messages of a device that are looked back at: the newest ones. */
const mostOwn = 1_000

export function timeOf({ event_time }: ReadUplink): number {
  return Date.parse(isoTime(event_time))
}

/** The messages that are judged: whose they are, and their first and last time, in milliseconds. */
export interface Judged {
  devices: readonly number[]
  first: number
  last: number
  /** Messages that are read of each device that is compared with: a preview covers more time at once. */
  mostCompared: number
}

/** Reads what the conditions need of the time before and between some messages. */
export async function readPast(
  db: Queryable,
  organizationId: number,
  settings: ConditionSettings,
  { devices: judged, first, last, mostCompared }: Judged,
): Promise<Past> {
  const spans = spansOf(settings)
  const said = new Map<number, Map<number, Said>>()
  const compared = new Map<string, Compared>()
  const until = new Date(last + 1)
  const read = async (devices: readonly number[], minutes: number, most: number) => {
    const from = new Date(first - minutes * 60_000)
    for (const uplink of await readPastUplinks(db, organizationId, {
      devices,
      from,
      until,
      most,
    })) {
      const ofDevice = said.get(uplink.device_id) ?? new Map<number, Said>()
      said.set(uplink.device_id, ofDevice)
      ofDevice.set(uplink.ordinal, { uplink, time: timeOf(uplink) })
    }
  }
  if (spans.own > 0) await read(judged, spans.own, mostOwn)
  for (const than of judged.length > 0 ? spans.compared : []) {
    const found = await findCompared(db, organizationId, than)
    compared.set(keyOf(than), found)
    await read(found.devices, spans.elsewhere, mostCompared)
  }
  const ordered = new Map([...said].map(([id, ofDevice]) => [id, inOrder([...ofDevice.values()])]))
  return {
    of: (deviceId) => ordered.get(deviceId) ?? [],
    comparedWith: (than) => compared.get(keyOf(than)) ?? { name: '', devices: [] },
    met: new Map(),
  }
}

/** Whether more than the messages that are judged must be read. */
export function looksBack(settings: ConditionSettings): boolean {
  const { own, elsewhere } = spansOf(settings)
  return own + elsewhere > 0
}

/** How far back, in minutes, each kind of condition looks. */
function spansOf({ conditions, times, times_minutes }: ConditionSettings) {
  const within = (kinds: readonly string[]) =>
    Math.max(0, ...conditions.map((one) => (kinds.includes(one.is) ? one.within_minutes : 0)))
  // Twice the time: what was open before it began does not begin in it.
  const counted = times ? times_minutes * 2 : 0
  return {
    own: within(['rises', 'falls']) + counted,
    elsewhere: within(['higher', 'lower', 'differs']) + counted,
    compared: conditions.flatMap(({ than }) => than ?? []),
  }
}

function keyOf({ device, group }: Than): string {
  return `${device} ${group}`
}

function inOrder(said: Said[]): Said[] {
  return said.sort(
    (one, other) => one.time - other.time || one.uplink.ordinal - other.uplink.ordinal,
  )
}
