import type { DeviceRecord } from '../use-device.ts'

/** A thing that would explain why nothing comes from a device, and what to do about it. */
export interface Cause {
  text: string
  remedy: string
  /** The part of the console where it can be fixed. */
  where?: 'settings' | 'networks'
}

/** What is known here that would explain the silence, the most certain one first. */
export function findCauses(device: DeviceRecord): Cause[] {
  return [...networkCauses(device), ...differenceCauses(device), ...sensorCauses(device)]
}

function networkCauses(device: DeviceRecord): Cause[] {
  const { account, network, device_register_status: status, quarantined } = device
  const causes: Cause[] = []
  if (status === 'register_error') {
    causes.push({
      text: `${network.name} refused the device: ${device.api_error ?? 'it gave no reason.'}`,
      remedy: 'Fix what it names, then press "Register again" below.',
    })
  }
  if (status === 'pending' && !device.is_console_only) {
    causes.push({
      text: `${network.name} does not know the device yet. ${device.api_error ?? ''}`,
      remedy: 'It is told as soon as it can be. Until then, the device cannot join.',
    })
  }
  if (device.is_console_only && account === null) {
    causes.push({
      text: `The device is kept here only, and no account at ${network.name} is connected.`,
      remedy: 'Connect the account to whose network the device belongs.',
      where: 'networks',
    })
  }
  if (account && account.status !== 'connected') {
    causes.push({
      text: `The account at ${network.name} ${account.status === 'refused' ? 'is refused' : 'cannot be reached'}. ${account.message}`,
      remedy: 'Fix the account. Uplinks may still come in by its callback.',
      where: 'networks',
    })
  }
  if (quarantined) {
    causes.push({
      text: `Its messages come, and wait in the quarantine: ${quarantined.detail}`,
      remedy: 'Look at them in the quarantine of the network.',
      where: 'networks',
    })
  }
  return causes
}

const differences: Record<string, [text: string, remedy: string]> = {
  only_here: ['is missing at the network', 'Repair it: the network is told of it again.'],
  key_differs: [
    'has another key at the network than here',
    'Find out which one the device has, then repair or adopt. A wrong key lets no device join.',
  ],
  join_eui_differs: [
    'has another JoinEUI at the network than here',
    'Compare with the label of the device, then repair or adopt.',
  ],
  lorawan_differs: [
    'is registered for another LoRaWAN version, activation or class at the network',
    'Adopt it as the network has it, or register it there as the device is.',
  ],
  incomplete: ['is incomplete at the network', 'Repair it: the network is told of it again.'],
}

function differenceCauses({ account }: DeviceRecord): Cause[] {
  const found = differences[account?.difference?.difference ?? '']
  if (!found) return []
  return [{ text: `The device ${found[0]}.`, remedy: found[1], where: 'settings' }]
}

function sensorCauses({ battery, low_battery, rssi, snr }: DeviceRecord): Cause[] {
  const causes: Cause[] = []
  if (low_battery || (battery !== null && battery <= 2.6)) {
    causes.push({
      text: `Its battery was low when it was last heard${battery === null ? '' : `: ${battery} V`}.`,
      remedy: 'Replace the battery. A new one reads about 3.2 V.',
    })
  }
  if ((snr !== null && snr < -10) || (rssi !== null && rssi < -118)) {
    causes.push({
      text: 'Its last signal was weak.',
      remedy: 'Move it or its gateway, and see whether its gateways are online.',
    })
  }
  return causes
}
