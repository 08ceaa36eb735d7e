import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import {
  type Network,
  type NetworkAdapter,
  type NetworkConnection,
  NetworkError,
} from '../../networks/network.ts'
import { noteAnswered, noteFailedCall } from '../network-accounts/account-health.ts'
import type { StoredAccount } from '../network-accounts/account-queries.ts'
import type { Services } from '../services.ts'
import { type Difference, findDifferences, type Kind, type LeftOut } from './difference.ts'
import { type DeniedList, readListOrDenial } from './listing.ts'
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

/** What a comparison found, and what it could not look at. */
interface Comparison {
  differences: Difference[]
  leftOut: LeftOut[]
}

/**
 * Asks the network what it has, compares, and stores the report; undefined when the account was
 * removed meanwhile. The network has `seconds` to list what it has. Throws `NetworkError`, and has
 * changed nothing then but the account's status and the report's `failure`.
 */
export async function compareWithNetwork(
  services: Pick<Services, 'db' | 'connections' | 'now'>,
  account: StoredAccount,
  { seconds }: { seconds: number },
): Promise<Difference[] | undefined> {
  const { db, connections, now } = services
  const comparedAt = now()
  try {
    const found = await compare({ db, connections }, account, seconds)
    await noteAnswered(db, account.id, now())
    const isStored = await reportQueries.store(db, account, { comparedAt, ...found })
    return isStored ? found.differences : undefined
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    await noteFailedCall(db, account.id, error, now())
    await reportQueries.noteFailure(db, account, error.message)
    throw error
  }
}

async function compare(
  { db, connections }: Pick<Services, 'db' | 'connections'>,
  account: StoredAccount,
  seconds: number,
): Promise<Comparison> {
  const network = findNetwork(account.network)
  if (!network?.adapter) throw new NetworkError('unreachable', 'The network is not supported.')
  const before = await readOwnSide(db, account)
  const connection = await connections.open(account.id)
  const { listed, leftOut } = await listAll(connection, comparedKinds(network), seconds)
  const isCompared = (kind: Kind) => !leftOut.some((each) => each.kind === kind)
  const kinds = {
    compared: comparedKinds(network).filter(isCompared),
    named: namedKinds(network.adapter),
  }
  const after = await readOwnSide(db, account)
  const differences = findDifferences(before, listed, after, kinds)
  return { differences: await markTaken(db, account, differences), leftOut }
}

/**
 * What the network lists, of each kind that it lists to this account. Throws `NetworkError` where
 * that is none, or a denial is about the account as a whole.
 */
async function listAll(
  connection: NetworkConnection,
  kinds: readonly Kind[],
  seconds: number,
): Promise<{ listed: Map<string, string>; leftOut: LeftOut[] }> {
  const end = performance.now() + seconds * 1000
  const timeIsUp = () => performance.now() > end
  const listed = new Map<string, string>()
  const denied: DeniedList[] = []
  for (const kind of kinds) {
    const pages = (kind === 'device' ? connection.listDevices : connection.gateways?.list)?.()
    const found = pages && (await readListOrDenial(kind, pages, timeIsUp))
    if (found instanceof Map) for (const [place, name] of found) listed.set(place, name)
    else if (found) denied.push(found)
  }
  if (denied.length > 0) await connection.check()
  const [first] = denied
  if (first && denied.length === kinds.length) throw first.denial
  return { listed, leftOut: denied.map(({ kind, denial }) => ({ kind, reason: denial.message })) }
}

/** Whose names at the network are ours to set. */
function namedKinds({ capabilities }: NetworkAdapter): Kind[] {
  return capabilities.renames ? ['device', 'gateway'] : ['gateway']
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
