import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addBenchDevice, atNetwork, bytesOf, queue, startBench } from '../../../test/downlinks.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { cancelNewest } from './cancellation.ts'

/** A process that stands still during a cancel until its claim is over, and then goes on. */

type Wrap = (connection: NetworkConnection, standStill: () => Promise<void>) => object

/** Cancels the second of two downlinks at ChirpStack, by a connection that stands still. */
async function cancelWith(context: TestContext, wrap: Wrap) {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  const { services, setClock } = bench.service
  const handOver = async () => {
    services.downlinkSender.wake()
    await services.downlinkSender.idle()
  }
  const standStill = async () => {
    setClock(new Date(services.now().getTime() + 61_000))
    await services.db.query('update downlink_queues set claim = null, claimed_until = null')
    await handOver()
  }
  const open: typeof services.connections.open = async (...asked) => {
    const connection = await services.connections.open(...asked)
    return { ...connection, ...wrap(connection, standStill) }
  }
  const connections = { ...services.connections, open }
  const outcome = await cancelNewest({ ...services, connections }, 1, id)
  await handOver()
  const downlinks = await services.db.query<{ state: string }>(
    'select state from downlinks order by id',
  )
  return { outcome, states: downlinks.map(({ state }) => state), items: atNetwork(bench, eui) }
}

const moments: Record<string, Wrap> = {
  'after it has taken the downlinks back': (connection, standStill) => {
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
  'while it empties the queue of the network': (connection, standStill) => ({
    flushDownlinks: async (eui: string) => {
      await standStill()
      await connection.flushDownlinks?.(eui)
    },
  }),
  'after it has emptied the queue of the network': (connection, standStill) => ({
    flushDownlinks: async (eui: string) => {
      await connection.flushDownlinks?.(eui)
      await standStill()
    },
  }),
}

for (const [moment, wrap] of Object.entries(moments)) {
  test(`a cancel that stands still ${moment} cancels nothing, and both are sent`, async (context) => {
    assert.deepEqual(await cancelWith(context, wrap), {
      outcome: 'busy',
      states: ['handed_over', 'handed_over'],
      items: [bytesOf(5), bytesOf(6)],
    })
  })
}

test('what the network has taken out is cancelled, also after its claim', async (context) => {
  const wrap: Wrap = (connection, standStill) => ({
    cancelDownlink: async (eui: string, itemId: string) => {
      const items = await connection.listDownlinks?.(eui)
      assert.equal(items?.at(-1)?.id, itemId)
      await connection.flushDownlinks?.(eui)
      await standStill()
      return true
    },
  })
  const { outcome, states } = await cancelWith(context, wrap)
  assert.deepEqual([outcome, states], ['cancelled', ['handed_over', 'cancelled']])
})
