import { startWanesy } from '../../simulators/kerlink/simulator.ts'
import { openConnection } from '../../src/networks/kerlink/connection.ts'
import { callbackOf, doorSensor, startBench } from '../network-bench.ts'

/** For tests: a simulated Wanesy, and a connection to it. */
export function startWanesyBench(
  context: Parameters<typeof startBench>[0],
  changes: Record<string, string> = {},
) {
  return startBench(context, startWanesy, openConnection, changes)
}

export type Bench = Awaited<ReturnType<typeof startWanesyBench>>

export const callback = callbackOf('kerlink')

export const device = { ...doorSensor, region: 'EU868' } as const

export const gateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  region: 'EU868',
  settings: { visibility: 'PRIVATE' },
} as const
