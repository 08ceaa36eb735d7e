import { z } from 'zod'
import { htmlLines } from '../../http/html.ts'
import { isoTime } from '../../http/timestamps.ts'
import { describeSettings } from '../../sensors/device-settings.ts'
import type { StoredHistoryEntry } from './downlink-queries.ts'
import { historyEvents } from './downlink-states.ts'

/** An entry of the downlink history (service.md, "Downlink history entry"). */
export const historyEntry = z
  .object({
    id: z.int(),
    eventData: z.string(),
    configStatus: z.string(),
    event_name: z.string(),
    publishedAt: z.string(),
  })
  .meta({ id: 'DownlinkHistoryEntry' })

/** Every entry says which configuration it is about; of what went wrong it says why, first. */
export function toHistoryEntry(
  entry: StoredHistoryEntry,
  typeId: number,
): z.infer<typeof historyEntry> {
  const reason = entry.reason === null ? [] : [`Reason: ${entry.reason}`]
  return {
    id: entry.id,
    eventData: htmlLines([...reason, ...describeSettings(typeId, entry.payload)]),
    configStatus: historyEvents[entry.event_name],
    event_name: entry.event_name,
    publishedAt: isoTime(entry.published_at),
  }
}
