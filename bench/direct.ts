import type { Bench } from './bench.ts'
import type { Target } from './http-connection.ts'
import { type Helper, startProcess } from './process.ts'
import { findFreePort, waitUntilReady } from './service.ts'

/** Runs `work` next to the process that runs the service's statements directly. */
export async function withDirectServer<T>(
  { databaseUrl }: Bench,
  work: (direct: Helper & { target: Target }) => Promise<T>,
): Promise<T> {
  const target = { host: '127.0.0.1', port: await findFreePort() }
  const helper = startProcess(new URL('./direct-server.ts', import.meta.url), {
    env: { PORT: String(target.port), DATABASE_URL: databaseUrl },
  })
  try {
    await waitUntilReady(`http://${target.host}:${target.port}/ready`)
    return await work({ ...helper, target })
  } finally {
    await helper.stop()
  }
}
