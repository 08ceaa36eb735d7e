/**
 * How far a reader of the stream is, as the id of an event says it: `Last-Event-ID`. Uplinks have
 * ordinals without gaps, in the order of their commits, so one number says which of them are told.
 * The ids of downlink events are given before the commit, so a smaller one may appear after a larger
 * one. `downlink` is therefore the id up to which none can appear any more: a reader that resumes
 * may be told the events of the last minute twice, and drops them by their id.
 */
export interface Position {
  ordinal: number
  downlink: number
}

export function writePosition(organizationId: number, { ordinal, downlink }: Position): string {
  return `${organizationId}.${ordinal}.${downlink}`
}

/** Undefined for what is no position in this organization. */
export function readPosition(text: string, organizationId: number): Position | undefined {
  const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text)
  if (!parts || Number(parts[1]) !== organizationId) return undefined
  return { ordinal: Number(parts[2]), downlink: Number(parts[3]) }
}
