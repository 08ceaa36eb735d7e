import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { permissions, type Session } from '../../../http/endpoint.ts'
import { unauthenticated } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { asOrganization, formatsOfOrganization } from '../../../lora/formats.ts'
import type { CoreServices } from '../../core-services.ts'
import { listMembershipsOf } from '../organizations/member-queries.ts'
import { limitedTo } from '../organizations/member-record.ts'
import { findSessionEnd } from '../sessions/session-queries.ts'
import { findTwoFactorState, isOn } from '../two-factor/two-factor-queries.ts'
import { formatsRecord, ownFormatsRecord } from '../users/format-fields.ts'
import { findUser, type OwnUser } from '../users/user-queries.ts'

export const userOfSession = z
  .object(
    withExamples(
      {
        id: z.int(),
        email: z.string(),
        name: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        time_zone: z.string().nullable(),
        formats: ownFormatsRecord,
        two_factor: z.boolean().describe('With an authenticator app, with passkeys, or with both.'),
        authenticator: z.boolean().describe('Whether codes of an authenticator app are accepted.'),
        passkeys: z.int(),
        recovery_codes_left: z.int(),
      },
      {
        id: 4,
        email: 'bo@example.com',
        name: 'Bo Summer',
        first_name: 'Bo',
        last_name: 'Summer',
        time_zone: 'Europe/Lisbon',
        formats: { ...asOrganization, time: '12h' as const },
        two_factor: true,
        authenticator: true,
        passkeys: 1,
        recovery_codes_left: 8,
      },
    ),
  )
  .meta({ id: 'SessionUser' })

const membership = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        parent_org_id: z.int().nullable(),
        is_owner: z.boolean(),
        permissions: z.array(z.enum(permissions)),
        group: limitedTo,
        requires_two_factor: z
          .boolean()
          .describe('Without two-factor authentication, the user can only set it up there.'),
        formats: formatsRecord,
      },
      {
        id: 2,
        name: 'Harbour Cold Storage',
        parent_org_id: 1,
        is_owner: false,
        permissions: ['manage_devices', 'manage_groups'],
        group: null,
        requires_two_factor: false,
        formats: formatsOfOrganization({}),
      },
    ),
  )
  .meta({ id: 'Membership' })

/** Who is logged in, where, and until when. */
export const sessionAnswer = z
  .object({
    data: z.object({
      user: userOfSession,
      organizations: z.array(membership),
      ...withExamples(
        {
          must_change_password: z.boolean(),
          expires_at: z.string(),
          sign_on: z
            .object({ two_factor: z.boolean() })
            .nullable()
            .describe(
              'Null after a login with a password. `two_factor`: the provider has checked a second factor.',
            ),
        },
        {
          must_change_password: false,
          expires_at: '2026-03-31T12:00:00.000000Z',
          sign_on: null,
        },
      ),
    }),
  })
  .meta({ title: 'logged in' })

/** @throws HttpError 401 when the session has ended meanwhile. */
export async function describeSession(
  { db }: Pick<CoreServices, 'db'>,
  { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
): Promise<z.infer<typeof sessionAnswer>> {
  const end = await findSessionEnd(db, sessionId)
  const stored = await findUser(db, userId)
  if (!stored || end === undefined) throw unauthenticated()
  return {
    data: {
      user: await describeStored(db, stored),
      organizations: await listMembershipsOf(db, userId),
      must_change_password: stored.must_change_password,
      expires_at: isoTime(end.expires_at),
      sign_on: end.sign_on_factors === null ? null : { two_factor: end.sign_on_factors === 2 },
    },
  }
}

/** @throws HttpError 401 when there is no such user. */
export async function describeUser(
  db: Queryable,
  userId: number,
): Promise<z.infer<typeof userOfSession>> {
  const user = await findUser(db, userId)
  if (!user) throw unauthenticated()
  return describeStored(db, user)
}

async function describeStored(
  db: Queryable,
  { id, email, first_name, last_name, time_zone, formats: set }: OwnUser,
): Promise<z.infer<typeof userOfSession>> {
  const name = `${first_name} ${last_name}`.trim()
  const state = await findTwoFactorState(db, id)
  return {
    ...{ id, email, name, first_name, last_name, time_zone },
    formats: { ...asOrganization, ...set },
    two_factor: isOn(state),
    authenticator: state.hasAuthenticator,
    passkeys: state.passkeyCount,
    recovery_codes_left: state.recoveryCodeCount,
  }
}
