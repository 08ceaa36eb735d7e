import { isoTime, type Moment } from '../../../http/timestamps.ts'
import {
  judge,
  type Rule,
  timeSince,
  type Verdict,
  type VerdictState,
} from '../../fleet/inventory/verdict.ts'
import { beginningHours } from '../../fleet/inventory/verdict-queries.ts'
import type { AccountStatus } from '../connections/account-queries.ts'

/** What an account is judged by. */
export interface AccountFacts {
  created_at: Moment
  status: AccountStatus
  status_message: string
  status_since: Moment
  callback_message: string
  callback_heard_at: Moment | null
  callback_checked_at: Moment | null
  /** Empty while the broker is followed; null until this is known, and without a broker. */
  broker_message: string | null
  broker_since: Moment | null
  broker_heard_at: Moment | null
}

type Facts = AccountFacts & { verdict: VerdictState }

/** The words about the callback, until an uplink has come by it since they were written. */
export function callbackMessageOf(account: AccountFacts): string {
  const { callback_message, callback_heard_at: heard, callback_checked_at: checked } = account
  const isBack = heard !== null && checked !== null && timeOf(heard) > timeOf(checked)
  return isBack ? '' : callback_message
}

/** The most serious first. */
const rules: readonly Rule<Facts>[] = [
  {
    code: 'refused',
    applies: ({ status }) => status === 'refused',
    message: ({ status_message }) => status_message || 'The network refuses the account.',
    action: 'Enter the account again, with a key that the network accepts.',
    since: ({ status_since }) => status_since,
  },
  {
    code: 'unreachable',
    applies: ({ status }) => status === 'unreachable',
    message: ({ status_message }) => status_message || 'The network cannot be reached.',
    action: 'Check that the network is up and the address is right. It is retried automatically.',
    since: ({ status_since }) => status_since,
  },
  {
    code: 'mqtt',
    applies: ({ broker_message, status_message }) =>
      Boolean(broker_message) && broker_message !== status_message,
    message: ({ broker_message }) => broker_message ?? '',
    action: 'Check the broker, its user and its topic.',
    since: ({ broker_since }) => broker_since,
  },
  {
    code: 'callback',
    applies: (account) => callbackMessageOf(account) !== '',
    message: callbackMessageOf,
    action: 'Check that the network can reach the address of the callback.',
    since: ({ callback_checked_at }) => callback_checked_at,
  },
  {
    code: 'silent',
    applies: ({ verdict }) => verdict === 'silent',
    message: (account, now) =>
      `No message has come from the network for ${timeSince(heardAt(account) ?? account.created_at, now)}.`,
    action: 'Check the callback, and whether the devices send.',
  },
  {
    code: 'slowed_down',
    applies: ({ status, status_message }) => status === 'connected' && status_message !== '',
    message: ({ status_message }) => status_message,
    action: 'Wait: calls go on at the pace of the network.',
  },
  {
    code: 'never_heard',
    applies: (account) => heardAt(account) === null,
    message: () => 'No message has come from the network yet.',
    action: 'Register a device, and check that the callback is entered at the network.',
  },
]

/** The one judgement of accounts: the worst of the API, the broker and the callback. */
export function toAccountVerdict(account: AccountFacts, now: Date): Verdict {
  const verdict = stateOf(account, now)
  return judge(rules, { ...account, verdict }, sinceOf(account, verdict), now)
}

function stateOf(account: AccountFacts, now: Date): VerdictState {
  const { status, broker_message } = account
  const isAtFault = status !== 'connected' || broker_message || callbackMessageOf(account)
  if (isAtFault) return 'attention'
  const heard = heardAt(account)
  if (heard === null) return 'new'
  return timeOf(heard) < now.getTime() - beginningHours * 3_600_000 ? 'silent' : 'ok'
}

function sinceOf(account: AccountFacts, verdict: VerdictState): string | null {
  if (verdict === 'new') return isoTime(account.created_at)
  const heard = heardAt(account)
  return verdict === 'silent' && heard ? isoTime(heard) : null
}

/** When the last message came, by the callback or the broker. */
function heardAt({ callback_heard_at: one, broker_heard_at: other }: AccountFacts): Moment | null {
  if (one === null || other === null) return one ?? other
  return timeOf(one) > timeOf(other) ? one : other
}

function timeOf(moment: Moment): number {
  return Date.parse(isoTime(moment))
}

/** What members see of the operator's account: whether its network takes it. */
export function withoutDetails<Account extends AccountFacts>(account: Account): Account {
  return {
    ...account,
    status_message: '',
    callback_message: '',
    broker_message: null,
    callback_heard_at: account.created_at,
    broker_heard_at: null,
  }
}
