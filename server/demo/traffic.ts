import type { FastifyBaseLogger } from 'fastify'
import type { SimulatedNetwork } from '../simulators/simulated-network.ts'

interface TrafficOptions {
  /** Between two uplinks of a device, on average. */
  seconds: number
  /** EUIs of devices that send nothing more. */
  silent: ReadonlySet<string>
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
  { seconds, silent, log }: TrafficOptions,
): { stop(): Promise<void> } {
  const heard = new Set<string>()
  const round = () => {
    for (const eui of simulator.deviceEuis()) {
      if (silent.has(eui.toUpperCase())) continue
      if (heard.has(eui) && Math.random() > roundLength / 1000 / seconds) continue
      heard.add(eui)
      simulator.sendUplink(eui).catch((err) => log.warn({ err }, 'a simulator failed'))
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
