import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { createLimitPerKey } from '../../../http/concurrency-limit.ts'
import { invalid, tooManyRequests } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { type AlertKind, readingKinds } from './alert-kinds.ts'
import { judgeUplinks } from './read-news.ts'
import { findNamed, findRange, readUplinks } from './reading-queries.ts'
import { ruleFields } from './rule-body.ts'
import type { StoredRule } from './rule-queries.ts'
import { readValues } from './rule-values.ts'
import { type Fired, tryOut } from './try-out.ts'

/** Kinds that stored uplinks tell; the trend of a battery and silence depend on more. */
const previewed: readonly AlertKind[] = readingKinds.filter((kind) => kind !== 'low_battery')

const days = 7
const day = 24 * 60 * 60 * 1000
/** Alerts of the device that is shown, the newest ones. */
const mostShown = 200
/** Uplinks that are gone through, the newest ones, in portions. */
const mostUplinks = 100_000
const portion = 2_000

const refuse = () => tooManyRequests(10)
const ofOrganizations = createLimitPerKey({ atOnce: 1, waiting: 0, refuse })
const ofTenants = createLimitPerKey({ atOnce: 2, waiting: 0, refuse })

export const previewAlertRule = endpoint({
  summary: 'How often a rule would have raised an alert in the last week',
  description: `Takes what \`POST /alert-rules\` takes, and changes nothing. For rules that look at readings (${previewed.map((kind) => `\`${kind}\``).join(', ')}), on the uplinks that are stored: the newest ${mostUplinks.toLocaleString('en')} of the last ${days} days.`,
  body: z.object(ruleFields),
  answer: z.object({
    data: z.object(
      withExamples(
        {
          alerts: z.int().describe('How often it would have fired.'),
          devices: z.int().describe('On so many devices.'),
          uplinks: z.int().describe('That were looked at.'),
          from: z.string().describe('The time of the first one that was looked at.'),
          last_at: z.string().nullable().describe('When it would have fired last.'),
          shown: z
            .object({
              device: z.object({ id: z.int(), eui: z.string(), name: z.string() }),
              alerts: z.array(z.object({ from: z.string(), to: z.string().nullable() })),
            })
            .nullable()
            .describe(
              'The device on which it would have fired most often, otherwise one that it looks at, and when an alert would have begun and ended.',
            ),
        },
        {
          alerts: 3,
          devices: 2,
          uplinks: 1204,
          from: '2026-02-22T12:00:00.000000Z',
          last_at: '2026-03-01T08:00:00.000000Z',
          shown: {
            device: { id: 101, eui: '00AA000000000001', name: 'Front door' },
            alerts: [{ from: '2026-03-01T08:00:00.000000Z', to: '2026-03-01T08:20:00.000000Z' }],
          },
        },
      ),
    ),
  }),
  failures: [429],
  changesNothing: true,
  async handle({ body, caller }, { db, now }) {
    const { organizationId, tenantId } = caller
    const { kind } = body
    if (!previewed.includes(kind)) {
      throw invalid({ kind: [`Only these kinds have a preview: ${previewed.join(', ')}.`] })
    }
    const values = await readValues(db, caller, { kind, body })
    const at = now()
    const rule = { ...values, organization_id: organizationId, id: 0 } as StoredRule
    const since = new Date(at.getTime() - days * day)
    const data = await ofOrganizations.run(organizationId, () =>
      ofTenants.run(tenantId, () => previewOf(db, rule, { since, now: at })),
    )
    return { data }
  },
})

async function previewOf(
  db: Database,
  rule: StoredRule,
  { since, now }: { since: Date; now: Date },
) {
  const { organization_id: organizationId } = rule
  const range = await findRange(db, organizationId, since, mostUplinks)
  const trial = tryOut(rule)
  let looked = 0
  let from = isoTimeOf(since)
  for (let after = range.after; after < range.upTo; after += portion) {
    const upTo = Math.min(range.upTo, after + portion)
    const read = await readUplinks(db, organizationId, { after, upTo })
    const uplinks = read.filter(({ event_time }) => Date.parse(event_time) >= since.getTime())
    const [first] = uplinks
    if (looked === 0 && first) from = isoTime(first.event_time)
    looked += uplinks.length
    const judged = await judgeUplinks(db, rule, uplinks, { now, most: portion })
    for (const { uplink, verdict } of judged) trial.judge(uplink, verdict)
  }
  trial.end(now.getTime())
  const { fired, seen } = trial
  const last = Math.max(...fired.map(({ from }) => from))
  const shown = mostFired(fired) ?? [...seen.keys()][0]
  return {
    alerts: fired.length,
    devices: new Set(fired.map(({ device }) => device)).size,
    uplinks: looked,
    from,
    last_at: fired.length === 0 ? null : isoTimeOf(new Date(last)),
    shown: shown === undefined ? null : await show(db, organizationId, shown, fired),
  }
}

/** What a preview draws: a device, and when it would have had an alert. */
async function show(db: Database, organizationId: number, device: number, fired: readonly Fired[]) {
  const [found] = await findNamed(db, organizationId, [device])
  if (!found) return null
  const times = fired.filter((one) => one.device === device).slice(-mostShown)
  return {
    device: found,
    alerts: times.map(({ from, to }) => ({
      from: isoTimeOf(new Date(from)),
      to: to === undefined ? null : isoTimeOf(new Date(to)),
    })),
  }
}

function mostFired(fired: readonly Fired[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { device } of fired) counts.set(device, (counts.get(device) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}
