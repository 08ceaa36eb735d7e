import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBenchDevice, atNetwork, bytesOf, queue, startBench } from '../../../test/downlinks.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { cancelNewest } from './cancellation.ts'

/** A process that stands still during a cancel until its claim is over, and then goes on. */

type Wrap = (connection: NetworkConnection, standStill: () => Promise<void>) => object

const moments: Record<string, Wrap> = {
  'before it empties the queue of the network': (connection, standStill) => {
    let looks = 0
    return {
      listDownlinks: async (eui: string) => {
        const items = await connection.listDownlinks?.(eui)
        looks += 1
        if (looks === 2) await standStill()
        return items
      },
    }
  },
  'after it has emptied the queue of the network': (connection, standStill) => ({
    flushDownlinks: async (eui: string) => {
      await connection.flushDownlinks?.(eui)
      await standStill()
    },
  }),
}

for (const [moment, wrap] of Object.entries(moments)) {
  test(`a cancel that stands still ${moment} cancels nothing`, async (context) => {
    const bench = await startBench(context)
    const { eui, id } = await addBenchDevice(bench, 1)
    for (const minutes of [5, 6]) await queue(bench, eui, minutes)
    const { services, setClock } = bench.service
    const states = () =>
      services.db.query<{ state: string }>('select state from downlinks order by id')
    let isTakenBack = false
    const standStill = async () => {
      isTakenBack = (await states()).some(({ state }) => state === 'queued')
      setClock(new Date(services.now().getTime() + 61_000))
      services.downlinkSender.wake()
      await services.downlinkSender.idle()
    }
    const open: typeof services.connections.open = async (...asked) => {
      const connection = await services.connections.open(...asked)
      return { ...connection, ...wrap(connection, standStill) }
    }
    const connections = { ...services.connections, open }
    assert.equal(await cancelNewest({ ...services, connections }, 1, id), 'busy')
    assert.ok(isTakenBack, 'it stands still while another process may hand over')
    assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
    assert.deepEqual(await states(), [{ state: 'handed_over' }, { state: 'handed_over' }])
  })
}
