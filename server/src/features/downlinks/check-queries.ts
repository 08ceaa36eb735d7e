import type { Queryable } from '../../db/connect.ts'
import { isOfAny } from '../../db/distribution/places.ts'
import { numberArray } from '../../db/statements.ts'
import { type Lane, listingOfDue } from '../accounts/connections/lane-queries.ts'

/**
 * Schedules and claims checks: comparisons of a device's queue at its network with the downlinks
 * here. Each device has at most one row. All times are the database's.
 */

/** The delay of a check after the event that causes it. */
const delays = {
  /** The network first reports what happened before the join. */
  join: '1 second',
  /** After this time, the report of what was sent after the uplink is here or will not come. */
  uplink: '60 seconds',
  comparison: '0 seconds',
}

/** Checks of one lane that may run at once, in all processes. */
const mostOfLane = 4
const claimSeconds = 90

export interface QueueCheck {
  organization_id: number
  device_id: number
}

/**
 * Schedules a check for each of the devices that has downlinks in its network's queue. With their
 * organizations, Citus asks only these.
 */
export async function scheduleChecks(
  db: Queryable,
  deviceIds: readonly number[],
  what: keyof typeof delays,
  organizations?: readonly number[],
): Promise<void> {
  await db.query(
    `insert into downlink_checks (device_id, organization_id, network, register_method, next_attempt_at)
     select devices.id, devices.organization_id, queues.network, queues.register_method,
       now() + $2::interval
     from devices
     join downlink_queues as queues on queues.organization_id = devices.organization_id
       and queues.device_id = devices.id
     where queues.device_id = any($1::bigint[]) and devices.deleted_at is null
       and ${isHeld('devices', 'id')}
       ${organizations ? `and ${isOfAny('devices.organization_id', '$3')}` : ''}
     order by devices.id
     on conflict (organization_id, device_id) do update set next_attempt_at = excluded.next_attempt_at
       where downlink_checks.next_attempt_at > excluded.next_attempt_at`,
    [deviceIds, delays[what], ...(organizations ? [numberArray(organizations)] : [])],
  )
}

/** SQL condition: the network holds a downlink for the device of a row of `table`. */
function isHeld(table: string, deviceId: string): string {
  return `exists (
    select from downlinks
    where downlinks.organization_id = ${table}.organization_id
      and downlinks.device_id = ${table}.${deviceId} and downlinks.state = 'handed_over'
  )`
}

/**
 * Schedules checks of the queues that have held a downlink for more than a day, once a day. Their
 * devices may never send an uplink again.
 */
export async function scheduleOldQueues(
  db: Queryable,
  networks: readonly string[],
  most: number,
): Promise<void> {
  await db.query(
    `insert into downlink_checks (device_id, organization_id, network, register_method, next_attempt_at)
     select queues.device_id, queues.organization_id, queues.network, queues.register_method, now()
     from downlink_queues as queues
     join devices on devices.organization_id = queues.organization_id
       and devices.id = queues.device_id and devices.deleted_at is null
     where queues.network = any($1::text[])
       and (queues.checked_at is null or queues.checked_at < now() - interval '1 day')
       and exists (
         select from downlinks
         where downlinks.organization_id = queues.organization_id
           and downlinks.device_id = queues.device_id and downlinks.state = 'handed_over'
           and downlinks.handed_over_at < now() - interval '1 day'
       )
     order by queues.device_id
     limit $2
     on conflict (organization_id, device_id) do nothing`,
    [networks, most],
  )
}

/** Deletes due checks of devices for which the network holds nothing: the reports came. */
export async function dropNeedlessChecks(db: Queryable): Promise<void> {
  const organizations = await db.query<{ organization_id: number }>(
    // A join, since Citus takes no look-up for each row of a part.
    `with due as materialized (
       select organization_id, device_id from downlink_checks
       where ${isDue}
       order by next_attempt_at
       limit 10000
     )
     select distinct due.organization_id
     from due
     left join downlinks on downlinks.organization_id = due.organization_id
       and downlinks.device_id = due.device_id and downlinks.state = 'handed_over'
     where downlinks.id is null`,
  )
  for (const { organization_id } of organizations) {
    await db.query(
      `with due as materialized (
         select device_id, organization_id from downlink_checks
         where organization_id = $1 and ${isDue}
         order by next_attempt_at
         limit 10000
         for update skip locked
       )
       delete from downlink_checks using due
       where downlink_checks.organization_id = $1
         and downlink_checks.device_id = due.device_id
         and not ${isHeld('downlink_checks', 'device_id')}`,
      [organization_id],
    )
  }
}

const isDue = 'next_attempt_at <= now() and (claimed_until is null or claimed_until < now())'

const laneListing = listingOfDue('downlink_checks', isDue)

/** The lanes that have a due check and an account that exists and is not paused at `now`. */
export function listCheckLanes(db: Queryable, now: Date): Promise<Lane[]> {
  return db.query<Lane>(laneListing, [now])
}

/** Claims the checks that have been due longest: at most `most`, within `mostOfLane`. */
export function claimChecks(
  db: Queryable,
  { network, register_method, organization_id }: Lane,
  most: number,
): Promise<QueueCheck[]> {
  return db.query<QueueCheck>(
    `with busy as materialized (
       select count(*) as count from downlink_checks
       where network = $1 and register_method = $2 and organization_id = $3
         and claimed_until >= now()
     ), due as materialized (
       select device_id from downlink_checks
       where network = $1 and register_method = $2 and organization_id = $3
         and ${isDue}
       order by next_attempt_at
       limit greatest(0, least($4, ${mostOfLane} - (select count from busy)))
       for update skip locked
     )
     update downlink_checks as checks
     set claimed_until = now() + make_interval(secs => ${claimSeconds})
     from due
     where checks.organization_id = $3 and checks.device_id = due.device_id
     returning checks.organization_id, checks.device_id`,
    [network, register_method, organization_id, most],
  )
}

/** Deletes a check, or schedules it again in `seconds`. */
export async function endCheck(
  db: Queryable,
  { organization_id, device_id }: QueueCheck,
  seconds: number | undefined,
): Promise<void> {
  if (seconds === undefined) {
    await db.query('delete from downlink_checks where organization_id = $1 and device_id = $2', [
      organization_id,
      device_id,
    ])
    return
  }
  await db.query(
    `update downlink_checks
     set claimed_until = null, next_attempt_at = now() + make_interval(secs => $3)
     where organization_id = $1 and device_id = $2`,
    [organization_id, device_id, seconds],
  )
}
