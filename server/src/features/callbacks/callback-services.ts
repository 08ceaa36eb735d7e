import type { DownlinkServices } from '../downlinks/downlink-services.ts'
import type { IngestQueue } from '../uplinks/ingest-queue.ts'
import type { UplinkTimes } from './heard-accounts.ts'
import type { SignsOfLife } from './signs-of-life.ts'

/** For endpoints and jobs that take what networks send. */
export interface CallbackServices extends DownlinkServices {
  ingest: IngestQueue
  signsOfLife: SignsOfLife
  uplinkTimes: UplinkTimes
}
