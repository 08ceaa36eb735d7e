import { z } from 'zod'
import { changeBy, dataOf } from '../../http/change-record.ts'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { largestInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import { noteField } from './acknowledge-alert.ts'
import * as alertQueries from './alert-queries.ts'
import { lockWatch } from './watch-queries.ts'

const mostIds = 1000
const idsMessage = `The ids must be up to ${mostIds} ids of alerts.`
const ruleMessage = 'The rule must be an id.'

export const acknowledgeAlerts = endpoint({
  summary: 'Acknowledge several alerts at once',
  description: 'Those of `ids`, or all open ones of a `rule`.',
  body: z.object({
    ...withExamples(
      {
        ids: z
          .array(z.int({ error: idsMessage }).min(1, idsMessage), { error: idsMessage })
          .max(mostIds, idsMessage)
          .nullish(),
        rule: z
          .int({ error: ruleMessage })
          .min(1, ruleMessage)
          .max(largestInteger, ruleMessage)
          .nullish(),
      },
      { ids: null, rule: 4 },
    ),
    ...noteField,
  }),
  answer: z.object({
    data: z.object(withExamples({ acknowledged: z.int() }, { acknowledged: 12 })),
  }),
  change: changeBy((done) => {
    const count = Number(dataOf(done).acknowledged ?? 0)
    return count > 0 ? { kind: 'alert', action: 'acknowledged', count } : undefined
  }),
  async handle({ body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const chosen = { ids: body.ids ?? undefined, rule: body.rule ?? undefined }
    if ((chosen.ids === undefined) === (chosen.rule === undefined)) {
      throw invalid({ ids: ['Send either ids or a rule.'] })
    }
    const by = { userId, note: body.note ?? null, now: now() }
    const acknowledged = await db.transaction(async (tx) => {
      await lockWatch(tx, organizationId)
      const acknowledged = await alertQueries.acknowledge(tx, organizationId, chosen, by)
      await record(tx, { data: { acknowledged } })
      return acknowledged
    })
    if (acknowledged > 0) announce(services, organizationId, { kind: 'alert' })
    return { data: { acknowledged } }
  },
})
