import type { Queryable } from '../../db/connect.ts'
import type { DownlinkAcknowledgement } from '../../sensors/sensor.ts'
import { advance } from './ledger.ts'
import { lockPlaceOfQueue } from './queue-switch-queries.ts'
import * as reportQueries from './report-queries.ts'

/** Applies what uplinks say about the downlinks of their devices. */

/** The facts of an uplink that matter for the downlinks of its device. */
export interface TellingUplink {
  organizationId: number
  deviceId: number
  /** Whether the network reports sent downlinks. If not, the next uplink shows the sending. */
  isSendingReported: boolean
  /** The key of the network that brought it. */
  network?: string
  answer?: DownlinkAcknowledgement
  /** The answer as text. */
  description: string
}

/** Whether an uplink can tell anything about a downlink. */
export function isTelling({ answer, isSendingReported }: TellingUplink): boolean {
  return answer !== undefined || !isSendingReported
}

/** Status of an acknowledge frame: the sensor has received nothing. */
const nothingReceived = 0

/**
 * Applies stored uplinks to the downlinks of their devices, in the order of their arrival. Most
 * uplinks contain nothing about downlinks. A batch of only such uplinks costs no statement.
 */
export async function noteUplinks(tx: Queryable, uplinks: readonly TellingUplink[]): Promise<void> {
  const telling = uplinks.filter(isTelling)
  if (telling.length === 0) return
  const expectant = await reportQueries.findExpectant(
    tx,
    [...new Set(telling.map(({ organizationId }) => organizationId))],
    {
      windowed: idsOf(telling.filter(({ answer }) => !answer)),
      answering: idsOf(telling.filter(({ answer }) => answer)),
    },
  )
  // All writers lock the queues in the same order. The order within a device stays.
  const concerned = telling
    .filter(({ deviceId }) => expectant.has(deviceId))
    .sort((one, other) => one.deviceId - other.deviceId)
  for (const uplink of concerned) {
    const { network, organizationId, deviceId } = uplink
    const place = await lockPlaceOfQueue(tx, organizationId, deviceId)
    if (uplink.answer) await noteAnswer(tx, uplink, uplink.answer)
    const isByOther = network !== undefined && network !== place
    if (!uplink.isSendingReported && !isByOther) await noteOpenedWindow(tx, uplink)
  }
}

function idsOf(uplinks: readonly TellingUplink[]): number[] {
  return [...new Set(uplinks.map(({ deviceId }) => deviceId))]
}

async function noteAnswer(
  tx: Queryable,
  { organizationId, deviceId, description }: TellingUplink,
  { status, accepted, echo }: DownlinkAcknowledgement,
): Promise<void> {
  if (status === nothingReceived) return
  const answered = await reportQueries.findAnswered(tx, organizationId, deviceId, echo)
  if (!answered) return
  // The answer may come before the network's report, or without one.
  await advance(tx, answered, 'sent')
  if (accepted) await advance(tx, answered, 'acknowledged')
  else await advance(tx, answered, 'rejected', description)
}

/** A device of class A listens after each uplink. Then the network sends its oldest item. */
async function noteOpenedWindow(
  tx: Queryable,
  { organizationId, deviceId }: TellingUplink,
): Promise<void> {
  const oldest = await reportQueries.findOldestAtNetwork(tx, organizationId, deviceId)
  if (oldest?.state === 'handed_over') await advance(tx, oldest, 'sent')
}
