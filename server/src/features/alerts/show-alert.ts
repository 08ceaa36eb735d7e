import { endpoint } from '../core-services.ts'
import * as alertQueries from './alert-queries.ts'
import { alertAnswer, alertNotFound, alertPath, toAlertRecord } from './alert-record.ts'

export const showAlert = endpoint({
  summary: 'One alert',
  params: alertPath,
  answer: alertAnswer,
  failures: [404],
  async handle({ params, caller }, { db }) {
    const alert = await alertQueries.find(db, caller.organizationId, params.alert_id)
    if (!alert) throw alertNotFound()
    return { data: toAlertRecord(alert) }
  },
})
