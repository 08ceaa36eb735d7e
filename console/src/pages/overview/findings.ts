import type { AlertKind } from '../../alerts/alert-words.ts'
import { conditionOf } from '../../condition/conditions.ts'
import { t } from '../../languages/text.ts'
import { formatCount } from '../../ui/numbers.ts'
import type { StateKind } from '../../ui/state.tsx'
import type { Summary } from './summary.ts'

type Problem = Summary['problems']['silent'][number]

/** A count that somebody should look at, with the list that shows what it counts. */
export interface Finding {
  key: string
  /** The alerts that tell of the same, one for each device. */
  alerts?: AlertKind
  count?: number
  kind: StateKind
  what: string
  note: string
  /** Of the devices that are counted, those that it happened to last. */
  latest?: Problem[]
  action: string
  to: '/devices' | '/gateways' | '/networks'
  search?: Record<string, string | number>
}

/** What the numbers of the fleet say of it; nothing where all is well. */
export function findingsOf(summary: Summary): Finding[] {
  return [...ofAccounts(summary), ...ofDevices(summary), ...ofRest(summary)]
}

function ofAccounts({ accounts }: Summary): Finding[] {
  return accounts.flatMap(({ network_name: name, verdict }, index): Finding[] => {
    const [reason] = verdict.reasons
    if (!reason || !['attention', 'silent'].includes(verdict.state)) return []
    const { kind, word } = conditionOf(verdict)
    return [
      {
        key: `account ${index}`,
        kind,
        what: `${name}: ${word.toLowerCase()}`,
        note: reason.message,
        action: t('Open'),
        to: '/networks',
      },
    ]
  })
}

function ofDevices({ devices, problems }: Summary): Finding[] {
  const { tampered, register_error: refused, silent, low_battery: low } = devices
  return [
    ...finding(tampered, {
      key: 'tampered',
      alerts: 'tamper',
      kind: 'bad',
      what: t('{tampered, plural, one {# device} other {# devices}} tampered with', { tampered }),
      note: t('Somebody opened or moved the sensor.'),
      search: { tamper: 'yes' },
    }),
    ...finding(refused, {
      key: 'refused',
      alerts: 'registration_error',
      kind: 'bad',
      what: t('{refused, plural, one {# device} other {# devices}} not registered', { refused }),
      note: t('The network refused the registration.'),
      latest: problems.register_error,
      search: { status: 'register_error' },
    }),
    ...finding(silent, {
      key: 'silent',
      alerts: 'device_silent',
      kind: 'warn',
      what: t('{silent, plural, one {# device} other {# devices}} silent', { silent }),
      note: t('Not heard for longer than usual.'),
      latest: problems.silent,
      search: { verdict: 'silent', sort: 'last_seen', order: 'desc' },
    }),
    ...finding(low, {
      key: 'low battery',
      alerts: 'low_battery',
      kind: 'warn',
      what: t('{low, plural, one {# device} other {# devices}} with a low battery', { low }),
      note: t('Replace the battery soon.'),
      search: { low_battery: 'yes' },
    }),
  ]
}

function ofRest({ gateways, quarantine }: Summary): Finding[] {
  return [
    ...finding(gateways.silent, {
      key: 'gateways',
      alerts: 'gateway_silent',
      kind: 'warn',
      what: t('{silent, plural, one {# gateway} other {# gateways}} silent', {
        silent: gateways.silent,
      }),
      note: t('No uplink for longer than usual.'),
      to: '/gateways',
      search: { verdict: 'silent' },
    }),
    ...finding(quarantine.messages, {
      key: 'quarantine',
      kind: 'waiting',
      what: t('{messages} in quarantine', { messages: formatCount(quarantine.messages) }),
      note: t('Messages of devices that are not registered here.'),
      to: '/networks',
    }),
  ]
}

function finding(
  count: number,
  rest: Omit<Finding, 'to' | 'action'> & Partial<Pick<Finding, 'to'>>,
): Finding[] {
  return count > 0 ? [{ to: '/devices', action: t('Show'), count, ...rest }] : []
}
