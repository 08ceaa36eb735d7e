import type { DownlinkServices } from './downlink-services.ts'
import type { WrittenDownlink } from './downlink-writer.ts'
import type { Creation } from './ledger.ts'

export const recordedOnly = 'The device is recorded here only, at no network.'

/**
 * Writes a downlink and hands it over, as the sender's `send`. Where too many wait for the device,
 * this first looks whether some have left the network's queue without a report.
 */
export async function sendDownlink(
  { downlinkSender, queueChecks }: DownlinkServices,
  downlink: WrittenDownlink,
): Promise<{ creation: Creation; isTaken: boolean }> {
  const sent = await downlinkSender.send(downlink)
  if (sent.creation !== 'too_many') return sent
  const { organizationId, deviceId } = downlink
  await queueChecks.checkNow({ organization_id: organizationId, device_id: deviceId })
  return downlinkSender.send(downlink)
}
