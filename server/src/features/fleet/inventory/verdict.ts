import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import type { StatusChange } from '../../../sensors/sensor.ts'
import type { Warning } from './coarse-states.ts'
import type { RegisterStatus } from './device-queries.ts'

/**
 * How a device is. Which state it is in is decided by SQL (verdict-queries.ts), so that lists can filter
 * and count by it; here are the words: why, since when, and what to do.
 */

export const verdictStates = ['new', 'ok', 'silent', 'attention', 'inactive'] as const

export type VerdictState = (typeof verdictStates)[number]

/** The counts of devices by their verdict. */
export const verdictCountFields = {
  ok: z.int(),
  new: z.int().describe('Never heard, and registered within 48 hours.'),
  silent: z
    .int()
    .describe(
      "Not heard for longer than three of their usual intervals, at least an hour; for longer than the organization's window where these are not known.",
    ),
  attention: z.int().describe('Heard, but something is to be done.'),
  inactive: z.int(),
  heard: z.int().describe('Those that are ok or need attention.'),
} satisfies Record<VerdictState | 'heard', z.ZodType>

export const verdictReason = z
  .object(
    withExamples(
      {
        code: z.string(),
        title: z
          .string()
          .optional()
          .describe('In short, where a member has said it: the name of the rule of an `alert`.'),
        message: z.string(),
        action: z.string().describe('What to do about it.'),
      },
      {
        code: 'alert',
        title: 'Too warm',
        message: 'The rule Too warm has had an alert about it for 2 hours.',
        action: 'See its alerts.',
      },
    ),
  )
  .meta({ id: 'VerdictReason' })

export type VerdictReason = z.infer<typeof verdictReason>

/** The same for devices, gateways and accounts. */
export const verdictRecord = z
  .object({
    state: z.enum(verdictStates).meta({ examples: ['attention'] }),
    since: z
      .string()
      .nullable()
      .describe(
        'Since when, where that is known. A silent one was heard last then; what needs attention does so since the first reason holds.',
      )
      .meta({ examples: [null] }),
    reasons: z.array(verdictReason).describe('The most serious first.'),
  })
  .meta({ id: 'Verdict' })

export type Verdict = z.infer<typeof verdictRecord>

/** The worst open alert about what a device sends. */
export interface OpenAlert {
  /** Of its rule. */
  name: string
  kind: string
  severity: 'warning' | 'critical'
  since: Moment
  /** Of open alerts about the device. */
  count: number
}

/** What reasons are found in. */
export interface DeviceFacts {
  verdict: VerdictState
  created_at: Moment
  last_seen: Moment | null
  register_status: RegisterStatus
  register_error: string | null
  is_active: boolean
  status: StatusChange
  /** Since when its warnings are so. */
  warned_since: Partial<Record<Warning, string>> | null
  /** When its network refused it last. */
  refused_at: Moment | null
  /** Seconds between two of its uplinks, where that is known. */
  usual_seconds: number | null
  open_alert: OpenAlert | null
}

/** When a reason is given, and in which words. */
export interface Rule<Facts> {
  code: string
  applies(facts: Facts): boolean
  title?(facts: Facts): string | undefined
  message(facts: Facts, now: Date): string
  action: string
  /** Since when it has needed attention. */
  since?(facts: Facts): Moment | null | undefined
}

type Registration = Pick<DeviceFacts, 'register_status' | 'register_error' | 'refused_at'>

export function isRefused(what: string): Rule<Registration> {
  return {
    code: 'register_error',
    applies: ({ register_status }) => register_status === 'register_error',
    message: ({ register_error }) =>
      register_error
        ? `The network refused the registration: ${register_error}`
        : 'The network refused the registration.',
    action: `Correct what it names, and register the ${what} again.`,
    since: ({ refused_at }) => refused_at,
  }
}

export function isPending(what: string): Rule<Registration> {
  return {
    code: 'register_pending',
    applies: ({ register_status }) => register_status === 'pending',
    message: () => `The network does not have the ${what} yet.`,
    action: 'Check the account at the network if it stays so.',
  }
}

/** The most serious first. */
const rules: readonly Rule<DeviceFacts>[] = [
  {
    code: 'inactive',
    applies: ({ is_active }) => !is_active,
    message: () => 'The device is not in use.',
    action: 'Delete it if it is not needed any more.',
  },
  {
    code: 'silent',
    applies: ({ verdict, last_seen }) => verdict === 'silent' && last_seen !== null,
    message: ({ last_seen, created_at, usual_seconds }, now) => {
      const silence = `No message for ${timeSince(last_seen ?? created_at, now)}.`
      return usual_seconds === null
        ? silence
        : `${silence} It usually sends every ${lengthOf(usual_seconds)}.`
    },
    action: 'Check its power, and whether a gateway in reach is online.',
  },
  isRefused('device'),
  {
    code: 'tamper',
    applies: ({ status }) => status.tamper === 'Yes',
    message: () => 'The case was opened, or the device was taken off.',
    action: 'Look after the device on site.',
    since: ({ warned_since }) => warned_since?.tamper,
  },
  {
    code: 'alert',
    // A battery is low once, whoever has found it.
    applies: ({ open_alert, status }) =>
      open_alert !== null && !(open_alert.kind === 'low_battery' && status.low_battery === 'Yes'),
    title: ({ open_alert }) => open_alert?.name,
    message: ({ open_alert }, now) => {
      if (!open_alert) return ''
      const { name, since, count } = open_alert
      const others = count === 1 ? '' : ` There are ${count} open alerts.`
      return `The rule ${name} has had an alert about it for ${timeSince(since, now)}.${others}`
    },
    action: 'See its alerts.',
    since: ({ open_alert }) => open_alert?.since,
  },
  {
    code: 'low_battery',
    applies: ({ status }) => status.low_battery === 'Yes',
    message: ({ status: { battery } }) =>
      battery ? `The battery is low (${battery.replace(/V$/, ' V')}).` : 'The battery is low.',
    action: 'Replace the battery.',
    since: ({ warned_since }) => warned_since?.low_battery,
  },
  {
    code: 'config_error',
    applies: ({ status }) => status.config_error === 'Yes',
    message: () => 'The device did not accept its last configuration.',
    action: 'Send the configuration again.',
    since: ({ warned_since }) => warned_since?.config_error,
  },
  isPending('device'),
  {
    code: 'never_heard',
    applies: ({ last_seen }) => last_seen === null,
    message: ({ created_at }, now) =>
      `Not heard yet. It was registered ${timeSince(created_at, now)} ago.`,
    action:
      'Switch the device on, or press its button. Check its key and that a gateway is in reach.',
  },
]

/** The words for the verdict of a device, which SQL has found. */
export function toVerdict(device: DeviceFacts, now: Date): Verdict {
  return judge(rules, device, sinceHeard(device), now)
}

/** The words for a state. What needs attention does so since the first reason holds. */
export function judge<Facts extends { verdict: VerdictState }>(
  rules: readonly Rule<Facts>[],
  facts: Facts,
  sinceHeard: string | null,
  now: Date,
): Verdict {
  const first = rules.find((rule) => rule.applies(facts))
  const began = facts.verdict === 'attention' ? first?.since?.(facts) : undefined
  return {
    state: facts.verdict,
    since: began ? isoTime(began) : sinceHeard,
    reasons: reasonsOf(rules, facts, now),
  }
}

export function reasonsOf<Facts>(
  rules: readonly Rule<Facts>[],
  facts: Facts,
  now: Date,
): VerdictReason[] {
  return rules
    .filter((rule) => rule.applies(facts))
    .map(({ code, title, message, action }) => {
      const said = title?.(facts)
      const named = said === undefined ? {} : { title: said }
      return { code, ...named, message: message(facts, now), action }
    })
}

/** When a silence began, or something new was made. */
export function sinceHeard({
  verdict,
  last_seen,
  created_at,
}: Pick<DeviceFacts, 'verdict' | 'last_seen' | 'created_at'>): string | null {
  if (verdict === 'new') return isoTime(created_at)
  return verdict === 'silent' ? isoTime(last_seen ?? created_at) : null
}

/** As `3 days`. */
export function timeSince(time: Moment, now: Date): string {
  const seconds = (now.getTime() - Date.parse(isoTime(time))) / 1000
  return seconds < 60 ? 'less than a minute' : lengthOf(seconds)
}

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** As `10 minutes`. */
export function lengthOf(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
