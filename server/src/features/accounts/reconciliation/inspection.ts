import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../../db/connect.ts'
import { SealError, type Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { findMismatch, isJoining } from '../../../networks/device-radio.ts'
import type { DeviceDetails, ListedThing, NetworkConnection } from '../../../networks/network.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import {
  type LeftOut,
  type NetworkThing,
  type OwnSide,
  type OwnThing,
  placeOf,
} from './difference.ts'
import { createReader, inParallel, type ReaderBounds } from './network-side.ts'
import { readSealedKeys, type SealedKeys } from './own-side-queries.ts'

/** A device that both sides have. */
interface Candidate {
  own: OwnThing
  listed: ListedThing
  /** Named by a request, which may need the network's key. */
  isNamed: boolean
}

/** A device's keys at the network, and the key here that they were compared with. */
export interface NetworkKey {
  key: string
  /** Of LoRaWAN 1.1. */
  networkKey: string | undefined
  sealedHere: Buffer | null
}

export interface Inspection {
  /** By place: what the network has of each candidate. Of keys, only whether they differ. */
  told: Map<string, NetworkThing>
  /** Of named devices whose key differs here or is missing, by EUI. In memory only. */
  keys: Map<string, NetworkKey>
  leftOut: LeftOut[]
  /** The number of candidates read, from the first. */
  inspected: number
}

/** Own keys read per statement. */
const chunkSize = 500

interface Context {
  db: Queryable
  account: StoredAccount
  sealer: Sealer
  connection: NetworkConnection
  /** Bounds of the calls about single devices. */
  bounds: ReaderBounds
}

/**
 * Reads the candidates from the network, in order and as far as time allows, and compares their keys.
 * A key that changes here meanwhile is no difference.
 */
export async function inspect(
  { db, account, sealer, connection, bounds }: Context,
  candidates: readonly Candidate[],
): Promise<Inspection> {
  const inspection: Inspection = { told: new Map(), keys: new Map(), leftOut: [], inspected: 0 }
  const reader = createReader(connection, bounds)
  const seen = new Map<number, SealedKeys>()
  for (let start = 0; start < candidates.length && !reader.isOver(); start += chunkSize) {
    const chunk = candidates.slice(start, start + chunkSize)
    const ids = chunk.map(({ own }) => own.id)
    const sealed = await readSealedKeys(db, account, ids)
    await inParallel(chunk, async (candidate) => {
      const key = candidate.isNamed || candidate.own.has_key
      const details = await reader.read(candidate.listed, { key })
      if (!details) return
      const here = sealed.get(candidate.own.id)
      const isOtherKey = note(inspection, { sealer, here }, candidate, details)
      if (isOtherKey && here) seen.set(candidate.own.id, here)
    })
  }
  const now = await readSealedKeys(db, account, [...seen.keys()])
  dropChanged(inspection, candidates, { seen, now })
  inspection.inspected = reader.count()
  const reason = reader.findReason(candidates.length)
  if (reason !== undefined) inspection.leftOut.push({ kind: 'device', part: 'keys', reason })
  return inspection
}

const noKey = 'The network has no key of the device, so that it cannot join.'

/** Records what the network has of a candidate; returns whether the keys differ. */
function note(
  { told, keys }: Inspection,
  { sealer, here }: { sealer: Sealer; here: SealedKeys | undefined },
  { own, listed, isNamed }: Candidate,
  { appKey, joinEui, radio, problem }: DeviceDetails,
): boolean {
  const key = readKey(appKey)
  const networkKey = radio?.version === '1.1' ? readKey(radio.networkKey) : undefined
  const sealedHere = here?.sealed_key ?? null
  // Keys of another version have other names, and sessions are not compared.
  const ofOwn = { radio: own.radio ?? undefined }
  const isComparable = isJoining(ofOwn) && !(radio && findMismatch(radio, ofOwn))
  const isOther = (
    there: string | undefined,
    sealed: Buffer | null | undefined,
    what: KeyColumn,
  ) => {
    const known = sealed && openKey(sealer, sealed, own.id, what)
    return there !== undefined && typeof known === 'string' && known !== there
  }
  const isOtherKey =
    isComparable &&
    (isOther(key, sealedHere, 'deviceKey') ||
      isOther(networkKey, here?.sealed_network_key, 'networkKey'))
  // Without a key here, nothing can repair it.
  const fault = problem ?? (appKey === '' && sealedHere && isComparable ? noKey : undefined)
  told.set(placeOf(own), {
    name: listed.name,
    isOtherKey,
    ...(radio && { radio }),
    ...(joinEui !== undefined && { joinEui }),
    ...(fault !== undefined && { problem: fault }),
  })
  const isWanted = isOtherKey || sealedHere === null || !isComparable
  if (key !== undefined && isNamed && isWanted) keys.set(own.eui, { key, networkKey, sealedHere })
  return isOtherKey
}

type KeyColumn = 'deviceKey' | 'networkKey'

/** Undefined when the network hides the key, for instance behind asterisks. */
export function readKey(appKey: string | undefined): string | undefined {
  return appKey !== undefined && /^[0-9a-f]{32}$/i.test(appKey) ? appKey.toUpperCase() : undefined
}

/** Undefined when the key cannot be opened; the sealing reports that elsewhere. */
function openKey(
  sealer: Sealer,
  sealed: Buffer,
  deviceId: number,
  what: KeyColumn,
): string | undefined {
  try {
    return sealer.open(sealed, sealContext(what, deviceId)).toUpperCase()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** Drops the results of devices whose key here has changed meanwhile. */
function dropChanged(
  { told, keys }: Inspection,
  candidates: readonly Candidate[],
  { seen, now }: Record<'seen' | 'now', ReadonlyMap<number, SealedKeys>>,
): void {
  for (const { own } of candidates) {
    const [before, after] = [seen.get(own.id), now.get(own.id)]
    if (before === undefined || isDeepStrictEqual(before, after)) continue
    const place = placeOf(own)
    const { isOtherKey: _, ...rest } = told.get(place) ?? { name: own.name }
    told.set(place, rest)
    keys.delete(own.eui)
  }
}

/** The devices that are read one by one. */
export interface Scope {
  /** EUIs named by a request; only these and known differences are read then. */
  named?: ReadonlySet<string>
  /** EUIs of devices that differed last time. */
  known: ReadonlySet<string>
  /** The last EUI of the previous comparison. */
  readTo: string
}

/**
 * Chooses the devices that both sides have and no call is queued for: named devices first, then known
 * differences, then the others from where the last comparison stopped.
 */
export function chooseCandidates(
  { things, busy }: OwnSide,
  listed: ReadonlyMap<string, ListedThing>,
  { named, known, readTo }: Scope,
  isCalled: boolean,
): { first: Candidate[]; others: Candidate[] } {
  const first: Candidate[] = []
  const others: Candidate[] = []
  for (const [place, own] of things) {
    const there = listed.get(place)
    if (own.kind !== 'device' || !there || own.is_console_only || busy.has(place)) continue
    const isNamed = named?.has(own.eui) ?? false
    const candidate = { own, listed: there, isNamed }
    if (isNamed || known.has(own.eui)) first.push(candidate)
    // What is listed costs no call.
    else if (!named || !isCalled) others.push(candidate)
  }
  first.sort((a, b) => Number(b.isNamed) - Number(a.isNamed))
  others.sort(byEui)
  const next = others.findIndex(({ own }) => own.eui > readTo)
  return { first, others: next > 0 ? [...others.slice(next), ...others.slice(0, next)] : others }
}

function byEui(a: Candidate, b: Candidate): number {
  return a.own.eui < b.own.eui ? -1 : 1
}
