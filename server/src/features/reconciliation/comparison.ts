import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import type { ListedThing, Network, NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { findTakenDevices } from '../devices/device-write-queries.ts'
import { lookAtQueues } from '../downlinks/queue-checks.ts'
import { findTakenGateways } from '../gateways/gateway-write-queries.ts'
import {
  type Difference,
  findDifferences,
  type Kind,
  type LeftOut,
  type NetworkThing,
  type OwnSide,
} from './difference.ts'
import {
  chooseCandidates,
  type Inspection,
  inspect,
  type NetworkKey,
  type Scope,
} from './inspection.ts'
import { type DeniedList, readListOrDenial } from './network-side.ts'
import { readOwnSide } from './own-side-queries.ts'
import * as reportQueries from './report-queries.ts'

/** What a network lists of these; nothing for most. */
export function comparedKinds({ capabilities }: Network): Kind[] {
  const { lists = [] } = capabilities
  return [
    ...(lists.includes('devices') ? (['device'] as const) : []),
    ...(lists.includes('gateways') ? (['gateway'] as const) : []),
  ]
}

/** What a comparison found, and what it could not look at. */
export interface Comparison {
  differences: Difference[]
  /** As the report has it: with what an earlier comparison of all devices could not look at. */
  leftOut: LeftOut[]
  /** The same of this one alone. */
  unknown: LeftOut[]
  /** Of named devices, by EUI: never stored nor logged as they are. */
  keys: ReadonlyMap<string, NetworkKey>
  /** EUI of the device up to which the network was asked about single ones. */
  readTo: string
}

/** How long the network has to list what it has, and to tell of single devices. */
interface Patience {
  seconds: number
  detailSeconds: number
}

type Dependencies = Pick<ConnectionServices, 'db' | 'connections' | 'sealer' | 'now'>

/**
 * Asks the network what it has, compares, and stores the report; undefined when the account was
 * removed meanwhile. Of single devices it asks about those that are `named`, if any are. Throws
 * `NetworkError`, and has changed nothing then but the account's status and the report's `failure`.
 */
export async function compareWithNetwork(
  services: Dependencies,
  account: StoredAccount,
  { named, ...patience }: Patience & { named?: ReadonlySet<string> },
): Promise<Comparison | undefined> {
  const { db, now } = services
  const comparedAt = now()
  try {
    const last = await reportQueries.findProgress(db, account)
    const scope = { ...last, ...(named && { named }) }
    const found = await compare(services, account, { scope, patience })
    const isStored = await reportQueries.store(db, account, { comparedAt, ...found })
    return isStored ? found : undefined
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    await noteFailedCall(db, account.id, error, now())
    await reportQueries.noteFailure(db, account, error.message)
    throw error
  }
}

async function compare(
  services: Dependencies,
  account: StoredAccount,
  { scope, patience }: { scope: Scope & Pick<Comparison, 'leftOut'>; patience: Patience },
): Promise<Comparison> {
  const { db, connections } = services
  const network = findNetwork(account.network)
  if (!network) throw new NetworkError('unreachable', 'The network is not supported.')
  const before = await readOwnSide(db, account)
  const connection = await connections.open(account.id)
  const { listed, leftOut } = await listAll(connection, comparedKinds(network), patience.seconds)
  await noteSuccess(services, account.id, connection)
  const looked = await lookAtDevices(services, account, connection, {
    ...{ before, listed, scope },
    seconds: patience.detailSeconds,
    perSecond: network.capabilities.deviceReadsPerSecond,
  })
  const isCompared = (kind: Kind) => !leftOut.some((each) => each.kind === kind)
  const kinds = {
    compared: comparedKinds(network).filter(isCompared),
    named: namedKinds(network),
  }
  // A request with rows is one of many.
  if (!scope.named) await lookAtQueues(db, account.network, findDeviceIds(before, listed))
  const after = await readOwnSide(db, account)
  const there = new Map<string, NetworkThing>([...listed, ...looked.told])
  const differences = await markTaken(db, account, findDifferences(before, there, after, kinds))
  return {
    ...looked,
    differences,
    leftOut: [...leftOut, ...looked.leftOut],
    unknown: [...leftOut, ...looked.unknown],
  }
}

/** Of those that both sides have. */
function findDeviceIds({ things }: OwnSide, listed: ReadonlyMap<string, ListedThing>): number[] {
  return [...things].flatMap(([place, { kind, id }]) =>
    kind === 'device' && listed.has(place) ? id : [],
  )
}

/** Compares what is told of single devices, keys above all. */
async function lookAtDevices(
  { db, sealer }: Dependencies,
  account: StoredAccount,
  connection: NetworkConnection,
  asked: {
    before: OwnSide
    listed: ReadonlyMap<string, ListedThing>
    scope: Scope & Pick<Comparison, 'leftOut'>
    seconds: number
    perSecond: number | undefined
  },
): Promise<Omit<Comparison, 'differences'> & Pick<Inspection, 'told'>> {
  const { before, listed, scope, seconds, perSecond } = asked
  const isCalled = connection.readDevice !== undefined
  const { first, others } = chooseCandidates(before, listed, scope, isCalled)
  const context = { db, account, sealer, connection, bounds: { seconds, perSecond } }
  const { inspected, ...found } = await inspect(context, [...first, ...others])
  const unknown = found.leftOut
  if (scope.named && isCalled) {
    const earlier = scope.leftOut.filter(({ part }) => part === 'keys')
    const leftOut = unknown.length > 0 ? unknown : earlier
    return { ...found, leftOut, unknown, readTo: scope.readTo }
  }
  const last = others[inspected - first.length - 1]
  const isWhole = inspected >= first.length + others.length
  return { ...found, unknown, readTo: isWhole ? '' : (last?.own.eui ?? scope.readTo) }
}

/**
 * What the network lists, of each kind that it lists to this account. Throws `NetworkError` where
 * that is none, or a denial is about the account as a whole.
 */
async function listAll(
  connection: NetworkConnection,
  kinds: readonly Kind[],
  seconds: number,
): Promise<{ listed: Map<string, ListedThing>; leftOut: LeftOut[] }> {
  const end = performance.now() + seconds * 1000
  const timeIsUp = () => performance.now() > end
  const listed = new Map<string, ListedThing>()
  const denied: DeniedList[] = []
  for (const kind of kinds) {
    const pages = (kind === 'device' ? connection.listDevices : connection.gateways?.list)?.()
    const found = pages && (await readListOrDenial(kind, pages, timeIsUp))
    if (found instanceof Map) for (const [place, thing] of found) listed.set(place, thing)
    else if (found) denied.push(found)
  }
  const [first] = denied
  // Without its devices the account may be a wrong one; its gateways are an addition.
  if (first?.kind === 'device') await connection.check()
  if (first && denied.length === kinds.length) throw first.denial
  const toLeftOut = ({ kind, denial }: DeniedList) => {
    return { kind, part: 'list' as const, reason: denial.message }
  }
  return { listed, leftOut: denied.map(toLeftOut) }
}

/** Whose names at the network are ours to set. */
function namedKinds({ capabilities }: Network): Kind[] {
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
  const gateways = await findTakenGateways(
    db,
    account.organization_id,
    account.network,
    euisOf('gateway'),
  )
  return differences.map((difference) => {
    const taken = difference.kind === 'device' ? devices : gateways
    return { ...difference, isTaken: taken.has(difference.eui) }
  })
}
