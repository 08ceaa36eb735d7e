import type { FastifyBaseLogger } from 'fastify'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'
import type { Behaviour } from './history.ts'

interface TrafficOptions {
  /** Between two uplinks of a device, on average. */
  seconds: number
  behaviour: Behaviour
  log: FastifyBaseLogger
}

/** Milliseconds between two rounds, in each of which some devices send. */
const roundLength = 1000

/**
 * Makes the devices of a network send: each once at its first round, so that a device that somebody
 * registers is soon heard, and then at random.
 */
export function startTraffic(
  simulator: SimulatedNetwork,
  { seconds, behaviour, log }: TrafficOptions,
): { stop(): Promise<void> } {
  const sent = new Map<string, number>()
  const round = () => {
    for (const eui of simulator.deviceEuis()) {
      if (behaviour.silent.has(eui.toUpperCase())) continue
      const count = sent.get(eui) ?? 0
      if (count > 0 && Math.random() > roundLength / 1000 / seconds) continue
      sent.set(eui, count + 1)
      const frames = behaviour.frames.get(eui.toUpperCase())
      simulator
        .sendUplink(eui, frames?.[count % frames.length])
        .catch((err) => log.warn({ err }, 'a simulator failed'))
    }
  }
  round()
  const timer = setInterval(round, roundLength)
  return {
    async stop() {
      clearInterval(timer)
    },
  }
}
