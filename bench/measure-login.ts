import type { Bench } from './bench.ts'
import { ratesFigure, takeTurns } from './compare.ts'
import { withDirectServer } from './direct.ts'
import type { Proof, Result } from './figures.ts'

/** More than the hashes that run at a time, fewer than would wait too long for one. */
const connections = 16

/** Logins with the right password, against the same hash and statements run directly. */
export async function measureLogin(bench: Bench): Promise<Result> {
  const { service, generator, settings, progress } = bench
  const before = await countSessions(bench)
  return withDirectServer(bench, async (direct) => {
    const load = {
      ...{ method: 'POST', connections, seconds: settings.seconds },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(service.credentials),
    }
    const sides = {
      baseline: {
        ...{ name: 'hash and statements', process: direct },
        load: { ...load, path: '/login', target: direct.target },
      },
      ours: {
        ...{ name: 'login', process: service },
        load: { ...load, path: '/v1/auth/login', target: service.target },
      },
    }
    const comparison = await takeTurns(generator, sides, settings.rounds, progress)
    const name = `login, ${connections} connections`
    const figure = ratesFigure(name, 'hash and statements', comparison)
    const opened = (await countSessions(bench)) - before
    return {
      figures: [{ ...figure, target: { word: 'at least', value: 0.5 } }],
      proofs: [proveOpened(opened, comparison)],
    }
  })
}

/** Counts sessions that have not expired; those of the baseline expire at once. */
async function countSessions({ db }: Bench): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from sessions where expires_at > now()',
  )
  return row?.count ?? 0
}

function proveOpened(
  opened: number,
  { acknowledged, refused }: { acknowledged: number; refused: number },
): Proof {
  return {
    claim: 'every login that was answered has opened a session of its own',
    isTrue: refused === 0 && opened === acknowledged,
    details: `answered ${acknowledged}, refused ${refused}, sessions ${opened}`,
  }
}
