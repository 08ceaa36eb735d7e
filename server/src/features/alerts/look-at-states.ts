import type { Queryable } from '../../db/connect.ts'
import type { SettingsOf, SilenceSettings } from './alert-kinds.ts'
import type { StoredRule } from './rule-queries.ts'
import { mostOpened } from './scope.ts'
import {
  closeHeard,
  learnRhythms,
  openSilentDevices,
  openSilentGateways,
} from './silence-queries.ts'
import {
  closeMendedRegistrations,
  endOutOfScope,
  openFailedRegistrations,
  openLasting,
} from './state-queries.ts'

/** What one look at the states of things came to. */
export interface Look {
  /** Alerts that were opened or closed. */
  changes: number
  /** There was more than one transaction should take: the next look is at once. */
  hasMore: boolean
}

/** Looks for silence, and all else that no uplink tells, with each rule of the organization. */
export async function lookAtStates(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  now: Date,
): Promise<Look> {
  const learnt = await learn(tx, organizationId, rules, now)
  const look: Look = { changes: 0, hasMore: learnt > 0 }
  for (const rule of rules) {
    const ended = await endOutOfScope(tx, rule, now)
    const closed = await close(tx, rule, now)
    // Some rhythms are not known yet.
    const isTooEarly = rule.kind === 'device_silent' && learnt > 0
    const opened = isTooEarly ? 0 : await open(tx, rule, now)
    look.changes += ended + closed + opened
    if (opened >= mostOpened) look.hasMore = true
  }
  return look
}

/** Learns the rhythms of all devices that are silent for as long as some rule asks. */
async function learn(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  now: Date,
): Promise<number> {
  const minutes = rules
    .filter(({ kind }) => kind === 'device_silent')
    .map(({ settings }) => (settings as SilenceSettings).at_least_minutes)
  if (minutes.length === 0) return 0
  return learnRhythms(tx, organizationId, { now, seconds: Math.min(...minutes) * 60 })
}

async function open(tx: Queryable, rule: StoredRule, now: Date): Promise<number> {
  switch (rule.kind) {
    case 'device_silent':
      return openSilentDevices(tx, rule, now)
    case 'gateway_silent':
      return openSilentGateways(tx, rule, now)
    case 'registration_error':
      return openFailedRegistrations(tx, rule, now)
    case 'threshold': {
      const { minutes } = rule.settings as SettingsOf<'threshold'>
      return minutes > 0 ? openLasting(tx, rule, { minutes, now }) : 0
    }
    default:
      return 0
  }
}

async function close(tx: Queryable, rule: StoredRule, now: Date): Promise<number> {
  switch (rule.kind) {
    case 'device_silent':
      return closeHeard(tx, rule, 'device', now)
    case 'gateway_silent':
      return closeHeard(tx, rule, 'gateway', now)
    case 'registration_error':
      return closeMendedRegistrations(tx, rule, now)
    default:
      return 0
  }
}
