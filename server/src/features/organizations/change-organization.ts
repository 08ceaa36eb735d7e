import { z } from 'zod'
import { changeAt } from '../../http/change-record.ts'
import { unauthenticated } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { optionalText, requiredText } from '../../http/fields.ts'
import { timeZoneName } from '../../http/time-zone.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { findOrganization, renewCodecs, updateOrganization } from './organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from './organization-record.ts'

const changes = z.object(
  withExamples(
    {
      name: requiredText('name').optional(),
      address_line_1: optionalText('address line 1'),
      address_line_2: optionalText('address line 2'),
      timezone_format: timeZoneName.optional(),
    },
    {
      name: 'Harbour Cold Storage',
      address_line_1: '12 Quay Street',
      address_line_2: null,
      timezone_format: 'Europe/Lisbon',
    },
  ),
)

export const changeOrganization = endpoint({
  summary: 'Changes name, address or time zone of the organization; what is left out stays',
  description:
    'An address line of `null` or without text is removed. Local times in codecs follow the time zone, such as `Europe/Lisbon`, from the next uplink on.',
  body: changes,
  answer: z.object({ data: organizationRecord }),
  change: changeAt('organization', 'changed'),
  async handle({ body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const changed = await db.transaction(async (tx) => {
      const found = await findOrganization(tx, organizationId, 'for update')
      if (!found) throw unauthenticated()
      const line = (sent: string | null | undefined, stored: string | null) =>
        sent === undefined ? stored : sent?.trim() || null
      const values = {
        name: body.name?.trim() ?? found.name,
        addressLine1: line(body.address_line_1, found.address_line_1),
        addressLine2: line(body.address_line_2, found.address_line_2),
        timeZone: body.timezone_format ?? found.timezone_format,
      }
      await record(tx)
      if (values.timeZone !== found.timezone_format) await renewCodecs(tx, organizationId)
      return updateOrganization(tx, organizationId, values, momentOf(now()))
    })
    return { data: toOrganizationRecord(changed) }
  },
})
