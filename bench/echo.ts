import type { Bench } from './bench.ts'
import { type Comparison, takeTurns } from './compare.ts'
import { openDatabaseClock } from './database-clock.ts'
import type { Load } from './generator.ts'
import { type Helper, startProcess } from './process.ts'
import { findFreePort, type Service, waitUntilReady } from './service.ts'

/** The process that ingest is compared with: it parses a message and sends it back. */
export interface Echo {
  process: Helper
  port: number
}

/** Runs `work` next to the echo. */
export async function withEcho<T>(work: (echo: Echo) => Promise<T>): Promise<T> {
  const port = await findFreePort()
  const echo = startProcess(new URL('./echo-server.ts', import.meta.url), {
    env: { PORT: String(port) },
  })
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/ready`)
    return await work({ process: echo, port })
  } finally {
    await echo.stop()
  }
}

/** Loads the echo and the service, or another one, in turns with the same uplinks. */
export async function compareWithEcho(
  { db, service: usual, generator, settings, progress }: Bench,
  echo: Echo,
  load: Omit<Load, 'target' | 'method' | 'seconds'>,
  {
    name,
    service = usual,
    afterRound,
  }: { name: string; service?: Service; afterRound?: (() => Promise<void>) | undefined },
): Promise<Comparison> {
  const whole = { ...load, method: 'POST', seconds: settings.seconds }
  const sides = {
    afterRound,
    baseline: {
      ...{ name: 'echo', process: echo.process },
      load: { ...whole, target: { host: '127.0.0.1', port: echo.port } },
    },
    ours: {
      ...{ name, process: service, databaseClock: await openDatabaseClock(db) },
      load: { ...whole, target: service.target },
    },
  }
  return takeTurns(generator, sides, settings.rounds, progress)
}
