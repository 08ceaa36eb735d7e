import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { formatsOfOrganization } from '../../../lora/formats.ts'
import { endpoint } from '../../core-services.ts'
import { formatChanges, formatsRecord } from '../users/format-fields.ts'
import { changeFormatsOf, findFormatsOf } from './organization-queries.ts'

const formatsAnswer = z.object({ data: formatsRecord })

export const showFormats = endpoint({
  summary: 'How members read texts, numbers and times, unless they have chosen for themselves',
  answer: formatsAnswer,
  async handle({ caller }, { db }) {
    return { data: formatsOfOrganization(await findFormatsOf(db, caller.organizationId)) }
  },
})

export const changeFormats = endpoint({
  summary: 'Sets how members read texts, numbers and times; what is left out stays',
  description: `The console and mails write by it. The API always gives base units, UTC and English, whatever is
set here. Members choose for themselves with \`PATCH /user\`.`,
  body: formatChanges,
  answer: formatsAnswer,
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db }) {
    return db.transaction(async (tx) => {
      const changed = await changeFormatsOf(tx, caller.organizationId, body)
      await record(tx)
      return { data: formatsOfOrganization(changed) }
    })
  },
})
