import type { Device, DeviceKeys } from '@chirpstack/chirpstack-api/api/device_pb.js'
import type { Gateway } from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import type { FarDownlink } from '../far-dialect.ts'
import type { Random } from '../random.ts'
import type { SensorState } from '../sensor-frames.ts'

export interface QueueItem extends FarDownlink {
  /** Milliseconds since 1970. */
  expiresAt?: number
  /** Of the frame that a gateway was given last; undefined while it was given none. */
  fCntDown: number | undefined
  /** Sent, and waiting for the device's acknowledgement. */
  isPending: boolean
}

/** The radio session that a join begins. */
export interface RadioSession {
  devAddr: string
  fCntUp: number
  /** Of the next frame, as the network counts. */
  fCntDown: number
  /** Counter of the last frame that the device took; it drops frames up to this one. */
  lastHeard: number
  /** A confirmed downlink that the device has heard and not yet acknowledged. */
  isAcknowledgementDue: boolean
}

export interface StoredDevice {
  /** As the API gives it out, tags and variables included. */
  record: Device
  keys?: DeviceKeys
  queue: QueueItem[]
  session?: RadioSession
  /** When it was heard last, in milliseconds since 1970. */
  lastSeenAt?: number
  sensor: SensorState
}

export interface StoredApplication {
  id: string
  tenantId: string
  name: string
}

interface StoredProfile extends StoredApplication {
  flushQueueOnActivate: boolean
  supportsClassC: boolean
}

/** The address for the events of an application, which has one at most. */
export interface HttpIntegration {
  /** Separated by commas. */
  url: string
  /** Sent to all of them. */
  headers: Record<string, string>
  /** Protobuf otherwise. */
  isJson: boolean
}

/** Everything the simulated ChirpStack knows; EUIs are 16 lower-case digits. */
export interface Store {
  tenantId: string
  applications: Map<string, StoredApplication>
  deviceProfiles: Map<string, StoredProfile>
  devices: Map<string, StoredDevice>
  gateways: Map<string, Gateway>
  /** By application id. */
  integrations: Map<string, HttpIntegration>
  /** Of the tenant; undefined for any number. */
  maxDeviceCount: number | undefined
}

/** One tenant with one application and one device profile, and no devices. */
export function createStore(random: Random) {
  const tenantId = random.uuid()
  const applicationId = random.uuid()
  const deviceProfileId = random.uuid()
  const application = { id: applicationId, tenantId, name: 'Simulated application' }
  const profile: StoredProfile = {
    id: deviceProfileId,
    tenantId,
    name: 'Simulated device profile',
    // As ChirpStack's console makes them, ui/src/views/device-profiles/CreateDeviceProfile.tsx.
    flushQueueOnActivate: true,
    supportsClassC: false,
  }
  const store: Store = {
    tenantId,
    applications: new Map([[applicationId, application]]),
    deviceProfiles: new Map([[deviceProfileId, profile]]),
    devices: new Map(),
    gateways: new Map(),
    integrations: new Map(),
    maxDeviceCount: undefined,
  }
  return { store, tenantId, applicationId, deviceProfileId }
}
