import type { Queryable } from '../../db/connect.ts'
import { momentOf } from '../../http/timestamps.ts'
import { type DeviceHour, findBacklog } from '../rollups/rollup-queries.ts'
import {
  listWaitingHours,
  readSaid,
  readStateDays,
  type StateDays,
  type StateHour,
  type StateKey,
} from '../rollups/state-queries.ts'
import { fromStored, type Said, type SaidUplink, saidBy } from '../rollups/state-times.ts'
import { mostBehind, mostSplitHours } from './points-queries.ts'
import { listSilences } from './state-queries.ts'
import { day, hour } from './steps.ts'

/** Before a range, what a state was is looked for so far back: milliseconds. */
const lookBack = 30 * day
/** States of one statement, whose days are read at once. */
const portion = 10

export const stateKey = ({ device_id, name }: StateKey) => `${device_id} ${name}`

interface Asked {
  states: readonly StateKey[]
  from: Date
  to: Date
  /** Hours that are read from their uplinks, in milliseconds since 1970. */
  split?: readonly number[]
}

/** What is known of a state in a range and before it, in the order of time. */
export interface KnownState {
  state: StateKey
  said: Said[]
  /** Microseconds after which its device is silent. */
  silence: number
}

/**
 * Passes on what is known of each state, from what is rolled up and the hours of uplinks that are not. `too_many`
 * when there is more than one request may cost, `behind` when too many uplinks are not rolled up yet.
 */
export async function readStates(
  tx: Queryable,
  organizationId: number,
  { states, from, to, split = [] }: Asked,
  pass: (known: KnownState) => void,
): Promise<'too_many' | 'behind' | undefined> {
  const backlog = await findBacklog(tx, organizationId)
  if (backlog && backlog.up_to - backlog.after > mostBehind) return 'behind'
  const ids = [...new Set(states.map(({ device_id }) => device_id))]
  const most = mostSplitHours + 1
  const hours: DeviceHour[] = split.flatMap((at) =>
    ids.map((device_id) => ({ device_id, hour: momentOf(new Date(at)) })),
  )
  if (backlog && hours.length < most) {
    hours.push(...(await listWaitingHours(tx, organizationId, backlog, { ids, most })))
  }
  if (hours.length >= most) return 'too_many'
  const read = await readHours(tx, organizationId, states, { hours, upTo: backlog?.up_to ?? 0 })
  const silences = await listSilences(tx, organizationId, ids)
  const first = new Date(Math.floor((from.getTime() - lookBack) / day) * day)
  for (let at = 0; at < states.length; at += portion) {
    const some = states.slice(at, at + portion)
    const known = await readStateDays(tx, organizationId, some, { from: first, to })
    const days = new Map(known.map((one) => [stateKey(one), one.days]))
    for (const state of some) {
      const key = stateKey(state)
      const silence = silences.get(state.device_id) ?? 0
      pass({ state, said: inOrder(days.get(key) ?? [], read.get(key)), silence })
    }
  }
  return undefined
}

/** The uplinks of hours, by state and hour. */
async function readHours(
  tx: Queryable,
  organizationId: number,
  states: readonly StateKey[],
  { hours, upTo }: { hours: readonly DeviceHour[]; upTo: number },
): Promise<Map<string, Map<number, SaidUplink[]>>> {
  if (hours.length === 0) return new Map()
  const names = Map.groupBy(states, ({ device_id }) => device_id)
  const places = hours.flatMap(({ device_id, hour }): StateHour[] =>
    (names.get(device_id) ?? []).map(({ name }) => ({ device_id, name, hour })),
  )
  const said = await readSaid(tx, organizationId, places, upTo)
  const byState = Map.groupBy(said, stateKey)
  return new Map(
    [...byState].map(([key, own]) => [key, new Map(own.map((one) => [one.hour, one.uplinks]))]),
  )
}

function inOrder(days: StateDays['days'], read: Map<number, SaidUplink[]> = new Map()): Said[] {
  const stored = days.flatMap(([begin, hours]) =>
    Object.entries(hours).flatMap(([number, one]) => {
      const at = begin + Number(number) * hour * 1000
      return read.has(at) ? [] : [fromStored(one, at)]
    }),
  )
  if (read.size === 0) return stored
  const own = [...read.values()].flat().map(saidBy)
  return [...stored, ...own].sort((one, other) => one.first - other.first)
}
