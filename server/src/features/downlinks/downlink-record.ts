import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { htmlLines } from '../../http/html.ts'
import { isoTime } from '../../http/timestamps.ts'
import { describeMessage, describeSettings } from '../../sensors/device-settings.ts'
import type { StoredHistoryEntry } from './downlink-history-queries.ts'
import { historyEvents } from './downlink-states.ts'

/** An entry of the downlink history (docs/contract.txt, 2.15). */
export const historyEntry = z
  .object(
    withExamples(
      {
        id: z.int(),
        eventData: z.string(),
        configStatus: z.string(),
        event_name: z.string(),
        publishedAt: z.string(),
        downlink_id: z.int().describe('The message that it is about, as POST answered it.'),
      },
      {
        id: 311,
        eventData:
          'Configuration: General<br>Supervisory period: 1 minute<br>Message: 01 00 02 81 00 00 00 00',
        configStatus: 'New Config Created',
        event_name: 'event_created',
        publishedAt: '2026-03-01T12:00:00.250000Z',
        downlink_id: 107,
      },
    ),
  )
  .meta({ id: 'DownlinkHistoryEntry' })

/**
 * Every entry describes its configuration. If there is a reason, for example of a failure, the
 * entry begins with it.
 */
export function toHistoryEntry(
  entry: StoredHistoryEntry,
  typeId: number,
): z.infer<typeof historyEntry> {
  const reason = entry.reason === null ? [] : [`Reason: ${entry.reason}`]
  return {
    id: entry.id,
    eventData: htmlLines([...reason, ...describe(entry, typeId)]),
    configStatus: historyEvents[entry.event_name],
    event_name: entry.event_name,
    publishedAt: isoTime(entry.published_at),
    downlink_id: entry.downlink_id,
  }
}

/** What a raw downlink is called. */
export const rawMessage = 'Raw message'

function describe(
  { payload, f_port, codec_data, codec_warnings, ...entry }: StoredHistoryEntry,
  typeId: number,
): string[] {
  if (entry.section === 'raw') {
    return [
      `${rawMessage}, ${entry.is_confirmed ? 'confirmed' : 'unconfirmed'}`,
      `Port: ${f_port}`,
      ...(entry.expires_at === null ? [] : [`Expires: ${isoTime(entry.expires_at)}`]),
      describeMessage(payload),
    ]
  }
  if (codec_data === null) return describeSettings(typeId, payload)
  const warnings = codec_warnings?.map((text) => `Warning: ${text}`) ?? []
  return [`Data: ${codec_data}`, `Port: ${f_port}`, ...warnings, describeMessage(payload)]
}
