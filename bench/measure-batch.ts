import { batchSize, creations } from './batches.ts'
import type { Bench } from './bench.ts'
import { withDirectServer } from './direct.ts'
import type { Proof, Result } from './figures.ts'
import { type Fleet, makeFleet } from './fleet.ts'
import type { Target } from './http-connection.ts'
import { timeRequest, timesFigure, timeTurns } from './time-turns.ts'

/**
 * A batch of 1,000 devices to register, against a process that checks the same items and inserts
 * the same rows by one statement.
 */
export async function measureBatch(bench: Bench): Promise<Result> {
  const { db, service, settings } = bench
  const fleet = await makeFleet(bench, '00aa00ba')
  const { organizationId, headers } = fleet
  let sent = 0
  const callNext = (target: Target, path: string) => {
    const body = creations(fleet, sent, { consoleOnly: false })
    sent += batchSize
    return timeRequest(target, { method: 'POST', path, headers, body })
  }
  const callOurs = async () => {
    const call = await callNext(service.target, '/v1/batch-device-requests')
    // No network accepts them, and the service would try them again and again.
    await db.query('delete from provisioning where organization_id = $1', [organizationId])
    return call
  }
  const timings = await withDirectServer(bench, (direct) => {
    const callDirect = () => callNext(direct.target, `/${organizationId}/batch`)
    const sides = {
      baseline: { process: direct, call: callDirect },
      ours: { process: service, call: callOurs },
    }
    return timeTurns(sides, settings.rounds)
  })
  const figure = timesFigure('batch that registers 1,000 devices', 'one insert', timings)
  return {
    figures: [{ ...figure, target: { word: 'at least', value: 0.5 } }],
    proofs: [await proveStored(bench, fleet, sent)],
  }
}

async function proveStored({ db }: Bench, fleet: Fleet, sent: number): Promise<Proof> {
  const [counts] = await db.query<{ stored: number; states: number; counted: number }>(
    `select
       (select count(*) from devices where organization_id = $1) as stored,
       (select count(*) from device_states where organization_id = $1) as states,
       (select device_count from organizations where id = $1) as counted`,
    [fleet.organizationId],
  )
  const { stored = 0, states = 0, counted = 0 } = counts ?? {}
  return {
    claim: 'every device of every batch is stored, and counted in the quota',
    isTrue: stored === sent && states === sent && counted === sent,
    details: `sent ${sent}, devices ${stored}, states ${states}, quota ${counted}`,
  }
}
