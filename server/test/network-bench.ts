import assert from 'node:assert/strict'
import type { FarHttp } from '../simulators/far-http.ts'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'
import { type AccountValues, type NetworkDevice, NetworkError } from '../src/networks/network.ts'
import type { Outside } from '../src/networks/outside.ts'
import { thisMachine } from './outside.ts'

// For tests of the connections to networks: what they have in common. Everything is invented.

export const doorSensor: NetworkDevice = {
  devEui: '00AA000000000001',
  joinEui: '00AA0000000000FF',
  appKey: '000102030405060708090A0B0C0D0E0F',
  name: 'Back door',
}

/** Nobody listens there. */
export function callbackOf(network: string) {
  return {
    url: `http://127.0.0.1:1/v1/callbacks/${network}/0b7c1d8e-0000-4000-8000-000000000001`,
    header: 'x-callback-secret',
    value: 'a-secret-of-the-callback',
  }
}

interface FarNetwork {
  simulator: SimulatedNetwork
  side: { http: FarHttp }
}

/** A simulated network and a connection to it, which both end with the test. */
export async function startBench<Far extends FarNetwork, Connection extends { close(): void }>(
  context: { after(end: () => Promise<void>): void },
  startFar: () => Promise<Far>,
  open: (values: AccountValues, outside: Outside) => Connection,
  changes: AccountValues = {},
) {
  const far = await startFar()
  const connection = open({ ...far.simulator.account, ...changes }, thisMachine)
  context.after(async () => {
    connection.close()
    await far.simulator.close()
  })
  const { calls, faults } = far.side.http
  return { ...far, connection, calls, faults }
}

/** For `assert.rejects`. */
export function failsWith(kind: NetworkError['kind'], words: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof NetworkError, String(error))
    assert.equal(error.kind, kind, error.message)
    assert.match(error.message, words)
    return true
  }
}
