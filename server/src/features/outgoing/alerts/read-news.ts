import type { Database } from '../../../db/connect.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { hasTag } from '../../../lora/tag-filter.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { findMeasurement } from '../../../sensors/measurements.ts'
import { ownValues } from '../../../sensors/own-measurements.ts'
import { selectGrouped } from '../live/event-queries.ts'
import { readingKinds, type SettingsOf } from './alert-kinds.ts'
import { batteryIn, readBatteries } from './batteries.ts'
import { judgeConditions } from './conditions.ts'
import {
  findLatest,
  findTimeZone,
  type Moved,
  type Pair,
  pairKey,
  type ReadUplink,
  readUplinks,
} from './reading-queries.ts'
import {
  type BatteryReading,
  judgeBattery,
  judgeTamper,
  judgeThreshold,
  type Known,
  moveOn,
  type Verdict,
} from './readings.ts'
import type { StoredRule } from './rule-queries.ts'

/** Uplinks that one transaction goes through. */
export const mostUplinks = 500

/** What a portion of uplinks changes. */
export interface News {
  moved: Moved[]
  /** Ids of alerts that were pending, and end. */
  ended: number[]
}

/** Looks through the uplinks after the cursor with the rules that look at uplinks. */
export async function readNews(
  db: Database,
  organizationId: number,
  rules: readonly StoredRule[],
  range: { after: number; upTo: number; now: Date },
): Promise<News> {
  const looking = rules.filter(({ kind }) => (readingKinds as readonly string[]).includes(kind))
  const uplinks = await readUplinks(db, organizationId, range)
  const readings: Reading[] = []
  for (const rule of looking) {
    for (const { uplink, verdict } of await judgeUplinks(db, rule, uplinks, range.now)) {
      readings.push({ rule, uplink, verdict })
    }
  }
  return moveAll(db, organizationId, readings)
}

/** What the uplinks mean for a rule, of those that it is about and that have what it looks at. */
export async function judgeUplinks(
  db: Database,
  rule: StoredRule,
  uplinks: readonly ReadUplink[],
  now: Date,
): Promise<{ uplink: ReadUplink; verdict: Verdict }[]> {
  const chosen = await chooseUplinks(db, rule, uplinks)
  const batteries =
    rule.kind === 'low_battery' ? await readBatteries(db, rule, chosen, now) : new Map()
  const timeZone =
    'outside' in rule.settings && rule.settings.outside
      ? await findTimeZone(db, rule.organization_id)
      : 'UTC'
  return chosen.flatMap((uplink) => {
    const verdict = judge(rule, uplink, { batteries, now, timeZone })
    return verdict ? [{ uplink, verdict }] : []
  })
}

interface Reading {
  rule: StoredRule
  uplink: ReadUplink
  verdict: Verdict
}

async function moveAll(
  db: Database,
  organizationId: number,
  readings: readonly Reading[],
): Promise<News> {
  const pairs = new Map<string, Pair & { kind: StoredRule['kind'] }>()
  for (const { rule, uplink } of readings) {
    const pair = { rule: rule.id, device: uplink.device_id, kind: rule.kind }
    pairs.set(pairKey(pair), pair)
  }
  const before = await findLatest(db, organizationId, [...pairs.values()])
  const present = new Map<string, Known | undefined>(before)
  const news: News = { moved: [], ended: [] }
  const finish = (key: string, alert: Known) => {
    const pair = pairs.get(key)
    if (pair && alert !== before.get(key)) news.moved.push({ ...pair, alert })
  }
  for (const { rule, uplink, verdict } of readings) {
    const key = pairKey({ rule: rule.id, device: uplink.device_id })
    const was = present.get(key)
    const lasting = 'minutes' in rule.settings ? rule.settings.minutes * 60_000 : 0
    const is = moveOn(was, verdict, { time: Date.parse(isoTime(uplink.event_time)), lasting })
    if (was?.state === 'pending' && is === undefined && was.id !== undefined) {
      news.ended.push(was.id)
    }
    // Another alert begins: the one that was closed within this portion is stored too.
    if (was?.state === 'closed' && is !== was) finish(key, was)
    present.set(key, is)
  }
  for (const [key, alert] of present) if (alert) finish(key, alert)
  return news
}

async function chooseUplinks(
  db: Database,
  { organization_id, group_id, type_id, network, tag }: StoredRule,
  uplinks: readonly ReadUplink[],
): Promise<readonly ReadUplink[]> {
  const matching = uplinks.filter(
    (uplink) =>
      (type_id === null || uplink.device_type_id === type_id) &&
      (network === null || uplink.network === network) &&
      (tag === null || hasTag(uplink.tags, tag)),
  )
  if (group_id === null || matching.length === 0) return matching
  const ids = [...new Set(matching.map(({ device_id }) => device_id))]
  const grouped = await selectGrouped(db, organization_id, group_id, ids)
  return matching.filter(({ device_id }) => grouped.has(device_id))
}

interface Judging {
  batteries: ReadonlyMap<number, BatteryReading>
  now: Date
  /** Of schedules. */
  timeZone: string
}

function judge(
  { kind, settings }: StoredRule,
  uplink: ReadUplink,
  { batteries, now, timeZone }: Judging,
): Verdict | undefined {
  const { device_id, device_type_id, own_type, event_type, decoded_object: values } = uplink
  if (kind === 'threshold') {
    const isOwn = findDeviceType(device_type_id) === undefined
    const threshold = settings as SettingsOf<'threshold'>
    if (isOwn) return judgeThreshold(threshold, values, { own: ownValues(values, own_type) })
    const declared = findMeasurement(device_type_id, threshold.key)
    return judgeThreshold(threshold, values, declared && { declared })
  }
  if (kind === 'condition') {
    const time = new Date(isoTime(uplink.event_time))
    return judgeConditions(settings as SettingsOf<'condition'>, uplink, { time, timeZone })
  }
  if (kind === 'tamper') return judgeTamper(event_type, values)
  const battery = batteryIn(uplink) && batteries.get(device_id)
  return battery && judgeBattery(settings as SettingsOf<'low_battery'>, battery, now.getTime())
}
