import type { ProvisioningServices } from '../accounts/provisioning/provisioner.ts'
import type { DownlinkWriter } from './downlink-writer.ts'
import type { QueueChecks } from './queue-checks.ts'
import type { DownlinkSender } from './sender.ts'

/** For endpoints and jobs that send downlinks. */
export interface DownlinkServices extends ProvisioningServices {
  downlinkSender: DownlinkSender
  downlinkWriter: DownlinkWriter
  queueChecks: QueueChecks
}
