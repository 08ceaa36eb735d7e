import { z } from 'zod'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import type { User } from './user-queries.ts'

/** A user within an organization as the API gives it (docs/contract.txt, 2.17). */
export const userRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        timezone_format: z.string(),
        timezone_id: z.int(),
        name: z.string(),
        email: z.string(),
        permissions: z.array(z.enum(permissions)),
        must_change_password: z.boolean(),
      },
      {
        id: 4,
        timezone_format: 'UTC',
        timezone_id: 1,
        name: 'Bo Summer',
        email: 'bo@example.com',
        permissions: ['manage_devices', 'manage_groups'],
        must_change_password: false,
      },
    ),
  )
  .meta({ id: 'CurrentUser' })

export function toUserRecord(user: User, held: readonly Permission[]) {
  return {
    id: user.id,
    timezone_format: user.timezone_format,
    timezone_id: user.timezone_id,
    name: `${user.first_name} ${user.last_name}`.trim(),
    email: user.email,
    permissions: [...held],
    must_change_password: user.must_change_password,
  }
}

/** The user that a device or gateway belongs to (docs/contract.txt, 4.8). */
export const ownerRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        timezone_format: z.string(),
        console_only: z.boolean(),
        timezone_id: z.int(),
        identity: z.object({
          id: z.int(),
          first_name: z.string(),
          last_name: z.string(),
          email: z.string(),
          last_login: z.string().nullable(),
          joined_on: z.string(),
          activated: z.boolean(),
        }),
      },
      {
        id: 3,
        timezone_format: 'UTC',
        console_only: false,
        timezone_id: 1,
        identity: {
          id: 3,
          first_name: 'Ada',
          last_name: 'Winter',
          email: 'ada@example.com',
          last_login: '2026-03-01T07:58:02.000000Z',
          joined_on: '2026-01-12T08:15:30.000000Z',
          activated: true,
        },
      },
    ),
  )
  .meta({ id: 'Owner' })

/** The columns that a query joins for the owner of a device or gateway. */
export interface OwnerColumns {
  user_id: number
  user_timezone_format: string
  user_timezone_id: number
  user_first_name: string
  user_last_name: string
  user_email: string
  user_last_login_at: Moment | null
  user_created_at: Moment
}

export function toOwnerRecord(owner: OwnerColumns): z.infer<typeof ownerRecord> {
  return {
    id: owner.user_id,
    timezone_format: owner.user_timezone_format,
    console_only: false,
    timezone_id: owner.user_timezone_id,
    identity: {
      id: owner.user_id,
      first_name: owner.user_first_name,
      last_name: owner.user_last_name,
      email: owner.user_email,
      last_login: owner.user_last_login_at === null ? null : isoTime(owner.user_last_login_at),
      joined_on: isoTime(owner.user_created_at),
      activated: true,
    },
  }
}
