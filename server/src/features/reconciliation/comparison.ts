import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import {
  type Network,
  type NetworkAdapter,
  type NetworkConnection,
  NetworkError,
} from '../../networks/network.ts'
import { noteAnswered, noteFailedCheck } from '../network-accounts/account-health.ts'
import type { StoredAccount } from '../network-accounts/account-queries.ts'
import type { Services } from '../services.ts'
import { type Difference, findDifferences, type Kind } from './difference.ts'
import { readList } from './listing.ts'
import * as reportQueries from './report-queries.ts'
import { findTakenDevices, findTakenGateways, readOwnSide } from './side-queries.ts'

/** What a network lists of these; nothing for most. */
export function comparedKinds({ adapter }: Network): Kind[] {
  const lists = adapter?.capabilities.lists ?? []
  return [
    ...(lists.includes('devices') ? (['device'] as const) : []),
    ...(lists.includes('gateways') ? (['gateway'] as const) : []),
  ]
}

/**
 * Asks the network what it has, compares, and stores the report; undefined when the account was
 * removed meanwhile. The network has `seconds` to list what it has. Throws `NetworkError`, and has changed nothing then but the account's status
 * and the report's `failure`.
 */
export async function compareWithNetwork(
  services: Pick<Services, 'db' | 'connections' | 'now'>,
  account: StoredAccount,
  { seconds }: { seconds: number },
): Promise<Difference[] | undefined> {
  const { db, connections, now } = services
  const comparedAt = now()
  try {
    const differences = await compare({ db, connections }, account, seconds)
    await noteAnswered(db, account.id, now())
    const isStored = await reportQueries.store(db, account, { comparedAt, differences })
    return isStored ? differences : undefined
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    await noteFailedCheck(db, account.id, error, now())
    await reportQueries.noteFailure(db, account, error.message)
    throw error
  }
}

async function compare(
  { db, connections }: Pick<Services, 'db' | 'connections'>,
  account: StoredAccount,
  seconds: number,
): Promise<Difference[]> {
  const network = findNetwork(account.network)
  if (!network?.adapter) throw new NetworkError('unreachable', 'The network is not supported.')
  const kinds = { compared: comparedKinds(network), named: namedKinds(network.adapter) }
  const before = await readOwnSide(db, account)
  const connection = await connections.open(account.id)
  const end = performance.now() + seconds * 1000
  const timeIsUp = () => performance.now() > end
  const listed = new Map([
    ...(await readList('device', connection.listDevices?.(), timeIsUp)),
    ...(await readList('gateway', listGateways(connection), timeIsUp)),
  ])
  const after = await readOwnSide(db, account)
  return markTaken(db, account, findDifferences(before, listed, after, kinds))
}

/** Whose names at the network are ours to set. */
function namedKinds({ capabilities }: NetworkAdapter): Kind[] {
  return capabilities.renames ? ['device', 'gateway'] : ['gateway']
}

function listGateways({ gateways }: NetworkConnection) {
  return gateways?.list?.()
}

async function markTaken(
  db: Queryable,
  account: StoredAccount,
  differences: readonly Difference[],
): Promise<Difference[]> {
  const euisOf = (wanted: Kind) =>
    differences.flatMap(({ kind, eui, difference }) =>
      kind === wanted && difference === 'only_at_network' ? eui : [],
    )
  const devices = await findTakenDevices(db, account, euisOf('device'))
  const gateways = await findTakenGateways(db, account, euisOf('gateway'))
  return differences.map((difference) => {
    const taken = difference.kind === 'device' ? devices : gateways
    return { ...difference, isTaken: taken.has(difference.eui) }
  })
}
