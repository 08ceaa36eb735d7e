import { z } from 'zod'
import { type Permission, permissions } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import type { User } from './user-queries.ts'

/** A user within an organization as the API gives it (service.md, "Current user"). */
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
