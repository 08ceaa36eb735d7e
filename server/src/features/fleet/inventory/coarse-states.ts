/**
 * What indexes hold of a device's state, in values that seldom change, so that most uplinks update
 * the row in place (docs/decisions/0031-rows-of-uplinks.md). Whoever writes `last_seen` or `status`
 * writes these with them.
 */

/** Fields of a status that warn while they are `Yes`. */
const warnings = ['low_battery', 'tamper', 'config_error'] as const
export type Warning = (typeof warnings)[number]

export const isWarning = (field: string): field is Warning =>
  warnings.some((warning) => warning === field)

/** Seconds of a period in which a device was heard last. */
const periodSeconds = 43_200

/**
 * SQL: the period of a `timestamptz`; -1 for null. Never descends when the time ascends. The difference
 * is of no time zone, so the expression is immutable: Citus takes no other in an update.
 */
export function periodOf(time: string): string {
  const seconds = `extract(epoch from ${time} - timestamptz 'epoch')::bigint`
  return `greatest(${seconds} / ${periodSeconds}, -1)::integer`
}

/** SQL: what an update of `device_states` sets besides these new values. */
export function coarseStates(lastSeen: string, status: string, volts: string): string {
  const isYes = (field: string) => `(${status} ->> '${field}' is not distinct from 'Yes')::integer`
  return `seen_period = ${periodOf(lastSeen)}, battery_volts = ${volts},
    warnings = ${warnings.map((field, bit) => `${2 ** bit} * ${isYes(field)}`).join(' + ')}`
}

/**
 * The volts of a battery, which only supervisory messages write, as `2.9V`
 * (sensors/frames/supervisory.ts). Anything else, which an archive may have brought, is no battery: it
 * must not stop what is stored. PostgreSQL would take 1 of the 54 microseconds of an uplink for it.
 */
export function voltsOf({ battery }: { battery?: unknown }): number | undefined {
  if (typeof battery !== 'string' || !/^\d{1,3}(\.\d{1,3})?V$/.test(battery)) return undefined
  return Number(battery.slice(0, -1))
}

/** SQL: conditions of `states`. The first one is that of an index of such devices. */
export const hasWarning = 'states.warnings > 0'
export const hasLowBattery = (table = 'states') => hasFlag(1, table)
export const isTampered = (table = 'states') => hasFlag(2, table)

function hasFlag(flag: number, table: string): string {
  return `(${table}.warnings > 0 and ${table}.warnings & ${flag} > 0)`
}

/**
 * SQL: states of devices that were not heard since a time, or never. The period is in the index, and
 * the time decides in the period at the border.
 */
export function isUnheard(since: string): string {
  return `states.seen_period <= ${periodOf(since)}
    and (states.last_seen is null or states.last_seen < ${since})`
}

/** SQL: of `states`, the devices of the organization `$1` that are not deleted. */
export const ofLivingDevices = `join devices on devices.organization_id = $1
  and devices.id = states.device_id and devices.deleted_at is null`
