import { addAppServer } from '../../simulators/actility/app-server-routes.ts'
import { startThingPark } from '../../simulators/actility/simulator.ts'
import { openConnection } from '../../src/networks/actility/connection.ts'
import { callbackOf, startBench } from '../network-bench.ts'

/** For tests: a simulated ThingPark, and a connection to it. */
export function startThingParkBench(
  context: Parameters<typeof startBench>[0],
  changes: Record<string, string> = {},
) {
  return startBench(context, startThingPark, openConnection, changes)
}

export type Bench = Awaited<ReturnType<typeof startThingParkBench>>

export const callback = callbackOf('actility')

export const gateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  settings: { model: 'GENERIC/BASICS.1', ism_band: 'EU868' },
}

/** An application server of somebody else in the same subscription; returns its ID. */
export function addForeignServer({ thingPark }: Bench): string {
  const { body } = addAppServer(thingPark, {
    name: 'Somebody else',
    contentType: 'json',
    destinations: [{ addresses: ['https://elsewhere.example.test/'], ports: '*' }],
    downlinkSecurity: {
      status: 'DOWNLINK_AS_KEY',
      asID: 'elsewhere',
      downlinkAsKey: 'f'.repeat(32),
    },
  })
  return (body as { ID: string }).ID
}
