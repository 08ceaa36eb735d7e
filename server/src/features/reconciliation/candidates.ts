import type { ListedThing } from '../../networks/network.ts'
import type { OwnSide } from './difference.ts'
import type { Candidate } from './inspection.ts'

/** Which devices the network is asked about one by one. */
export interface Scope {
  /** EUIs that a request names: it asks about these, and no others, beside known differences. */
  named?: ReadonlySet<string>
  /** EUIs of devices that were found different last time. */
  known: ReadonlySet<string>
  /** EUI up to which the last comparison came. */
  readTo: string
}

/**
 * The devices that both sides have, and that are not on their way: those that are named first, then
 * those known to differ, then the others from where the last comparison stopped.
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
