import { z } from 'zod'
import { unauthenticated } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { timeZoneName } from '../../http/time-zone.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { renameUser, setTimeZone } from '../users/user-queries.ts'
import { describeUser, userOfSession } from './session-record.ts'

export const changeUser = openEndpoint({
  summary: "Changes the user's own names or time zone; what is left out stays",
  description:
    'The time zone is that in which the user wants to read times; null for that of the browser.' +
    ' Times of the API stay in UTC.',
  body: z.object(
    withExamples(
      {
        first_name: requiredText('first name').optional(),
        last_name: requiredText('last name').optional(),
        time_zone: timeZoneName.nullable().optional(),
      },
      { first_name: 'Bo', last_name: 'Summer', time_zone: 'Europe/Lisbon' },
    ),
  ),
  answer: z.object({ data: userOfSession }),
  async handle({ body, session }, { db, now }) {
    if (!session) throw unauthenticated()
    const { userId } = session
    const names = { firstName: body.first_name?.trim(), lastName: body.last_name?.trim() }
    const time = momentOf(now())
    const { time_zone: zone } = body
    return db.transaction(async (tx) => {
      await renameUser(tx, userId, names, time)
      if (zone !== undefined) await setTimeZone(tx, userId, zone, time)
      return { data: await describeUser(tx, userId) }
    })
  },
})
