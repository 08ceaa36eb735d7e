import type { Queryable } from '../../../db/connect.ts'
import type { SettingsOf } from './alert-kinds.ts'
import { closeCalm } from './calm.ts'
import type { StoredRule } from './rule-queries.ts'
import { mostOpened } from './scope-queries.ts'
import {
  closeHeard,
  findQuietDevices,
  openSilentDevices,
  openSilentGateways,
  type QuietDevices,
} from './silence-queries.ts'
import {
  closeMendedRegistrations,
  endOutOfScope,
  openFailedRegistrations,
  openLasting,
} from './state-queries.ts'
import { closeGoodUptimes, openLowUptimes } from './uptime-queries.ts'

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
  const ofSilence = rules.filter(({ kind }) => kind === 'device_silent')
  const quiet =
    ofSilence.length === 0
      ? { devices: [], window: 0, hasMore: false }
      : await findQuietDevices(tx, organizationId, ofSilence, now)
  const look: Look = { changes: 0, hasMore: quiet.hasMore }
  for (const rule of rules) {
    const ended = await endOutOfScope(tx, rule, now)
    const closed = await close(tx, rule, now)
    const opened = await open(tx, rule, { now, quiet })
    look.changes += ended + closed + opened
    if (opened >= mostOpened) look.hasMore = true
  }
  return look
}

async function open(
  tx: Queryable,
  rule: StoredRule,
  { now, quiet }: { now: Date; quiet: QuietDevices },
): Promise<number> {
  switch (rule.kind) {
    case 'device_silent':
      return openSilentDevices(tx, rule, { now, quiet })
    case 'gateway_silent':
      return openSilentGateways(tx, rule, now)
    case 'gateway_uptime':
      return openLowUptimes(tx, rule, now)
    case 'registration_error':
      return openFailedRegistrations(tx, rule, now)
    case 'threshold':
    case 'condition': {
      const { minutes } = rule.settings as SettingsOf<'threshold' | 'condition'>
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
    case 'condition':
      return closeCalm(tx, rule, now)
    case 'gateway_uptime':
      return closeGoodUptimes(tx, rule, now)
    case 'registration_error':
      return closeMendedRegistrations(tx, rule, now)
    default:
      return 0
  }
}
