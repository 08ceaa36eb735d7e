import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { listHistory } from './downlink-history-queries.ts'
import { historyEntry, toHistoryEntry } from './downlink-record.ts'

/** The answer is one array without pages, so its length needs a limit. */
const mostEntries = 1000

export const listDownlinkHistory = endpoint({
  summary: 'What became of the configuration messages of a device, newest first',
  description: `The latest ${mostEntries} entries.`,
  params: devicePath,
  answer: z.array(historyEntry),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    const entries = await listHistory(db, caller.organizationId, device.id, mostEntries)
    return entries.map((entry) => toHistoryEntry(entry, device.type_id))
  },
})
