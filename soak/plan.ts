/** All that follows from the command line. */
export interface SoakPlan {
  seed: number
  devices: number
  days: number
  minutes: number
  /** Devices at the simulated network, which get downlinks. All others are only in the console. */
  devicesAtNetwork: number
  /** Days for which uplinks are kept. */
  keptDays: number
  /** Real milliseconds of a day. */
  dayLength: number
  /** Of the day, when the key is changed: in the first quarter, which counts as warm-up. */
  rotationDay: number
}

/** The service keeps uplinks for a week at least. */
const fewestKeptDays = 7
const mostAtNetwork = 200

export function planSoak(settings: {
  seed: number
  devices: number
  days: number
  minutes: number
}): SoakPlan {
  const { devices, days, minutes } = settings
  return {
    ...settings,
    devicesAtNetwork: Math.max(1, Math.min(mostAtNetwork, Math.ceil(devices / 10))),
    keptDays: Math.max(fewestKeptDays, Math.floor(days / 3)),
    dayLength: (minutes * 60_000) / days,
    rotationDay: Math.max(1, Math.floor(days / 5)),
  }
}

/** Something that happens at a time of the run, in days since its begin. */
export interface Happening {
  day: number
  what: 'goes away' | 'comes back' | 'key' | 'certificate' | 'log'
  /** Of the receivers. */
  receiver?: number
  /** Away for longer than a day: the webhook is disabled and has to be resumed. */
  isLong?: boolean
}

/** Each second day one receiver is away for some hours, and in the middle one for longer than a day. */
export function planHappenings({ days, rotationDay }: SoakPlan): Happening[] {
  const happenings: Happening[] = [
    { day: rotationDay, what: 'key' },
    { day: days * 0.4, what: 'certificate' },
    { day: days * 0.15, what: 'log' },
    { day: days * 0.65, what: 'log' },
  ]
  const long = Math.floor(days / 2)
  for (let day = 2; day < days - 2; day += 2) {
    const isLong = day === long || day === long + 1
    const receiver = isLong ? 1 : (day / 2) % 2
    const end = day + (isLong ? 1.6 : 0.4)
    happenings.push({ day: day + 0.1, what: 'goes away', receiver, isLong })
    happenings.push({ day: end, what: 'comes back', receiver, isLong })
  }
  return happenings.toSorted((one, other) => one.day - other.day)
}

/** How much of a device's life is unlike the usual one. */
export const rates = {
  lost: 0.01,
  repeated: 0.05,
  /** Joins again, and its counter begins again. */
  reset: 0.002,
  cancelled: 0.1,
}

/** One of so many devices reports that its case is open, and later that it is closed. */
const tamperedEvery = 50
/** One of so many devices is silent for some days, and sends again. */
const silentEvery = 40
const silentDays = 4

/** What the message of a device on a day says; undefined when it is silent. */
export function frameOf(device: number, day: number): string | undefined {
  const shifted = day + (device % 5)
  if (device % silentEvery === 7 && shifted % 9 >= 9 - silentDays && day > 5) return undefined
  if (device % tamperedEvery === 3) {
    if (shifted % 4 === 1) return '100200'
    if (shifted % 4 === 3) return '110201'
  }
  return day % 2 === 0 ? '100301' : '110300'
}

/** Uplinks that are kept at any time. */
export function keptUplinks({ devices, keptDays }: SoakPlan): number {
  return devices * keptDays
}
