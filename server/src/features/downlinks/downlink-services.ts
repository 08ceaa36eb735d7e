import { explainDownlink } from '../../sensors/explanation/explain-downlink.ts'
import { cover, type ExplainedPart } from '../../sensors/explanation/explained-bytes.ts'
import type { ProvisioningServices } from '../accounts/provisioning/provisioner.ts'
import type { DownlinkWriter, WrittenDownlink } from './downlink-writer.ts'
import type { Creation } from './ledger.ts'
import type { QueueChecks } from './queue-checks.ts'
import type { DownlinkSender } from './sender.ts'

/** For endpoints and jobs that send downlinks. */
export interface DownlinkServices extends ProvisioningServices {
  downlinkSender: DownlinkSender
  downlinkWriter: DownlinkWriter
  queueChecks: QueueChecks
}

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

/** Who made the bytes of a downlink. */
type Maker = 'settings' | 'codec' | 'user'

/** The parts of a downlink. What a codec or a user made, only its device can read. */
export function partsOfDownlink(
  typeId: number,
  payload: Uint8Array,
  maker: Maker,
): ExplainedPart[] {
  if (maker === 'settings') return explainDownlink(typeId, payload)
  return cover(payload.length, [], maker === 'codec' ? 'Encoded by the codec' : 'Sent as given')
}
