import type { Database } from '../../db/connect.ts'
import type { Change } from '../events/announce.ts'
import { readAccountMarks } from './event-queries.ts'

/** The network accounts of an organization, each with a mark that changes with its state. */
export type AccountMarks = ReadonlyMap<number, { network: string; mark: string }>

export async function readMarks(
  db: Database,
  organizations: readonly number[],
): Promise<Map<number, AccountMarks>> {
  const byOrganization = new Map(
    organizations.map((id) => [id, new Map<number, { network: string; mark: string }>()]),
  )
  for (const { organization_id, id, ...account } of await readAccountMarks(db, organizations)) {
    byOrganization.get(organization_id)?.set(id, account)
  }
  return byOrganization
}

/** The accounts that were made, changed or removed between two looks, by their networks. */
export function compareMarks(before: AccountMarks, after: AccountMarks): Change[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].flatMap((id): Change[] => {
    const [one, other] = [before.get(id), after.get(id)]
    const network = (other ?? one)?.network
    if (one?.mark === other?.mark || network === undefined) return []
    return [{ kind: 'account', id: network }]
  })
}
