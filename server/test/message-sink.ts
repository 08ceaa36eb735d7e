import assert from 'node:assert/strict'
import type { Aedes } from 'aedes'
import type { MessageRoom, MessageSink, Subscription } from '../src/networks/mqtt/broker.ts'
import { followBroker } from '../src/networks/mqtt/follow-broker.ts'
import type { AccountValues, Network } from '../src/networks/network.ts'
import type { NetworkMessage } from '../src/networks/network-message.ts'
import { thisMachine } from './outside.ts'

const fast = { firstMs: 5, longestMs: 20 }
export const timing = { reconnect: fast, store: fast, settled: 50 }

/** A room that is never full. */
export const endlessRoom: MessageRoom = { isFree: () => true, hold: () => () => undefined }

/** Stores the messages that it receives; `hold` can make it wait or fail. */
export function createSink(
  hold: (fCnt: number) => Promise<void> = async () => undefined,
  room = endlessRoom,
) {
  const stored: number[] = []
  const problems: string[] = []
  const sink: MessageSink = {
    room,
    store: async (message: NetworkMessage) => {
      assert.equal(message.kind, 'uplink')
      await hold(message.fCnt)
      stored.push(message.fCnt)
    },
    reportProblem: (problem) => void problems.push(problem),
    noteBroker: (trouble) => void (trouble && problems.push(trouble.message)),
  }
  return { stored, problems, sink }
}

export function onceSubscribed({ broker }: { broker: Aedes }) {
  return new Promise<void>((resolve) => {
    broker.once('subscribe', () => resolve())
  })
}

/** Follows the broker in an account's values. */
export function followAccount(
  network: Network,
  values: AccountValues,
  sink: MessageSink,
): Subscription {
  const broker = network.readBroker?.(values)
  assert.ok(broker, 'the values name a broker')
  return followBroker({ broker, id: 'account' }, sink, thisMachine)
}
