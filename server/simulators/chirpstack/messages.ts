// The events of ChirpStack in the JSON encoding of its HTTP integration. They are messages of
// api/proto/integration/integration.proto. Messages of `integration` have their default values;
// messages of `gw` (rxInfo, txInfo) omit them (api/rust/build.rs).
import type { Gateway } from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import type { Random } from '../random.ts'
import type { QueueItem, RadioSession, Store, StoredDevice } from './store.ts'

type EventName = 'up' | 'join' | 'ack' | 'txack' | 'log'

export interface ChirpStackEvent {
  name: EventName
  applicationId: string
  devEui: string
  body: Record<string, unknown>
}

/** Everything that events are made from. */
export interface EventSource {
  store: Store
  random: Random
  /** Milliseconds since 1970. */
  now(): number
}

const regionConfigId = 'eu868'
// The channels of EU868, and the gateway that receives if no gateway was added.
const frequencies = [868_100_000, 868_300_000, 868_500_000] as const
const spreadingFactors = [7, 8, 9, 10] as const
const bandwidth = 125_000
const lonelyGatewayId = '0016c001f1000001'

export function createJoinEvent(
  source: EventSource,
  device: StoredDevice,
  session: RadioSession,
): ChirpStackEvent {
  return createEvent(source, device, 'join', {
    deduplicationId: source.random.uuid(),
    devAddr: session.devAddr,
    regionConfigId,
  })
}

/** A device that only acknowledges sends an empty frame without a port. */
export function createUplinkEvent(
  source: EventSource,
  device: StoredDevice,
  frame: { session: RadioSession; fCnt: number; fPort: number; data: Uint8Array },
): ChirpStackEvent {
  const { random } = source
  const spreadingFactor = random.pick(spreadingFactors)
  return createEvent(source, device, 'up', {
    deduplicationId: random.uuid(),
    devAddr: frame.session.devAddr,
    adr: true,
    dr: 12 - spreadingFactor,
    fCnt: frame.fCnt,
    fPort: frame.fPort,
    confirmed: false,
    data: Buffer.from(frame.data).toString('base64'),
    rxInfo: createReceptions(source),
    txInfo: {
      frequency: random.pick(frequencies),
      modulation: { lora: { bandwidth, spreadingFactor, codeRate: 'CR_4_5' } },
    },
    regionConfigId,
  })
}

export function createTransmissionEvent(
  source: EventSource,
  device: StoredDevice,
  { item, fCntDown }: { item: QueueItem; fCntDown: number },
): ChirpStackEvent {
  const { random, store } = source
  const [gatewayId = lonelyGatewayId] = store.gateways.keys()
  return createEvent(source, device, 'txack', {
    downlinkId: random.between(1, 4_294_967_295),
    queueItemId: item.id,
    fCntDown,
    gatewayId,
    txInfo: {
      frequency: random.pick(frequencies),
      power: 14,
      modulation: {
        lora: { bandwidth, spreadingFactor: 9, codeRate: 'CR_4_5', polarizationInversion: true },
      },
    },
  })
}

export function createAcknowledgementEvent(
  source: EventSource,
  device: StoredDevice,
  answer: { item: QueueItem; isAcknowledged: boolean; deduplicationId: string },
): ChirpStackEvent {
  return createEvent(source, device, 'ack', {
    deduplicationId: answer.deduplicationId,
    queueItemId: answer.item.id,
    acknowledged: answer.isAcknowledged,
    fCntDown: answer.item.fCntDown ?? 0,
  })
}

export function createLogEvent(
  source: EventSource,
  device: StoredDevice,
  log: { code: string; description: string; context: Record<string, string> },
): ChirpStackEvent {
  return createEvent(source, device, 'log', { level: 'ERROR', ...log })
}

function createEvent(
  source: EventSource,
  device: StoredDevice,
  name: EventName,
  members: Record<string, unknown>,
): ChirpStackEvent {
  const { record } = device
  const applicationId = record.getApplicationId()
  const application = source.store.applications.get(applicationId)
  const profile = source.store.deviceProfiles.get(record.getDeviceProfileId())
  const deviceInfo = {
    tenantId: application?.tenantId ?? '',
    tenantName: 'Simulated tenant',
    applicationId,
    applicationName: application?.name ?? '',
    deviceProfileId: record.getDeviceProfileId(),
    deviceProfileName: profile?.name ?? '',
    deviceName: record.getName(),
    devEui: record.getDevEui(),
    deviceClassEnabled: 'CLASS_A',
    tags: Object.fromEntries(record.getTagsMap().toArray()),
  }
  const body = { time: toTime(source), deviceInfo, ...members }
  return { name, applicationId, devEui: record.getDevEui(), body }
}

/** Formats a time with nanoseconds and an offset, as ChirpStack's time library does. */
function toTime({ now, random }: EventSource): string {
  const fraction = String(random.between(0, 999_999)).padStart(6, '0')
  return new Date(now()).toISOString().replace('Z', `${fraction}+00:00`)
}

function createReceptions(source: EventSource): Record<string, unknown>[] {
  const { random, store } = source
  const gateways = [...store.gateways.values()]
  const heard = gateways.filter((_, index) => index === 0 || random.isTrue(0.6))
  if (heard.length === 0) return [createReception(source, lonelyGatewayId)]
  return heard.map((gateway) => createReception(source, gateway.getGatewayId(), gateway))
}

function createReception({ random }: EventSource, gatewayId: string, gateway?: Gateway) {
  const snr = random.between(-20, 40) / 4
  const rssi = random.between(-115, -45)
  const location = gateway?.getLocation()
  return {
    gatewayId,
    uplinkId: random.between(1, 4_294_967_295),
    rssi,
    ...(snr === 0 ? {} : { snr }),
    location: location
      ? { latitude: location.getLatitude(), longitude: location.getLongitude() }
      : {},
    context: Buffer.from(random.hexadecimal(4), 'hex').toString('base64'),
    metadata: { region_config_id: regionConfigId, region_common_name: 'EU868' },
    crcStatus: 'CRC_OK',
  }
}
