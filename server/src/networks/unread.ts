/** A member of a message that could not be used, with what was there. */
export interface UnreadMember {
  member: string
  /** What was there, in JSON as far as it is short; `undefined` if it was missing. */
  example: string
}

/** What one message can add to the counts of its account. */
const mostNoted = 100
const longestExample = 100

/**
 * Of the message that is being read: reading never waits, so there is one at a time. As an argument
 * it would go through every reader of every network.
 */
let noted: UnreadMember[] = []

/** Notes a member that is missing or cannot be used. Returns undefined, its value from then on. */
export function leaveOut(member: string, value: unknown): undefined {
  if (noted.length < mostNoted) noted.push({ member, example: exampleOf(value) })
  return undefined
}

/** Notes those of the members that are missing though the network always sends them. */
export function noteMissing(parent: Record<string, unknown>, ...members: readonly string[]): void {
  for (const member of members) if (parent[member] === undefined) leaveOut(member, undefined)
}

function exampleOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const short = typeof value === 'string' ? value.slice(0, longestExample) : value
  return String(JSON.stringify(short)).toWellFormed()
}

/** Returns what was noted since the last call. */
export function takeNoted(): readonly UnreadMember[] {
  const taken = noted
  if (taken.length > 0) noted = []
  return taken
}
