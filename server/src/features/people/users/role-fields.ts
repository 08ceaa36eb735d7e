import { z } from 'zod'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import { type Role, roleNames, roles } from '../../../lora/roles.ts'

/** In a request. */
export const roleField = z
  .enum(roleNames, { error: `The role must be one of: ${roleNames.join(', ')}.` })
  .nullish()
  .describe('The name of a set of permissions, in place of `permissions`.')
  .meta({ examples: [null] })

/** In an answer. */
export const heldRole = z
  .enum(roleNames)
  .nullable()
  .describe('The name of exactly these permissions; null: they have none.')

/** Permissions in a request: by themselves, or by the name of a role. */
interface Grant {
  role?: Role | null | undefined
  permissions?: readonly Permission[] | null | undefined
}

/** Refuses a role beside permissions, together with all else that is wrong. */
export function withRoleChecks<T extends Grant>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.refine(({ role, permissions: named }) => !(role && named), {
    path: ['role'],
    error: 'Send a role or permissions, not both.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
}

/** The permissions that a request names, in the fixed order; undefined: it names none. */
export function permissionsOf({ role, permissions: named }: Grant): Permission[] | undefined {
  const wanted: readonly Permission[] | null | undefined = role ? roles[role] : named
  return wanted ? permissions.filter((permission) => wanted.includes(permission)) : undefined
}
