import type { DeviceRadio } from '../device-radio.ts'

/** Version, join and class of the devices of a profile. */
export type ProfileRadio = Pick<DeviceRadio, 'version' | 'activation' | 'deviceClass'>

export interface Profile {
  radio: ProfileRadio
  /** A join, or another session, empties the queue of a device. */
  flushesQueue: boolean
}

/** The profile that was made for a model, or why there is none. */
export type ModelProfile = { id: string } | { reason: string }
