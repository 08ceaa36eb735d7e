import { anyJoinEui } from '../../networks/forms.ts'

/** What is compared with a network. */
export type Kind = 'device' | 'gateway'

export const kinds = ['device', 'gateway'] as const

export const differenceWords = [
  'only_at_network',
  'only_here',
  'name_differs',
  'key_differs',
  'join_eui_differs',
  'incomplete',
] as const

export type DifferenceWord = (typeof differenceWords)[number]

/** One thing that the two sides do not agree on. */
export interface Difference {
  kind: Kind
  /** In its normal form. */
  eui: string
  difference: DifferenceWord
  /** What is wrong, in words; null where the difference says it all. Never a key. */
  problem: string | null
  nameHere: string | null
  nameThere: string | null
  /** Only at the network for this account, and registered elsewhere, so that it can't be adopted. */
  isTaken: boolean
  /** Of a device that is only there, or that has another here. */
  joinEuiThere?: string
}

export const leftOutParts = ['list', 'keys'] as const

/** What a comparison left out. */
export interface LeftOut {
  kind: Kind
  /** `list`: all of the kind; `keys`: what is not listed of single devices. */
  part: (typeof leftOutParts)[number]
  /** In the network's words. */
  reason: string
}

/** What is registered here under an account. */
export interface OwnThing {
  kind: Kind
  id: number
  eui: string
  name: string
  /** Known here, and no network is told of it: it may be there or not. */
  is_console_only: boolean
  /** Of a device; in its normal form. */
  join_eui: string | null
  has_key: boolean
}

/** The account's side at one moment. */
export interface OwnSide {
  /** By `placeOf`. */
  things: ReadonlyMap<string, OwnThing>
  /** Places of which the network is still to be told something. */
  busy: ReadonlySet<string>
}

/** What the network tells of a thing. Keys are compared already. */
export interface NetworkThing {
  name: string
  joinEui?: string
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
 * Compares what the network listed with the own side as it was before and after the listing, which
 * takes its time: what was registered, renamed or deleted meanwhile, or is on its way to the
 * network, is no difference. Where `named` lacks a kind, names at the network are not ours to set.
 */
export function findDifferences(
  before: OwnSide,
  listed: NetworkSide,
  after: OwnSide,
  { compared, named }: { compared: readonly Kind[]; named: readonly Kind[] },
): Difference[] {
  const isBusy = (place: string) => before.busy.has(place) || after.busy.has(place)
  const onlyThere = [...listed].flatMap(([place, { name: nameThere, joinEui }]): Difference[] => {
    if (isBusy(place) || before.things.has(place) || after.things.has(place)) return []
    const names = { nameHere: null, nameThere }
    const difference = 'only_at_network' as const
    const found = { ...openPlace(place), difference, ...names, problem: null, isTaken: false }
    return [joinEui === undefined ? found : { ...found, joinEuiThere: joinEui }]
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

type Found = Pick<Difference, 'difference' | 'problem' | 'joinEuiThere'>

/**
 * The one to be mended first: a network that changes no JoinEUI refuses everything else of a device
 * that has another there, and adding a device anew would send our key without a word about it.
 */
function findDifference(
  { name, join_eui }: OwnThing,
  there: NetworkThing,
  isNamed: boolean,
): Found | undefined {
  const { joinEui, isOtherKey, problem } = there
  if (joinEui && join_eui && join_eui !== anyJoinEui && joinEui !== join_eui) {
    const words = `The JoinEUI is ${join_eui} here and ${joinEui} at the network.`
    return { difference: 'join_eui_differs', problem: words, joinEuiThere: joinEui }
  }
  if (isOtherKey) return { difference: 'key_differs', problem: otherKey }
  if (problem !== undefined) return { difference: 'incomplete', problem }
  const isSame = there.name === name || there.name === '' || !isNamed
  return isSame ? undefined : { difference: 'name_differs', problem: null }
}

const otherKey = 'The key at the network is another one than here.'

function byEui(a: Difference, b: Difference): number {
  if (a.eui !== b.eui) return a.eui < b.eui ? -1 : 1
  return a.kind < b.kind ? -1 : 1
}
