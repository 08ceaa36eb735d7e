import { toOneLine } from '../../../http/fields.ts'
import { findMismatch, isJoining, type KnownRadio } from '../../../networks/device-radio.ts'
import { anyJoinEui } from '../../../networks/forms.ts'
import type { ListedProfile } from '../../../networks/network.ts'

/** What is compared with a network. */
export type Kind = 'device' | 'gateway'

export const kinds = ['device', 'gateway'] as const

export const differenceWords = [
  'only_at_network',
  'only_here',
  'name_differs',
  'key_differs',
  'join_eui_differs',
  'lorawan_differs',
  'incomplete',
] as const

export type DifferenceWord = (typeof differenceWords)[number]

/** A device or gateway on which the two sides differ. */
export interface Difference {
  kind: Kind
  /** Normalized. */
  eui: string
  difference: DifferenceWord
  /** The problem in words; null when `difference` says it all. Never a key. */
  problem: string | null
  nameHere: string | null
  nameThere: string | null
  /** Only at the network for this account, and not adoptable: the EUI is registered elsewhere. */
  isTaken: boolean
  /** Of a device that is only at the network, or has another JoinEUI here. */
  joinEuiThere?: string
  /** How the network has the device, where it tells; without its keys. */
  radioThere?: KnownRadio
  tagsThere?: Record<string, unknown>
  applicationThere?: string
  profileThere?: ListedProfile
}

export const leftOutParts = ['list', 'keys'] as const

/** What a comparison left out. */
export interface LeftOut {
  kind: Kind
  /** `list`: everything of the kind; `keys`: what is read device by device. */
  part: (typeof leftOutParts)[number]
  /** In the network's words. */
  reason: string
}

/** A device or gateway registered here under an account. */
export interface OwnThing {
  kind: Kind
  id: number
  eui: string
  name: string
  /** Never sent to the network, which may have it or not. */
  is_console_only: boolean
  /** Of a device; normalized. */
  join_eui: string | null
  has_key: boolean
  /** Of a device that is not of LoRaWAN 1.0.x and class A with a join. */
  radio: KnownRadio | null
}

/** What is registered here under an account, at one moment. */
export interface OwnSide {
  /** By `placeOf`. */
  things: ReadonlyMap<string, OwnThing>
  /** Places with calls in the outbox. */
  busy: ReadonlySet<string>
}

/** What the network has of a device or gateway. Keys are compared already. */
export interface NetworkThing {
  name: string
  joinEui?: string
  radio?: KnownRadio
  tags?: Record<string, unknown>
  application?: string
  profile?: ListedProfile
  problem?: string
  isOtherKey?: boolean
}

/** By `placeOf`. */
type NetworkSide = ReadonlyMap<string, NetworkThing>

export function placeOf({ kind, eui }: { kind: Kind; eui: string }): string {
  return `${kind} ${eui}`
}

function openPlace(place: string): { kind: Kind; eui: string } {
  const [kind, eui] = place.split(' ') as [Kind, string]
  return { kind, eui }
}

/**
 * Compares the network's lists with the own side before and after the listing, which takes a while.
 * Changes made meanwhile, and calls still in the outbox, are no differences. Names are compared for
 * the kinds in `named`.
 */
export function findDifferences(
  before: OwnSide,
  listed: NetworkSide,
  after: OwnSide,
  { compared, named }: { compared: readonly Kind[]; named: readonly Kind[] },
): Difference[] {
  const isBusy = (place: string) => before.busy.has(place) || after.busy.has(place)
  const onlyThere = [...listed].flatMap(([place, there]): Difference[] => {
    if (isBusy(place) || before.things.has(place) || after.things.has(place)) return []
    const names = { nameHere: null, nameThere: there.name }
    const difference = 'only_at_network' as const
    const found = { ...openPlace(place), difference, ...names, problem: null, isTaken: false }
    return [{ ...found, ...toldThere(there) }]
  })
  const here = [...after.things].flatMap(([place, thing]): Difference[] => {
    const earlier = before.things.get(place)
    const isSteady = earlier?.id === thing.id && earlier.name === thing.name
    if (!isSteady || isBusy(place) || thing.is_console_only) return []
    if (!compared.includes(thing.kind)) return []
    const there = listed.get(place)
    const { kind, eui, name: nameHere } = thing
    const found = there
      ? findDifference(thing, there, named.includes(kind))
      : ({ difference: 'only_here', problem: null } as const)
    const nameThere = there ? there.name : null
    return found ? [{ kind, eui, nameHere, nameThere, isTaken: false, ...found }] : []
  })
  return [...onlyThere, ...here].sort(byEui)
}

type Told = Pick<
  Difference,
  'joinEuiThere' | 'radioThere' | 'tagsThere' | 'applicationThere' | 'profileThere'
>
type Found = Pick<Difference, 'difference' | 'problem'> & Told

/** What an adoption takes over, without keys. */
function toldThere({ joinEui, radio, tags, application, profile }: NetworkThing): Told {
  const { networkKey: _, ...open } = radio ?? {}
  return {
    ...(joinEui !== undefined && { joinEuiThere: joinEui }),
    ...(radio && { radioThere: open }),
    ...(tags && { tagsThere: tags }),
    ...(application && { applicationThere: application }),
    ...(profile && { profileThere: profile }),
  }
}

/**
 * Returns the difference to repair first. With another version, activation, class or JoinEUI a network
 * may refuse every change, and adding the device again would send our key silently.
 */
function findDifference(
  { name, join_eui, radio }: OwnThing,
  there: NetworkThing,
  isNamed: boolean,
): Found | undefined {
  const { joinEui, isOtherKey, problem } = there
  const mismatch = there.radio && findMismatch(there.radio, { radio: radio ?? undefined })
  if (mismatch) {
    const words = `The device is ${mismatch.there} at the network, and ${mismatch.here} here.`
    return { difference: 'lorawan_differs', problem: words, ...toldThere(there) }
  }
  const isCompared = isJoining({ radio: radio ?? undefined })
  if (isCompared && joinEui && join_eui && join_eui !== anyJoinEui && joinEui !== join_eui) {
    const words = `The JoinEUI is ${join_eui} here and ${joinEui} at the network.`
    return { difference: 'join_eui_differs', problem: words, joinEuiThere: joinEui }
  }
  if (isOtherKey) return { difference: 'key_differs', problem: otherKey }
  if (problem !== undefined) return { difference: 'incomplete', problem }
  // As an adoption reads it: else it would differ at once.
  const nameThere = toOneLine(there.name.trim())
  const isSame = nameThere === name.trim() || nameThere === '' || !isNamed
  return isSame ? undefined : { difference: 'name_differs', problem: null }
}

const otherKey = 'The key at the network is another one than here.'

function byEui(a: Difference, b: Difference): number {
  if (a.eui !== b.eui) return a.eui < b.eui ? -1 : 1
  return a.kind < b.kind ? -1 : 1
}
