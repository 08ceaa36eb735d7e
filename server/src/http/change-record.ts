/** What a change is about, in the API's words. */
export const kinds = [
  'device',
  'gateway',
  'group',
  'downlink',
  'device_type',
  'account',
  'quarantine',
  'member',
  'organization',
  'billing',
  'job',
  'webhook',
  'api_key',
  'alert',
  'alert_rule',
  'dashboard',
  'report',
  'alert_channel',
  'floor_plan',
  'request',
] as const

export type Kind = (typeof kinds)[number]

/** A change as it is recorded: which thing, and what was done to it. Never a value or a secret. */
export interface Change {
  kind: Kind
  /** A verb in the past: `registered`, `changed`. */
  action: string
  /** What the thing's address has: an EUI, an id or the key of a network. */
  subject?: string | undefined
  /** For people. */
  name?: string | undefined
  /** How many things were changed at once. */
  count?: number
  /** The members of the request that changed something. */
  fields?: readonly string[]
}

/** A thing as it was before the change. */
export interface Known {
  subject: string
  name: string
}

/** What a request and its answer tell. */
export interface Done {
  params: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
  answer: Readonly<Record<string, unknown>>
  known: Known | undefined
}

/** How an endpoint's change is told. */
export interface ChangeRecord {
  /** The thing that the path names is looked up before it is changed, by this parameter. */
  about?: { kind: LookedUp; param: string }
  describe(done: Done): readonly Change[]
}

export type LookedUp =
  | 'device'
  | 'gateway'
  | 'group'
  | 'device_type'
  | 'member'
  | 'invitation'
  | 'webhook'
  | 'api_key'
  | 'alert_rule'
  | 'dashboard'
  | 'report'
  | 'alert_channel'
  | 'floor_plan'

const idParameters = {
  device: 'device_id',
  gateway: 'gateway_id',
  group: 'group_id',
  device_type: 'id',
  member: 'user_id',
  invitation: 'id',
  webhook: 'webhook_id',
  api_key: 'key_id',
  alert_rule: 'rule_id',
  dashboard: 'dashboard_id',
  report: 'report_id',
  alert_channel: 'channel_id',
  floor_plan: 'plan_id',
} as const satisfies Record<LookedUp, string>

/** A change of the thing that the path names, or of something that belongs to the thing `about`. */
export function changeOf(kind: Extract<Kind, LookedUp>, action: string): ChangeRecord
export function changeOf(kind: Kind, action: string, about: LookedUp): ChangeRecord
export function changeOf(kind: Kind, action: string, about = kind as LookedUp): ChangeRecord {
  const param = idParameters[about]
  return {
    about: { kind: about, param },
    describe: ({ params, body, known }) => [
      { kind, action, subject: String(params[param]), ...known, fields: Object.keys(body) },
    ],
  }
}

/** A change of what the path names by this parameter, if any; it is not looked up. */
export function changeAt(kind: Kind, action: string, param?: string): ChangeRecord {
  return changeBy(({ params, body }) => {
    const subject = param && textOf(params[param])
    return { kind, action, subject, fields: Object.keys(body) }
  })
}

/** A new thing: the answer has its id, the request its name. */
export function creationOf(kind: Kind, nameMember = 'name'): ChangeRecord {
  return changeBy((done) => ({
    kind,
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(done.body[nameMember]),
  }))
}

/** A change that the request and its answer tell; none where it changed nothing. */
export function changeBy(describe: (done: Done) => Change | undefined): ChangeRecord {
  return {
    describe: (done) => {
      const change = describe(done)
      return change ? [change] : []
    },
  }
}

/** One change for each action of a batch, with the number of its items that were carried out. */
export function changesOfBatch(kind: Kind, items: string, verbs: Record<string, string>) {
  return {
    describe({ body, answer }: Done): Change[] {
      const sent = listOf(body[items])
      const done = listOf(answer.data)
      const counts = new Map<string, number>()
      for (const [at, entry] of done.entries()) {
        const verb = verbs[String(sent[at]?.action).toLowerCase()]
        if (entry.status === true && verb) counts.set(verb, (counts.get(verb) ?? 0) + 1)
      }
      return [...counts].map(([action, count]) => ({ kind, action, count }))
    },
  } satisfies ChangeRecord
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `data` of an answer. */
export function dataOf({ answer }: Done): Record<string, unknown> {
  return (answer.data ?? {}) as Record<string, unknown>
}
