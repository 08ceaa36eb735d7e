import { z } from 'zod'
import { invalid, unauthenticated } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText, timeZoneName } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endpoint, openEndpoint } from '../../core-services.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { provingAttempt } from '../sessions/login-limits.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { ownFormatChanges } from '../users/format-fields.ts'
import { currentPassword, newPassword, refuseOwnEmail } from '../users/password-fields.ts'
import { hashPassword, isPassword } from '../users/passwords.ts'
import {
  changeFormats,
  findUser,
  renameUser,
  replacePassword,
  setTimeZone,
} from '../users/user-queries.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'
import { describeUser, userOfSession } from './session-record.ts'

export const showMe = endpoint({
  summary: 'The current user, with the permissions held in the organization',
  answer: z.object({ data: userRecord }),
  async handle({ caller }, { db }) {
    const user = await findUser(db, caller.userId)
    if (!user) throw unauthenticated()
    return { data: toUserRecord(user, caller.permissions) }
  },
})

export const changeUser = openEndpoint({
  summary: "Changes the user's own names, time zone or formats; what is left out stays",
  description:
    'The time zone is that in which the user wants to read times; null for that of the browser.' +
    ' A format of null is that of the organization, and formats include the language. The API itself' +
    ' always gives UTC, base units and English.',
  body: z.object(
    withExamples(
      {
        first_name: requiredText('first name').optional(),
        last_name: requiredText('last name').optional(),
        time_zone: timeZoneName.nullable().optional(),
        formats: ownFormatChanges.optional(),
      },
      {
        first_name: 'Bo',
        last_name: 'Summer',
        time_zone: 'Europe/Lisbon',
        formats: { temperature: 'fahrenheit' as const },
      },
    ),
  ),
  answer: z.object({ data: userOfSession }),
  async handle({ body, session }, { db, now }) {
    if (!session) throw unauthenticated()
    const { userId } = session
    const names = { firstName: body.first_name?.trim(), lastName: body.last_name?.trim() }
    const time = momentOf(now())
    const { time_zone: zone, formats } = body
    return db.transaction(async (tx) => {
      await renameUser(tx, userId, names, time)
      if (zone !== undefined) await setTimeZone(tx, userId, zone, time)
      if (formats) await changeFormats(tx, userId, formats, time)
      return { data: await describeUser(tx, userId) }
    })
  },
})

const body = z
  .object(
    withExamples(
      { current_password: currentPassword, password: newPassword },
      { current_password: 'seven green lanterns', password: 'eight quiet harbours' },
    ),
  )
  // Otherwise a person who has set it for the user would still know it.
  .refine((given) => given.password !== given.current_password, {
    path: ['password'],
    error: 'The new password must differ from the current one.',
  })

export const changePassword = endpoint({
  summary: 'Sets a new password of the user, and ends all other sessions',
  body,
  status: 204,
  failures: [429, 503],
  change: 'untold',
  async handle({ body, caller, request }, services) {
    const { db, now, loginRateLimit } = services
    const { userId, sessionId } = caller
    const { clientIp } = request
    // Counted together with /confirm-password-access: it is the same secret.
    const attempt = provingAttempt('password confirmation', userId, clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const user = await findUser(db, userId)
    if (!user) throw unauthenticated()
    refuseOwnEmail(body.password, user.email)
    if (!(await isPassword(body.current_password, user.password_hash))) {
      throw await countWrongGuess(services, attempt, userId, wrongPassword())
    }
    const hashes = { from: user.password_hash, to: await hashPassword(body.password) }
    await db.transaction(async (tx) => {
      await countRightGuess(tx, services, attempt)
      const time = momentOf(now())
      if (!(await replacePassword(tx, userId, hashes, time))) throw wrongPassword()
      await endSessionsOf(tx, userId, sessionId, time)
    })
  },
})

function wrongPassword() {
  return invalid({ current_password: ['You have entered wrong password.'] })
}
