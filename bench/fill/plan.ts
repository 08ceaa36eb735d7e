import type { Database } from '../../server/src/db/connect.ts'

/** What a database is filled with. */
export interface FillPlan {
  organizations: number
  devices: number
  uplinks: number
  /** The uplinks are spread evenly over so many days, up to now. */
  days: number
}

export type Progress = (text: string) => void

/** Organization 1 has half of all devices and uplinks, so that one organization is large. */
export function devicesOfLargest({ organizations, devices }: FillPlan): number {
  return organizations === 1 ? devices : Math.ceil(devices / 2)
}

/** @throws Error with a message for the user. */
export function checkPlan(plan: FillPlan): void {
  const { organizations, devices } = plan
  const others = (devices - devicesOfLargest(plan)) / Math.max(1, organizations - 1)
  if (devices < 2 || (organizations > 1 && others < 2)) {
    throw new Error('Each organization needs two devices; the first one has half of all.')
  }
  if (organizations > 65_535) throw new Error('Up to 65,535 organizations have EUIs of their own.')
}

/**
 * Stores the plan, or finds that of an interrupted filling, which then goes on. What the filling
 * needs for itself is in the schema `bench`, which is dropped at the end.
 *
 * @throws Error when the database is being filled by another plan.
 */
export async function openPlan(db: Database, plan: FillPlan): Promise<void> {
  await db.query('create schema if not exists bench')
  await db.query(
    `create table if not exists bench.plan (
       organizations bigint, devices bigint, uplinks bigint, days double precision,
       ends_at timestamptz not null default now()
     )`,
  )
  await db.query('create table if not exists bench.chunks (first bigint primary key)')
  await db.query(
    'create table if not exists bench.indexes (name text, definition text, is_built boolean)',
  )
  const stored = await db.query<FillPlan>(
    'select organizations, devices, uplinks, days from bench.plan',
  )
  if (stored.length === 0) {
    await db.query(
      'insert into bench.plan (organizations, devices, uplinks, days) values ($1, $2, $3, $4)',
      [plan.organizations, plan.devices, plan.uplinks, plan.days],
    )
  } else if (Object.entries(stored[0] ?? {}).some(([key, value]) => plan[key as never] !== value)) {
    throw new Error(`The database is being filled with ${JSON.stringify(stored[0])}.`)
  }
}
