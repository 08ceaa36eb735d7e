import { thisMachine } from '../../test-outside.ts'
import { openConnection } from '../connection.ts'
import { startThingPark } from './simulated-thingpark.ts'

/** For tests: a simulated ThingPark, and a connection to it whose callback is entered. */
export async function startBench(
  context: { after(end: () => Promise<void>): void },
  changes: Record<string, string> = {},
) {
  const far = await startThingPark()
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
  url: 'http://127.0.0.1:1/v1/callbacks/actility/0b7c1d8e-0000-4000-8000-000000000001',
  header: 'x-callback-secret',
  value: 'a-secret-of-the-callback',
}

export const device = {
  devEui: '00AA0000000000A1',
  joinEui: '00AA0000000000FF',
  appKey: '000102030405060708090A0B0C0D0E0F',
  name: 'Back door',
}

export const gateway = {
  gatewayEui: '00BB0000000000B1',
  name: 'Roof',
  settings: { model: 'GENERIC/BASICS.1', ism_band: 'EU868' },
}

/** An application server of somebody else in the same subscription; returns its ID. */
export async function addForeignServer({ thingPark }: Bench): Promise<string> {
  const { addAppServer } = await import('./app-server-api.ts')
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
