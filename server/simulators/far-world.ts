// The part of every simulated network that does not depend on its API: clock, random numbers,
// traffic and delivery.
import { connectAsync } from 'mqtt'
import { type Clock, systemClock } from './clock.ts'
import { deliver } from './far-delivery.ts'
import type { FarCallback, FarMessage } from './far-dialect.ts'
import type { Restrictions } from './far-restrictions.ts'
import { createRandom, type Random } from './random.ts'
import type { DeliveryCounts, SimulatedNetwork, SimulatorOptions } from './simulated-network.ts'
import { createTraffic, type Fleet, type Traffic } from './traffic.ts'
import { createTurns, type Turns } from './turns.ts'

export interface FarWorld<Device> {
  clock: Clock
  random: Random
  turns: Turns<Device>
  traffic: Traffic<Device>
  counts: DeliveryCounts
  /** Resolves with the body of the answer, if there is one. */
  send(message: FarMessage): Promise<unknown>
  /** Stops the traffic, then the server, and waits for the work in progress. */
  close(closeServer: () => Promise<void>): Promise<void>
}

/** The functions that a network adds to its world. */
interface WorldParts<Device> {
  fleet: Fleet<Device>
  /** Sends one uplink, and handles the downlinks and answers that follow from it. */
  transmit(device: Device): Promise<void>
  callbacks(): readonly FarCallback[]
  isAway(): boolean
}

export async function createFarWorld<Device>(
  options: SimulatorOptions,
  { fleet, transmit, callbacks, isAway }: WorldParts<Device>,
): Promise<FarWorld<Device>> {
  const { clock = systemClock, retries = 0 } = options
  const random = createRandom(options.seed ?? 1)
  const broker = options.brokerUrl ? await connectAsync(options.brokerUrl) : undefined
  const turns = createTurns<Device>()
  const counts = { delivered: 0, failed: 0, lost: 0 }
  const traffic = createTraffic({ clock, random, fleet }, (device: Device) =>
    turns.run(device, () => transmit(device)),
  )
  return {
    clock,
    random,
    turns,
    traffic,
    counts,
    send: (message) => {
      const delivery = { clock, callbacks: callbacks(), broker, isAway: isAway(), retries, counts }
      return deliver(delivery, message)
    },
    close: async (closeServer) => {
      traffic.stop()
      await closeServer()
      await turns.settle()
      await broker?.endAsync(true)
    },
  }
}

/** The members of a simulated network that its world and its restrictions provide. */
export function controlsOf<Device>(
  { traffic, counts, turns }: Pick<FarWorld<Device>, 'traffic' | 'counts' | 'turns'>,
  restrictions: Restrictions,
): Pick<
  SimulatedNetwork,
  'startTraffic' | 'stopTraffic' | 'counts' | 'settle' | 'throttle' | 'fail'
> {
  return {
    startTraffic: traffic.start,
    stopTraffic: traffic.stop,
    counts,
    settle: turns.settle,
    throttle: (callsPerMinute) => {
      restrictions.callsPerMinute = callsPerMinute
    },
    fail: (eui, isFailing) => {
      if (isFailing) restrictions.failing.add(eui.toUpperCase())
      else restrictions.failing.delete(eui.toUpperCase())
    },
  }
}
