import { thisMachine } from '../../test-outside.ts'
import { openConnection } from '../connection.ts'
import { startWanesy } from './simulated-wanesy.ts'

/** For tests: a simulated Wanesy, and a connection to it. */
export async function startBench(
  context: { after(end: () => Promise<void>): void },
  changes: Record<string, string> = {},
) {
  const far = await startWanesy()
  const connection = openConnection({ ...far.simulator.account, ...changes }, thisMachine)
  context.after(async () => {
    connection.close()
    await far.simulator.close()
  })
  return { ...far, connection, calls: far.side.http.calls, faults: far.side.http.faults }
}

export type Bench = Awaited<ReturnType<typeof startBench>>

/** Nobody listens there. */
export const callback = {
  url: 'http://127.0.0.1:1/v1/callbacks/kerlink/0b7c1d8e-0000-4000-8000-000000000001',
  header: 'x-callback-secret',
  value: 'a-secret-of-the-callback',
}

export const device = {
  devEui: '00AA0000000000A1',
  joinEui: '00AA0000000000FF',
  appKey: '000102030405060708090A0B0C0D0E0F',
  name: 'Back door',
  region: 'EU868',
} as const

export const gateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  region: 'EU868',
  settings: { visibility: 'PRIVATE' },
} as const
