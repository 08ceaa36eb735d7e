/** What is compared with a network. */
export type Kind = 'device' | 'gateway'

export const kinds = ['device', 'gateway'] as const

export const differenceWords = ['only_at_network', 'only_here', 'name_differs'] as const

export type DifferenceWord = (typeof differenceWords)[number]

/** One thing that the two sides do not agree on. */
export interface Difference {
  kind: Kind
  /** In its normal form. */
  eui: string
  difference: DifferenceWord
  nameHere: string | null
  nameThere: string | null
  /** Only at the network for this account, and registered elsewhere, so that it can't be adopted. */
  isTaken: boolean
}

/** What a comparison left out. */
export interface LeftOut {
  kind: Kind
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
}

/** The account's side at one moment. */
export interface OwnSide {
  /** By `placeOf`. */
  things: ReadonlyMap<string, OwnThing>
  /** Places of which the network is still to be told something. */
  busy: ReadonlySet<string>
}

/** The name of each thing at the network, by `placeOf`. */
export type NetworkSide = ReadonlyMap<string, string>

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
  const onlyThere = [...listed].flatMap(([place, nameThere]): Difference[] => {
    if (isBusy(place) || before.things.has(place) || after.things.has(place)) return []
    const parts = openPlace(place)
    return [{ ...parts, difference: 'only_at_network', nameHere: null, nameThere, isTaken: false }]
  })
  const here = [...after.things].flatMap(([place, thing]): Difference[] => {
    const earlier = before.things.get(place)
    const isSteady = earlier?.id === thing.id && earlier.name === thing.name
    if (!isSteady || isBusy(place) || thing.is_console_only) return []
    if (!compared.includes(thing.kind)) return []
    const { kind, eui, name: nameHere } = thing
    const nameThere = listed.get(place)
    const known = { kind, eui, nameHere, isTaken: false }
    if (nameThere === undefined) return [{ ...known, difference: 'only_here', nameThere: null }]
    const isSame = nameThere === nameHere || nameThere === '' || !named.includes(kind)
    return isSame ? [] : [{ ...known, difference: 'name_differs', nameThere }]
  })
  return [...onlyThere, ...here].sort(byEui)
}

function byEui(a: Difference, b: Difference): number {
  if (a.eui !== b.eui) return a.eui < b.eui ? -1 : 1
  return a.kind < b.kind ? -1 : 1
}
