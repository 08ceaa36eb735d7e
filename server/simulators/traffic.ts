import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

/** Makes the devices send by themselves, each at random times. */
export interface Traffic<Device> {
  /** Schedules the next uplink of a device, if the traffic is on. */
  schedule(device: Device): void
  /** Each device sends at this interval on average. */
  start(everyMs: number): void
  stop(): void
}

/** All devices, and whether a device may still send. */
export interface Fleet<Device> {
  all(): Iterable<Device>
  maySend(device: Device): boolean
}

export function createTraffic<Device>(
  { clock, random, fleet }: { clock: Clock; random: Random; fleet: Fleet<Device> },
  transmit: (device: Device) => Promise<void>,
): Traffic<Device> {
  const cancels = new Map<Device, () => void>()
  let interval = 0

  const scheduleIn = (device: Device, milliseconds: number) => {
    const cancel = clock.after(milliseconds, async () => {
      cancels.delete(device)
      if (!fleet.maySend(device)) return
      await transmit(device)
      // If the traffic was stopped and started again, the device may already be scheduled.
      const isDue = interval > 0 && !cancels.has(device)
      if (isDue) scheduleIn(device, interval * (0.5 + random.next()))
    })
    cancels.set(device, cancel)
  }

  const schedule = (device: Device) => {
    if (interval > 0 && fleet.maySend(device) && !cancels.has(device)) {
      scheduleIn(device, interval * random.next())
    }
  }

  const stop = () => {
    interval = 0
    for (const cancel of cancels.values()) cancel()
    cancels.clear()
  }

  const start = (everyMs: number) => {
    stop()
    interval = everyMs
    for (const device of fleet.all()) schedule(device)
  }

  return { schedule, start, stop }
}
