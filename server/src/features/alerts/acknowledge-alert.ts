import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../http/change-record.ts'
import { withExamples } from '../../http/examples.ts'
import { optionalLines } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import * as alertQueries from './alert-queries.ts'
import { alertAnswer, alertNotFound, alertPath, toAlertRecord } from './alert-record.ts'

export const noteField = withExamples(
  { note: optionalLines('note', 1000).describe('For colleagues; it replaces the note before.') },
  { note: 'The roof is being repaired until Friday.' },
)

export const acknowledgeAlert = endpoint({
  summary: 'Say that somebody has seen an alert',
  description: 'Who did so first stays. It goes on until the state of things is back.',
  params: alertPath,
  body: z.object(noteField),
  answer: alertAnswer,
  failures: [404],
  change: changeBy((done) => ({
    kind: 'alert',
    action: 'acknowledged',
    subject: textOf(dataOf(done).id),
    name: textOf(dataOf(done).rule_name),
  })),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    const { organizationId, userId } = caller
    const chosen = { ids: [params.alert_id], rule: undefined }
    const by = { userId, note: body.note ?? null, now: now() }
    const data = await db.transaction(async (tx) => {
      await alertQueries.acknowledge(tx, organizationId, chosen, by)
      const alert = await alertQueries.find(tx, organizationId, params.alert_id)
      if (!alert) throw alertNotFound()
      const data = toAlertRecord(alert)
      await record(tx, { data })
      return data
    })
    announce(services, organizationId, { kind: 'alert', id: data.id })
    return { data }
  },
})
