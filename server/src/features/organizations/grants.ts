import { z } from 'zod'
import { type Caller, type Permission, permissions } from '../../http/endpoint.ts'
import { forbidden } from '../../http/errors.ts'

/** A list of permissions in a request; each of them counts once, in the order of the five. */
export const permissionList = z
  .array(
    z.enum(permissions, { error: `Each permission must be one of: ${permissions.join(', ')}.` }),
    {
      error: 'The permissions must be an array.',
    },
  )
  .max(100, 'The permissions may not have more than 100 entries.')
  .transform((list) => permissions.filter((permission) => list.includes(permission)))
  .meta({ examples: [['manage_devices', 'manage_groups']] })

/**
 * Nobody hands out what they do not have themselves. What the member holds already is no grant.
 *
 * @throws HttpError 403 that names the permission.
 */
export function refuseGrantBeyond(
  caller: Caller,
  wanted: readonly Permission[],
  held: readonly Permission[] = [],
): void {
  const beyond = wanted.find(
    (permission) => !held.includes(permission) && !caller.permissions.includes(permission),
  )
  if (beyond) throw forbidden(`You cannot grant the permission ${beyond}, which you do not have.`)
}
