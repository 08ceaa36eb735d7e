import type {
  Device,
  DeviceActivation,
  DeviceKeys,
} from '@chirpstack/chirpstack-api/api/device_pb.js'
import type { DeviceProfile } from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import type { Gateway } from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import type { FarDownlink } from '../far-dialect.ts'
import type { Random } from '../random.ts'
import type { SensorState } from '../sensor-frames.ts'

export interface QueueItem extends FarDownlink {
  /** Milliseconds since 1970. */
  expiresAt?: number
  /** The counter of the last frame that was sent to a gateway; undefined if none was sent. */
  fCntDown: number | undefined
  /** The item was sent and waits for the device's acknowledgement. */
  isPending: boolean
}

/** The radio session of a device. A join begins it. */
export interface RadioSession {
  devAddr: string
  fCntUp: number
  /** The counter of the next frame at the network. */
  fCntDown: number
  /** The counter of the last frame that the device accepted. It drops frames up to this counter. */
  lastHeard: number
  /** The device has received a confirmed downlink and not yet acknowledged it. */
  isAcknowledgementDue: boolean
}

export interface StoredDevice {
  /** The record that the API returns, tags and variables included. */
  record: Device
  keys?: DeviceKeys
  /** Of a device without a join. */
  activation?: DeviceActivation
  queue: QueueItem[]
  session?: RadioSession
  /** The time of the last uplink, in milliseconds since 1970. */
  lastSeenAt?: number
  sensor: SensorState
}

export interface StoredApplication {
  id: string
  tenantId: string
  name: string
}

export interface StoredProfile extends StoredApplication {
  /** What was sent to create it; undefined for those that are there from the beginning. */
  record?: DeviceProfile
  createdAt?: Date
  flushQueueOnActivate: boolean
  supportsClassC: boolean
  /** Devices join by OTAA; true if left out. */
  supportsOtaa?: boolean
  /** LoRaWAN 1.0.3 if left out. */
  isLorawan11?: boolean
  /** A codec in JavaScript. */
  codec?: string
}

/** The HTTP integration of an application. An application has one at most. */
export interface HttpIntegration {
  /** Addresses, separated by commas. */
  url: string
  /** These headers are sent to all addresses. */
  headers: Record<string, string>
  /** If false, the events are in Protobuf. */
  isJson: boolean
}

/** The state of the simulated ChirpStack. EUIs have 16 lower-case digits. */
export interface Store {
  tenantId: string
  applications: Map<string, StoredApplication>
  deviceProfiles: Map<string, StoredProfile>
  devices: Map<string, StoredDevice>
  gateways: Map<string, Gateway>
  /** By application id. */
  integrations: Map<string, HttpIntegration>
  /** The limit of the tenant; undefined for no limit. */
  maxDeviceCount: number | undefined
}

/** Makes one tenant with one application and one device profile, and no devices. */
export function createStore(random: Random) {
  const tenantId = random.uuid()
  const applicationId = random.uuid()
  const deviceProfileId = random.uuid()
  const application = { id: applicationId, tenantId, name: 'Simulated application' }
  const profile: StoredProfile = {
    id: deviceProfileId,
    tenantId,
    name: 'Simulated device profile',
    // The values that ChirpStack's console sets,
    // ui/src/views/device-profiles/CreateDeviceProfile.tsx.
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
