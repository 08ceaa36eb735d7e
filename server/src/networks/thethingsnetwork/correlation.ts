import { type JsonObject, readList } from '../message-fields.ts'

/** Begins the correlation ids of our downlinks; they may have 100 characters (messages.proto). */
export const ownCorrelationPrefix = 'fleet:'

/**
 * The id by which we know a downlink: our own, or for one of somebody else's the first that it
 * has, so that it is never taken for one of ours.
 */
export function readQueueItemId(downlink: JsonObject): string | undefined {
  const ids = readList(downlink, 'correlation_ids').filter((id) => typeof id === 'string')
  const id = ids.find((text) => text.startsWith(ownCorrelationPrefix)) ?? ids[0]
  return id?.slice(0, 100)
}
