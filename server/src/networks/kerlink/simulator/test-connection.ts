import { callbackOf, doorSensor, startBench } from '../../test-bench.ts'
import { openConnection } from '../connection.ts'
import { startWanesy } from './simulated-wanesy.ts'

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
