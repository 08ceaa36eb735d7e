import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { createLimitPerKey } from '../../../http/concurrency-limit.ts'
import { invalid, tooManyRequests } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { type AlertKind, readingKinds } from './alert-kinds.ts'
import { judgeUplinks } from './read-news.ts'
import { findRange, readUplinks } from './reading-queries.ts'
import { type Known, moveOn } from './readings.ts'
import { readValues, ruleFields } from './rule-body.ts'
import type { StoredRule } from './rule-queries.ts'

/** Kinds that stored uplinks tell; the trend of a battery and silence depend on more. */
const previewed: readonly AlertKind[] = readingKinds.filter((kind) => kind !== 'low_battery')

const days = 7
const day = 24 * 60 * 60 * 1000
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
        },
        {
          alerts: 3,
          devices: 2,
          uplinks: 1204,
          from: '2026-02-22T12:00:00.000000Z',
          last_at: '2026-03-01T08:00:00.000000Z',
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
    const values = await readValues(db, organizationId, { kind, body })
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
  const { organization_id: organizationId, settings } = rule
  const lasting = 'minutes' in settings ? settings.minutes * 60_000 : 0
  const range = await findRange(db, organizationId, since, mostUplinks)
  const known = new Map<number, Known | undefined>()
  const fired = new Set<number>()
  const result = { alerts: 0, uplinks: 0, from: isoTimeOf(since), last: 0 }
  const note = (device: number, time: number) => {
    fired.add(device)
    result.alerts += 1
    result.last = Math.max(result.last, time)
  }
  /** What lasts long enough is found between two readings, too. */
  const openLasting = (device: number, time: number) => {
    const alert = known.get(device)
    if (alert?.state !== 'pending' || time - alert.began < lasting) return alert
    note(device, alert.began + lasting)
    return { ...alert, state: 'open' } as const
  }
  for (let after = range.after; after < range.upTo; after += portion) {
    const upTo = Math.min(range.upTo, after + portion)
    const read = await readUplinks(db, organizationId, { after, upTo })
    const uplinks = read.filter(({ event_time }) => Date.parse(event_time) >= since.getTime())
    const [first] = uplinks
    if (result.uplinks === 0 && first) result.from = isoTime(first.event_time)
    result.uplinks += uplinks.length
    for (const { uplink, verdict } of await judgeUplinks(db, rule, uplinks, now)) {
      const time = Date.parse(isoTime(uplink.event_time))
      const was = openLasting(uplink.device_id, time)
      const is = moveOn(was, verdict, { time, lasting })
      if (is?.state === 'open' && was?.state !== 'open') note(uplink.device_id, time)
      known.set(uplink.device_id, is)
    }
  }
  for (const device of known.keys()) openLasting(device, now.getTime())
  const { last, ...said } = result
  const last_at = said.alerts === 0 ? null : isoTimeOf(new Date(last))
  return { ...said, devices: fired.size, last_at }
}
