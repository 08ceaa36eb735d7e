import { isoTime, type Moment } from '../../../http/timestamps.ts'
import type { DifferenceWord } from '../../accounts/reconciliation/difference.ts'
import { builtInBattery } from '../../insight/device-health/battery-trend.ts'
import type { FleetDevice } from '../devices/fleet-device-queries.ts'
import { isPending, isRefused, type Rule, timeSince, type Verdict } from '../inventory/verdict.ts'
import type { DevicePage } from './device-page-queries.ts'
import type { LastGateway, LastSignal } from './silence-queries.ts'

/** What would explain that nothing comes from a device, from all that the service knows. */

/** A gateway that heard the device last; without a verdict, it is not registered here. */
export interface HearingGateway extends LastGateway {
  id: number | null
  name: string | null
  verdict: Verdict | null
}

/** How a signal was among the last uplinks: at their beginning, and at their end. */
interface Trend {
  before: number
  last: number
}

export interface SilenceFacts extends Omit<FleetDevice, 'verdict' | 'rssi' | 'snr'> {
  page: DevicePage
  networkName: string
  account: Verdict | null
  gateways: readonly HearingGateway[]
  rssi: Trend | null
  snr: Trend | null
}

/** Fewer uplinks have no trend. */
const leastUplinks = 4
/** Milliseconds between the time of an uplink and its arrival. */
const mostBehind = 60_000
/** Decibels by which a signal has become worse. */
const fall = 8

/** The mean of the first and of the last quarter. */
export function trendOf(signal: readonly LastSignal[], name: keyof LastSignal): Trend | null {
  const values = signal.map((one) => one[name]).filter((value) => value !== null)
  if (values.length < leastUplinks) return null
  const quarter = Math.ceil(values.length / 4)
  return { before: meanOf(values.slice(0, quarter)), last: meanOf(values.slice(-quarter)) }
}

function meanOf(values: readonly number[]): number {
  const sum = values.reduce((all, one) => all + one, 0)
  return Math.round((10 * sum) / values.length) / 10
}

const ofDevice = isRefused('device')
const differences: Partial<Record<DifferenceWord, [message: string, action: string]>> = {
  only_here: ['The device is missing at the network.', 'Repair it: the network gets it again.'],
  incomplete: ['The device is incomplete at the network.', 'Repair it: the network gets it again.'],
  key_differs: [
    'The device has another key at the network than here.',
    'Find out which one the device has, then repair or adopt. With a wrong key no device joins.',
  ],
  join_eui_differs: [
    'The device has another JoinEUI at the network than here.',
    'Compare it with the label of the device, then repair or adopt.',
  ],
  lorawan_differs: [
    'The device is registered for another LoRaWAN version, activation or class at the network.',
    'Adopt it as the network has it, or register it there as the device is.',
  ],
}

const differs = Object.entries(differences).map(
  ([difference, [message, action]]): Rule<SilenceFacts> => ({
    code: 'differs',
    applies: ({ page }) => page.account?.difference?.difference === difference,
    message: () => message,
    action,
  }),
)

/** Other devices of the account were heard since: whatever its problem is, uplinks arrive. */
function isAccountHeard({ page: { account }, last_seen, created_at }: SilenceFacts): boolean {
  const { callback_heard_at, broker_heard_at } = account?.facts ?? {}
  const heard = [callback_heard_at, broker_heard_at].map((time) => (time ? timeOf(time) : 0))
  return Math.max(...heard) > timeOf(last_seen ?? created_at) + mostBehind
}

function timeOf(moment: Moment): number {
  return Date.parse(isoTime(moment))
}

const isSilent = ({ verdict }: HearingGateway) => verdict?.state === 'silent'

/** The most likely one first. */
export const causes: readonly Rule<SilenceFacts>[] = [
  { ...ofDevice, action: 'Correct what it names, and register the device again below.' },
  {
    ...isPending('device'),
    applies: ({ register_status, page }) => register_status === 'pending' && !page.is_console_only,
    action: 'It is told as soon as it can be. Until then the device cannot join.',
  },
  {
    code: 'quarantined',
    applies: ({ page }) => page.quarantined !== null,
    message: ({ page }) => `Its messages come, but are in quarantine: ${page.quarantined?.detail}`,
    action: 'Look at them in the quarantine of the network.',
  },
  {
    code: 'gateways_silent',
    applies: ({ gateways }) => gateways.length > 0 && gateways.every(isSilent),
    message: ({ gateways }) =>
      gateways.length === 1
        ? `${namesOf(gateways)}, the only gateway that heard it last, is silent too.`
        : `All gateways that heard it last are silent too: ${namesOf(gateways)}.`,
    action: 'Check their power and their connection to the Internet.',
  },
  {
    code: 'account',
    applies: (facts) =>
      ['attention', 'silent'].includes(facts.account?.state ?? '') && !isAccountHeard(facts),
    message: ({ networkName, account }) =>
      `The account at ${networkName} has a problem: ${account?.reasons[0]?.message ?? ''}`,
    action: 'Fix the account. Until then uplinks may not arrive here.',
  },
  {
    code: 'no_account',
    applies: ({ page }) => page.is_console_only && page.account === null,
    message: ({ networkName }) =>
      `The device is kept here only, and no account at ${networkName} is connected.`,
    action: 'Connect the account to whose network the device belongs.',
  },
  ...differs,
  {
    code: 'low_battery',
    applies: ({ status, battery }) =>
      status.low_battery === 'Yes' || (battery !== null && battery <= builtInBattery.low),
    message: ({ battery }) =>
      `Its battery was low when it was last heard${battery === null ? '' : ` (${battery} V)`}.`,
    action: 'Replace the battery.',
  },
  {
    code: 'signal_fell',
    applies: ({ rssi, snr }) => hasFallen(rssi) || hasFallen(snr),
    message: ({ rssi, snr }) =>
      `Its signal had become worse: ${[said('RSSI', rssi, 'dBm'), said('SNR', snr, 'dB')].filter(Boolean).join(', ')}.`,
    action: 'See whether it was moved or covered, and whether something stands in between now.',
  },
  {
    code: 'weak_signal',
    applies: ({ rssi, snr }) => (rssi?.last ?? 0) < -118 || (snr?.last ?? 0) < -10,
    message: () => 'Its signal was weak, so frames get lost.',
    action: 'Move it, or put a gateway nearer to it.',
  },
  {
    code: 'gateway_silent',
    applies: ({ gateways }) => gateways.some(isSilent) && !gateways.every(isSilent),
    message: ({ gateways }) =>
      `Not all gateways that heard it last are online: ${namesOf(gateways.filter(isSilent))} is silent.`,
    action: 'Check its power and its connection to the Internet.',
  },
  {
    code: 'tamper',
    applies: ({ status }) => status.tamper === 'Yes',
    message: () => 'Its case was opened, or it was taken off.',
    action: 'Look after the device on site.',
  },
]

function hasFallen(trend: Trend | null): boolean {
  return trend !== null && trend.last <= trend.before - fall
}

/** Only of what became worse. */
function said(name: string, trend: Trend | null, unit: string): string {
  return trend && hasFallen(trend) ? `${name} from ${trend.before} to ${trend.last} ${unit}` : ''
}

function namesOf(gateways: readonly HearingGateway[]): string {
  return gateways.map(({ name, gateway_eui }) => name ?? gateway_eui).join(', ')
}

/** What is left where nothing that is known here explains it. */
export function causeOfRest({ last_seen, networkName }: SilenceFacts, now: Date) {
  if (last_seen === null) {
    return {
      code: 'not_joined',
      message: `${networkName} has the device, but it was never heard: it is off, out of reach, or has another key.`,
      action: 'Switch it on near a gateway, and compare its EUI and key with its label.',
    }
  }
  return {
    code: 'device',
    message: `Nothing known here explains it, so the cause is most likely at the device: no power, or out of reach for ${timeSince(last_seen, now)}.`,
    action: 'Check its power, and trigger it near a gateway.',
  }
}
