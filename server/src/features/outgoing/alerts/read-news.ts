import type { Database, Queryable } from '../../../db/connect.ts'
import { hasAllTags } from '../../../lora/tag-filter.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { findMeasurement } from '../../../sensors/measurements.ts'
import { ownValues } from '../../../sensors/own-measurements.ts'
import { selectGrouped } from '../live/event-queries.ts'
import { readingKinds, type SettingsOf } from './alert-kinds.ts'
import { batteryIn, readBatteries } from './batteries.ts'
import type { ConditionSettings } from './condition-settings.ts'
import { type Judging, judgeConditions } from './conditions.ts'
import { type Judged, readPast, timeOf } from './past.ts'
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
  const uplinks = await readUplinks(db, organizationId, range)
  const readings = await judgeAll(db, rules, uplinks, range.now)
  return moveAll(readings, await findLatest(db, organizationId, pairsOf(readings)))
}

/** What uplinks mean for the rules of their organization that look at uplinks. */
export async function judgeAll(
  db: Database,
  rules: readonly StoredRule[],
  uplinks: readonly ReadUplink[],
  now: Date,
): Promise<Reading[]> {
  const looking = rules.filter(({ kind }) => (readingKinds as readonly string[]).includes(kind))
  const readings: Reading[] = []
  for (const rule of looking) {
    for (const { uplink, verdict } of await judgeUplinks(db, rule, uplinks, { now })) {
      readings.push({ rule, uplink, verdict })
    }
  }
  return readings
}

/** Messages of each device that values are compared with: new ones are judged by its last values. */
export const mostCompared = 20

/** What the uplinks mean for a rule, of those that it is about and that have what it looks at. */
export async function judgeUplinks(
  db: Database,
  rule: StoredRule,
  uplinks: readonly ReadUplink[],
  { now, most = mostCompared }: { now: Date; most?: number },
): Promise<{ uplink: ReadUplink; verdict: Verdict }[]> {
  const chosen = await chooseUplinks(db, rule, uplinks)
  const batteries =
    rule.kind === 'low_battery' ? await readBatteries(db, rule, chosen, now) : new Map()
  const verdicts = new Map<ReadUplink, Verdict>()
  for (const part of rule.kind === 'condition' ? partsOf(chosen) : [chosen]) {
    const conditions =
      rule.kind === 'condition'
        ? await prepare(db, rule, { ...spanOf(part), mostCompared: most })
        : undefined
    for (const uplink of part) {
      const verdict = judge(rule, uplink, { batteries, now, conditions })
      if (verdict) verdicts.set(uplink, verdict)
    }
  }
  return chosen.flatMap((uplink) => {
    const verdict = verdicts.get(uplink)
    return verdict ? [{ uplink, verdict }] : []
  })
}

/** Devices whose messages of before are in memory at the same time. */
export const mostLookedBack = 50

/** Uplinks by their devices, some devices in each part. */
function partsOf(uplinks: readonly ReadUplink[]): ReadUplink[][] {
  const byDevice = [...Map.groupBy(uplinks, ({ device_id }) => device_id).values()]
  const parts: ReadUplink[][] = []
  for (let at = 0; at < byDevice.length; at += mostLookedBack) {
    parts.push(byDevice.slice(at, at + mostLookedBack).flat())
  }
  return parts
}

/** What judging the conditions of a rule needs besides the messages. */
export async function prepare(db: Queryable, rule: StoredRule, judged: Judged): Promise<Judging> {
  const { organization_id, settings } = rule
  const conditions = settings as ConditionSettings
  const timeZone = conditions.outside ? await findTimeZone(db, organization_id) : 'UTC'
  return { timeZone, past: await readPast(db, organization_id, conditions, judged) }
}

function spanOf(uplinks: readonly ReadUplink[]) {
  const times = uplinks.map(timeOf)
  const devices = [...new Set(uplinks.map(({ device_id }) => device_id))]
  return { devices, first: Math.min(...times), last: Math.max(...times) }
}

export interface Reading {
  rule: StoredRule
  uplink: ReadUplink
  verdict: Verdict
}

type AskedPair = Pair & { kind: StoredRule['kind']; organization_id: number }

/** The rules and devices of readings, each once. */
export function pairsOf(readings: readonly Reading[]): AskedPair[] {
  const pairs = new Map<string, AskedPair>()
  for (const { rule, uplink } of readings) {
    const { id, kind, organization_id } = rule
    const pair = { rule: id, device: uplink.device_id, kind, organization_id }
    pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}

/** What readings make of the latest alerts of their pairs. */
export function moveAll(readings: readonly Reading[], before: ReadonlyMap<string, Known>): News {
  const pairs = new Map(pairsOf(readings).map((pair) => [pairKey(pair), pair]))
  const asked = [...before].filter(([key]) => pairs.has(key))
  const present = new Map<string, Known | undefined>(asked)
  const news: News = { moved: [], ended: [] }
  const finish = (key: string, alert: Known) => {
    const pair = pairs.get(key)
    if (!pair || alert === before.get(key)) return
    const { rule, device, kind } = pair
    news.moved.push({ rule, device, kind, alert })
  }
  for (const { rule, uplink, verdict } of readings) {
    const key = pairKey({ rule: rule.id, device: uplink.device_id })
    const was = present.get(key)
    const lasting = 'minutes' in rule.settings ? rule.settings.minutes * 60_000 : 0
    const is = moveOn(was, verdict, { time: timeOf(uplink), lasting })
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
  { organization_id, device_id, group_id, type_id, network, tag }: StoredRule,
  uplinks: readonly ReadUplink[],
): Promise<readonly ReadUplink[]> {
  const matching = uplinks.filter(
    (uplink) =>
      (device_id === null || uplink.device_id === device_id) &&
      (type_id === null || uplink.device_type_id === type_id) &&
      (network === null || uplink.network === network) &&
      (tag === null || hasAllTags(uplink.tags, tag)),
  )
  if (group_id === null || matching.length === 0) return matching
  const ids = [...new Set(matching.map(({ device_id }) => device_id))]
  const grouped = await selectGrouped(db, organization_id, group_id, ids)
  return matching.filter(({ device_id }) => grouped.has(device_id))
}

interface Looking {
  batteries: ReadonlyMap<number, BatteryReading>
  now: Date
  /** Of a rule with conditions. */
  conditions: Judging | undefined
}

function judge(
  { kind, settings }: StoredRule,
  uplink: ReadUplink,
  { batteries, now, conditions }: Looking,
): Verdict | undefined {
  const { device_id, device_type_id, own_type, event_type, decoded_object: values } = uplink
  if (kind === 'threshold') {
    const isOwn = findDeviceType(device_type_id) === undefined
    const threshold = settings as SettingsOf<'threshold'>
    if (isOwn) return judgeThreshold(threshold, values, { own: ownValues(values, own_type) })
    const declared = findMeasurement(device_type_id, threshold.key)
    return judgeThreshold(threshold, values, declared && { declared })
  }
  if (conditions) return judgeConditions(settings as ConditionSettings, uplink, conditions)
  if (kind === 'tamper') return judgeTamper(event_type, values)
  const battery = batteryIn(uplink) && batteries.get(device_id)
  return battery && judgeBattery(settings as SettingsOf<'low_battery'>, battery, now.getTime())
}
