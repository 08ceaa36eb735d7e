import { type ListedThing, NetworkError } from '../../networks/network.ts'
import { type Kind, placeOf } from './difference.ts'

/** Devices and gateways that a network may list: they are held in memory while they are compared. */
const mostListed = 500_000
/** Pages of a list, empty ones as well: a server may never stop giving pages. */
const mostPages = 10_000
const longestName = 255

/** A kind of which the network lists nothing to this account. */
export interface DeniedList {
  kind: Kind
  denial: NetworkError
}

/**
 * What `readList` gives, or why the network lists nothing of the kind: it says no before its first
 * page. Throws `NetworkError` where the list breaks off.
 */
export async function readListOrDenial(
  kind: Kind,
  pages: AsyncIterable<ListedThing[]>,
  timeIsUp: () => boolean,
): Promise<Map<string, ListedThing> | DeniedList> {
  let isBegun = false
  const begin = async function* () {
    for await (const page of pages) {
      isBegun = true
      yield page
    }
  }
  try {
    return await readList(kind, begin(), timeIsUp)
  } catch (error) {
    if (isBegun || !(error instanceof NetworkError)) throw error
    if (error.kind !== 'refused' && error.kind !== 'unauthorized') throw error
    return { kind, denial: error }
  }
}

/**
 * All that the network lists, by place. Rows are counted as often as they are listed,
 * since a server that repeats a page never lists anything new. `timeIsUp` is asked after each page,
 * each of which has a timeout of its own. Throws `NetworkError`.
 */
export async function readList(
  kind: Kind,
  pages: AsyncIterable<ListedThing[]>,
  timeIsUp: () => boolean,
): Promise<Map<string, ListedThing>> {
  const things = new Map<string, ListedThing>()
  let rowCount = 0
  let pageCount = 0
  for await (const page of pages) {
    rowCount += page.length
    pageCount += 1
    if (rowCount > mostListed) {
      throw new NetworkError('refused', `The network lists more than ${mostListed} ${kind}s.`)
    }
    if (pageCount > mostPages) {
      throw new NetworkError('unreachable', `The network does not stop listing ${kind}s.`)
    }
    if (timeIsUp()) {
      throw new NetworkError('unreachable', `The network takes too long to list its ${kind}s.`)
    }
    for (const thing of page) {
      const { eui } = thing
      things.set(placeOf({ kind, eui }), { ...thing, name: storableName(thing.name) })
    }
  }
  return things
}

/** As much of it as a name here can hold. */
function storableName(name: string): string {
  return name.replaceAll('\u0000', '').slice(0, longestName).toWellFormed()
}
