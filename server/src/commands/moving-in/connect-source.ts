import type { ServiceApi } from '../service-api.ts'
import { findAccount, type KnownAccount, readAccounts } from './known-accounts.ts'
import type { DevicePlace } from './source-device.ts'

export interface Connecting {
  /** Of the account that is to be there. */
  accountName?: string
  isDryRun: boolean
}

/** What the account at a source has to be. */
export interface Wanted {
  place: DevicePlace
  /** For people: what the place is called, as `ChirpStack or tenant`. */
  what: string
  /** Whether these fields of an account are of the same place. */
  isSamePlace(fields: Record<string, string>): boolean
  /** The ids of applications that an account has. */
  applicationsOf(fields: Record<string, string>): string[]
  applications: readonly { id: string; name: string }[]
  /** An account can have several applications. */
  takesMore: boolean
}

interface Missing {
  /** The account as it is; undefined where there is none. */
  known: Record<string, string> | undefined
  held: readonly string[]
  missing: readonly { id: string; name: string }[]
}

/**
 * Finds what the account lacks of the source.
 * @throws Error for a person where the account is one at another place, or another account has the
 *   applications already.
 */
export async function findMissing(service: ServiceApi, wanted: Wanted): Promise<Missing> {
  const accounts = await readAccounts(service)
  const account = findAccount(accounts, wanted.place)
  const known = account?.fields
  const held = known ? wanted.applicationsOf(known) : []
  const missing = wanted.applications.filter(({ id }) => !held.includes(id.toLowerCase()))
  const isOther = known !== undefined && !wanted.isSamePlace(known)
  const isFull = known !== undefined && missing.length > 0 && !wanted.takesMore
  if (isOther || isFull) {
    throw new Error(
      `The organization is connected with another ${wanted.what} (${known.server ?? known.cluster}): --account NAME connects a further one. Or leave out --connect.`,
    )
  }
  refuseTwice(accounts, account, { ...wanted, applications: missing })
  return { known, held, missing }
}

/** Two accounts of one application would record its devices twice. */
function refuseTwice(
  accounts: readonly KnownAccount[],
  account: KnownAccount | undefined,
  { place, applications, isSamePlace, applicationsOf }: Wanted,
): void {
  for (const other of accounts) {
    if (other === account || other.network !== place.network) continue
    if (!isSamePlace(other.fields)) continue
    const held = applicationsOf(other.fields)
    const twice = applications.find(({ id }) => held.includes(id.toLowerCase()))
    if (!twice) continue
    const advice = other.name === undefined ? 'leave out --account' : `use --account ${other.name}`
    throw new Error(`${twice.name} is connected already by another account: ${advice}.`)
  }
}

/** @throws Error with the service's words where the account is not connected then. */
export async function connectAccount(
  service: ServiceApi,
  { network = '', accountName }: DevicePlace,
  { fields, names, tell }: { fields: object; names: string; tell(line: string): void },
): Promise<void> {
  const body = { ...fields, ...(accountName !== undefined && { account_name: accountName }) }
  const path = `/network-accounts/${encodeURIComponent(network)}`
  const { data } = await service.call('PUT', path, { body })
  if (data.status !== 'connected') throw new Error(data.message)
  tell(`Connected: ${names}.${data.message ? ` ${data.message}` : ''}`)
}
