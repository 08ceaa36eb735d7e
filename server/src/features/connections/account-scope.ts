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
