import type { DownlinkServices } from '../../features/downlinks/downlink-services.ts'
import type { IngestQueue } from '../store/ingest-queue.ts'
import type { StoreDeviceEvent } from './device-events.ts'
import type { HeardAccounts } from './heard-accounts.ts'
import type { CallbackAccounts } from './senders.ts'

/** For endpoints and jobs that receive messages of networks. */
export interface CallbackServices extends DownlinkServices {
  callbackAccounts: CallbackAccounts
  heardAccounts: HeardAccounts
  storeDeviceEvent: StoreDeviceEvent
  ingest: IngestQueue
}
