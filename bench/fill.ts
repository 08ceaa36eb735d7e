import type { Database } from '../server/src/db/connect.ts'
import type { Proof } from './figures.ts'
import { checkFilling, setCounters } from './fill/counters.ts'
import { noteFleet, registerFleet } from './fill/fleet.ts'
import { checkPlan, type FillPlan, openPlan, type Progress } from './fill/plan.ts'
import { makeSamples } from './fill/samples.ts'
import { writeUplinks } from './fill/uplinks.ts'
import { registerDevices } from './fleet.ts'

/** Devices of the table that the measures of lists and exports share. */
export const fleetSize = 50_000

/** What a filling writes at its end, or in large numbers. */
const filledTables = [
  ...['uplinks', 'device_states', 'device_rhythms', 'gateway_states'],
  'organization_counters',
]

/** Days over which its uplinks are spread. */
const daysOfMeasures = 30

/**
 * Fills a new database, whose first start has made organization 1, with whole organizations. An
 * interrupted filling goes on where it ended, when it is called with the same plan again.
 */
export async function fillDatabase(
  db: Database,
  plan: FillPlan,
  onProgress: Progress,
): Promise<Proof[]> {
  checkPlan(plan)
  await openPlan(db, plan)
  if (!(await hasTable(db, 'samples'))) await db.transaction(makeSamples)
  if (!(await hasTable(db, 'devices'))) await registerFleet(db, plan, onProgress)
  await writeUplinks(db, plan, onProgress)
  return finish(db, plan, onProgress)
}

/**
 * Replaces all uplinks by `rows` uplinks of organization 1, in the same state as the batch writer
 * leaves them.
 */
export async function fillUplinks(
  db: Database,
  rows: number,
  onProgress: Progress,
): Promise<Proof[]> {
  const plan = { organizations: 1, devices: fleetSize, uplinks: rows, days: daysOfMeasures }
  await registerDevices(db, fleetSize)
  await db.query('truncate uplinks')
  await db.query('update device_states set uplink_count = 0 where uplink_count > 0')
  await db.query('update organization_counters set uplink_count = 0')
  await openPlan(db, plan)
  await db.transaction(makeSamples)
  await db.transaction(async (tx) => {
    await tx.query(
      `create table bench.organizations as
       select 0::bigint as slot, 1::bigint as organization_id, $1::bigint as devices,
         0::bigint as first_device`,
      [fleetSize],
    )
    await noteFleet(tx, "devices.device_eui like '00aa00be%' and devices.type_id < 1000")
  })
  await writeUplinks(db, plan, onProgress)
  return finish(db, plan, onProgress)
}

async function hasTable(db: Database, name: string): Promise<boolean> {
  const [row] = await db.query<{ oid: string | null }>('select to_regclass($1)::text as oid', [
    `bench.${name}`,
  ])
  return row?.oid != null
}

async function finish(db: Database, plan: FillPlan, onProgress: Progress): Promise<Proof[]> {
  onProgress('counters')
  await setCounters(db)
  onProgress('vacuum')
  // Otherwise autovacuum runs in the middle of a measure.
  for (const table of filledTables) {
    await db.query(`vacuum (analyze) ${table}`)
  }
  onProgress('check')
  const proofs = await checkFilling(db, plan.uplinks)
  await db.query('drop schema bench cascade')
  return proofs
}
