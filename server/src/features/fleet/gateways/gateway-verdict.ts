import type { Moment } from '../../../http/timestamps.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'
import {
  isPending,
  isRefused,
  judge,
  lengthOf,
  type Rule,
  sinceHeard,
  timeSince,
  type Verdict,
  type VerdictState,
} from '../inventory/verdict.ts'

export interface GatewayFacts {
  verdict: VerdictState
  created_at: Moment
  last_seen: Moment | null
  register_status: RegisterStatus
  register_error: string | null
  refused_at: Moment | null
  /** Seconds between two uplinks, where that is known. */
  usual_seconds: number | null
}

/** The most serious first. */
const rules: readonly Rule<GatewayFacts>[] = [
  {
    code: 'silent',
    applies: ({ verdict, last_seen }) => verdict === 'silent' && last_seen !== null,
    message: ({ last_seen, created_at, usual_seconds }, now) => {
      const silence = `No uplink has come through it for ${timeSince(last_seen ?? created_at, now)}.`
      return usual_seconds === null
        ? silence
        : `${silence} Usually there is one every ${lengthOf(usual_seconds)}.`
    },
    action: 'Check its power and its connection to the Internet.',
  },
  isRefused('gateway'),
  isPending('gateway'),
  {
    code: 'never_heard',
    applies: ({ last_seen }) => last_seen === null,
    message: ({ created_at }, now) =>
      `No uplink has come through it yet. It was registered ${timeSince(created_at, now)} ago.`,
    action: 'Check its power, its connection, and that a device near it sends.',
  },
]

/** The words for the verdict of a gateway, which SQL has found. */
export function toGatewayVerdict(gateway: GatewayFacts, now: Date): Verdict {
  return judge(rules, gateway, sinceHeard(gateway), now)
}
