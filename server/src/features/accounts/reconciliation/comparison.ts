import type { Queryable } from '../../../db/connect.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { ListedThing, Network, NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { lookAtQueues } from '../../downlinks/queue-checks.ts'
import { findTakenDevices } from '../../fleet/devices/taken-device-queries.ts'
import { findTakenGateways } from '../../fleet/gateways/gateway-write-queries.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { careNow } from '../network-accounts/callback-care.ts'
import {
  type Difference,
  findDifferences,
  type Kind,
  type LeftOut,
  type NetworkThing,
  type OwnSide,
  placeOf,
} from './difference.ts'
import {
  chooseCandidates,
  type Inspection,
  inspect,
  type NetworkKey,
  readKey,
  type Scope,
} from './inspection.ts'
import {
  completeListed,
  type DeniedList,
  type ReaderBounds,
  readListOrDenial,
} from './network-side.ts'
import { readOwnSide } from './own-side-queries.ts'
import * as reportQueries from './report-queries.ts'

/** The kinds that a network lists, and so are compared. */
export function comparedKinds({ capabilities }: Network): Kind[] {
  const { lists = [] } = capabilities
  return [
    ...(lists.includes('devices') ? (['device'] as const) : []),
    ...(lists.includes('gateways') ? (['gateway'] as const) : []),
  ]
}

/** What a comparison found, and what it left out. */
export interface Comparison {
  differences: Difference[]
  /** For the report: includes what an earlier comparison of all devices left out. */
  leftOut: LeftOut[]
  /** What this comparison itself left out. */
  unknown: LeftOut[]
  /** The network's keys of named devices, by EUI. Never stored or logged in the clear. */
  keys: ReadonlyMap<string, NetworkKey>
  /** With `takesKeys`: the keys of devices that only the network has, by EUI. Likewise. */
  foreignKeys: ReadonlyMap<string, ForeignKeys>
  /** Places of devices to adopt that the network could not tell just now. */
  unread: ReadonlySet<string>
  /** The last EUI whose device was read by itself. */
  readTo: string
}

export interface ForeignKeys {
  key: string
  /** NwkKey of LoRaWAN 1.1, or NwkSKey of a device without a join. */
  networkKey: string | undefined
}

/** How long the network has for its lists, and for calls about single devices. */
interface Patience {
  seconds: number
  detailSeconds: number
  /** Whatever is only at the network is adopted afterwards. */
  adoptsAll?: boolean
  /** Whether their keys are read, too, as far as the account may see them. */
  takesKeys?: boolean
  /** Whether the caller ends, and waits no longer. */
  isStopped?: () => boolean
}

type Dependencies = ConnectionServices

/**
 * Lists what the network has, compares it, and stores the report. Undefined when the account was
 * removed meanwhile. With `named`, reads only those devices one by one. Throws `NetworkError` after
 * recording it in the account's status and the report's `failure`, and changes nothing else.
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
    if (!(error instanceof NetworkError) || patience.isStopped?.()) throw error
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
  const { listed, leftOut } = await listAll(connection, comparedKinds(network), patience)
  await noteSuccess(services, account.id, connection)
  const bounds = {
    seconds: patience.detailSeconds,
    perSecond: network.capabilities.deviceReadsPerSecond,
    isStopped: patience.isStopped,
  }
  let unread: ReadonlySet<string> = new Set()
  if (connection.readDevice && network.capabilities.radio) {
    const adopted = findAdopted(before, listed, scope.named, patience)
    unread = await completeListed(connection, listed, adopted, {
      ...bounds,
      key: patience.takesKeys,
    })
  }
  const looked = await lookAtDevices(services, account, connection, {
    before,
    listed,
    scope,
    bounds,
  })
  const isCompared = (kind: Kind) => !leftOut.some((each) => each.kind === kind)
  const kinds = {
    compared: comparedKinds(network).filter(isCompared),
    named: namedKinds(network),
  }
  // Requests with rows come in large numbers.
  if (!scope.named) {
    await lookAtQueues(db, account.network, findDeviceIds(before, listed))
    if (network.capabilities.callbacks && !patience.isStopped?.())
      await careNow(services, account.id)
  }
  const after = await readOwnSide(db, account)
  const there = new Map<string, NetworkThing>([...listed, ...looked.told])
  const differences = await markTaken(db, account, findDifferences(before, there, after, kinds))
  return {
    ...looked,
    differences,
    unread,
    foreignKeys: patience.takesKeys ? readForeignKeys(listed, differences) : new Map(),
    leftOut: [...leftOut, ...looked.leftOut],
    unknown: [...leftOut, ...looked.unknown],
  }
}

/** The places of devices that only the network has and a request may adopt, by how the list tells them. */
function findAdopted(
  { things }: OwnSide,
  listed: ReadonlyMap<string, ListedThing>,
  named: ReadonlySet<string> | undefined,
  { adoptsAll = false, takesKeys = false }: Pick<Patience, 'adoptsAll' | 'takesKeys'>,
): string[] {
  return [...listed].flatMap(([place, { eui, radio }]) => {
    const isMeant = adoptsAll || named?.has(eui)
    if (!isMeant || things.has(place) || place !== placeOf({ kind: 'device', eui })) return []
    return radio && radio.activation !== 'abp' && !takesKeys ? [] : place
  })
}

function readForeignKeys(
  listed: ReadonlyMap<string, ListedThing>,
  differences: readonly Difference[],
): Map<string, ForeignKeys> {
  const foreign = differences.filter(({ difference }) => difference === 'only_at_network')
  return new Map(
    foreign.flatMap((difference) => {
      const { appKey, radio } = listed.get(placeOf(difference)) ?? {}
      const key = readKey(appKey)
      const networkKey = radio?.version === '1.1' ? readKey(radio.networkKey) : undefined
      return key === undefined ? [] : [[difference.eui, { key, networkKey }]]
    }),
  )
}

/** Returns the ids of the devices that both sides have. */
function findDeviceIds({ things }: OwnSide, listed: ReadonlyMap<string, ListedThing>): number[] {
  return [...things].flatMap(([place, { kind, id }]) =>
    kind === 'device' && listed.has(place) ? id : [],
  )
}

/** Compares what calls about single devices return, above all keys. */
async function lookAtDevices(
  { db, sealer }: Dependencies,
  account: StoredAccount,
  connection: NetworkConnection,
  asked: {
    before: OwnSide
    listed: ReadonlyMap<string, ListedThing>
    scope: Scope & Pick<Comparison, 'leftOut'>
    bounds: ReaderBounds
  },
): Promise<Omit<Comparison, 'differences' | 'foreignKeys' | 'unread'> & Pick<Inspection, 'told'>> {
  const { before, listed, scope, bounds } = asked
  const isCalled = connection.readDevice !== undefined
  const { first, others } = chooseCandidates(before, listed, scope, isCalled)
  const context = { db, account, sealer, connection, bounds }
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
 * Reads the lists that the network gives this account. Throws `NetworkError` when it gives none, or
 * when a denial concerns the whole account.
 */
async function listAll(
  connection: NetworkConnection,
  kinds: readonly Kind[],
  { seconds, isStopped }: Patience,
): Promise<{ listed: Map<string, ListedThing>; leftOut: LeftOut[] }> {
  const end = performance.now() + seconds * 1000
  const timeIsUp = () => isStopped?.() === true || performance.now() > end
  const listed = new Map<string, ListedThing>()
  const denied: DeniedList[] = []
  for (const kind of kinds) {
    const pages = (kind === 'device' ? connection.listDevices : connection.gateways?.list)?.()
    const found = pages && (await readListOrDenial(kind, pages, timeIsUp))
    if (found instanceof Map) for (const [place, thing] of found) listed.set(place, thing)
    else if (found) denied.push(found)
  }
  const [first] = denied
  // A denied list of devices may mean a wrong account; gateways are optional.
  if (first?.kind === 'device') await connection.check()
  if (first && denied.length === kinds.length) throw first.denial
  const toLeftOut = ({ kind, denial }: DeniedList) => {
    return { kind, part: 'list' as const, reason: denial.message }
  }
  return { listed, leftOut: denied.map(toLeftOut) }
}

/** The kinds whose names at the network are set from here. */
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
