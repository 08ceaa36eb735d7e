import type { Clock } from './clock.ts'
import type { Random } from './random.ts'
import type { Store, StoredDevice } from './store.ts'

/** Lets the devices send by themselves, each at random times. */
export interface Traffic {
  /** Gives a device its turns, while the traffic is on. */
  schedule(device: StoredDevice): void
  /** On average so often for each device. */
  start(everyMs: number): void
  stop(): void
}

export function createTraffic(
  { clock, random, store }: { clock: Clock; random: Random; store: Store },
  transmit: (device: StoredDevice) => Promise<void>,
): Traffic {
  const cancels = new Map<StoredDevice, () => void>()
  let interval = 0

  const isThere = (device: StoredDevice) => store.devices.get(device.record.getDevEui()) === device

  const scheduleIn = (device: StoredDevice, milliseconds: number) => {
    const cancel = clock.after(milliseconds, async () => {
      cancels.delete(device)
      if (!isThere(device) || device.record.getIsDisabled()) return
      await transmit(device)
      // Stopped and started meanwhile, it may have its next turn already.
      const isDue = interval > 0 && !cancels.has(device)
      if (isDue) scheduleIn(device, interval * (0.5 + random.next()))
    })
    cancels.set(device, cancel)
  }

  const schedule = (device: StoredDevice) => {
    if (interval > 0 && device.keys && !cancels.has(device)) {
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
    for (const device of store.devices.values()) schedule(device)
  }

  return { schedule, start, stop }
}
