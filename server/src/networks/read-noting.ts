import type { NetworkMessage } from './network-message.ts'
import { takeNoted } from './unread.ts'
import { holdToRange } from './uplink.ts'

/**
 * Reads a message and holds its values to their ranges. The first of its contents has the members that
 * were left out.
 */
export function readNoting(read: () => readonly NetworkMessage[]): NetworkMessage[] {
  // Of a message that was refused, or read elsewhere.
  takeNoted()
  const contents = read().map(holdToRange)
  const unread = takeNoted()
  const [first, ...others] = contents
  return unread.length === 0 || !first ? contents : [{ ...first, unread }, ...others]
}
