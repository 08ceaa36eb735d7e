import { z } from 'zod'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import type { RegisterMethod } from './account-queries.ts'

/** The organization whose vendor accounts are the operator's (docs/contract.txt, 10.2). */
export const operatorOrganization = 1

/**
 * SQL: whether the rows `one` and `other`, each with a network, a register method and an
 * organization, belong to the same account: the organization's own, or the operator's, which serves
 * all organizations.
 */
export function isOfSameAccount(one: string, other: string): string {
  return `(
    ${one}.network = ${other}.network and ${one}.register_method = ${other}.register_method
    and (${one}.register_method = 'vendor' or ${one}.organization_id = ${other}.organization_id)
  )`
}

/**
 * Names of accounts. An organization's first account at a network has none, further ones have a name.
 * A request says `register_method` and `account_name`; a row has both in its register method
 * (docs/decisions/0042-several-accounts.md).
 */

const pattern = /^([a-z0-9][a-z0-9-]{0,31})?$/
const sentence =
  'The account name must be at most 32 lower-case letters, digits and hyphens, beginning with a letter or digit.'

/** An empty name is the first account's. */
export const accountNameField = z
  .string({ error: 'The account name must be a string.' })
  .regex(pattern, sentence)
  .meta({
    description: 'Which account of the organization at the network; the first one if left out.',
    examples: ['north'],
  })

/** The register methods of requests and answers. */
export type WireMethod = 'user_account' | 'vendor'

export const noVendorName =
  'The account name is for accounts of the organization: the operator has one at each network.'

/** The register method of a row. Throws the 422 for a name next to `vendor`. */
export function readMethod(
  method: WireMethod,
  name: string | null | undefined,
  member = 'account_name',
): RegisterMethod {
  const errors = findAccountNameFault(method, name, member)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return toMethod(method, name)
}

/** The same without the check. */
export function toMethod(method: WireMethod, name: string | null | undefined): RegisterMethod {
  return method === 'vendor' || !name ? method : `user_account:${name}`
}

export function findAccountNameFault(
  method: WireMethod | undefined,
  name: string | null | undefined,
  member = 'accountName',
): FieldErrors {
  return method === 'vendor' && name ? { [member]: [noVendorName] } : {}
}

export function methodWithoutName(method: string): WireMethod {
  return method === 'vendor' ? 'vendor' : 'user_account'
}

/** Undefined for the first account, and for the operator's. */
export function nameOfMethod(method: string): string | undefined {
  return method.split(':')[1]
}

/** A member of answers: the first account has none. */
export const accountNameInAnswer = {
  account_name: accountNameField.optional(),
}

/** The members of an answer that say through which account something goes. */
export function methodInAnswer(method: string): {
  register_method: WireMethod
  account_name?: string
} {
  const name = nameOfMethod(method)
  return {
    register_method: methodWithoutName(method),
    ...(name !== undefined && { account_name: name }),
  }
}
