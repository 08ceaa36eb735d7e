// `ApplicationUp` in JSON, api/ttn/lorawan/v3/messages.proto; zero values are left out.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { Dialect, FarDevice, FarDownlink, FarMessage } from '../far-dialect.ts'
import {
  beginSession,
  countFrame,
  describeDownlink,
  noteSent,
  queueAgain,
  sendAgain,
} from './queue.ts'
import {
  idsOf,
  isJoining,
  objectIn,
  type StackSide,
  type StackStore,
  type StoredDevice,
  textOf,
} from './store.ts'

type Device = FarDevice<StoredDevice>

/** A gateway of the community that receives everything. */
const communityGateway = '58A0CBFFFE000001'

export function createDialect(store: StackStore, side: () => StackSide): Dialect<StoredDevice> {
  return {
    joined: (device, time) => {
      if (!isJoining(device.record)) return []
      beginSession(device)
      const content = { ...sessionOf(device), received_at: timestamp(time) }
      return [createMessage(store, device, time, { name: 'join_accept', topic: 'join', content })]
    },
    uplink: ({ device, fPort, fCnt, data, time, acknowledges }) => {
      Object.assign(device.record.identity ?? {}, { last_seen_at: timestamp(time) })
      return [
        createMessage(store, device, time, {
          name: 'uplink_message',
          topic: 'up',
          content: {
            ...sessionOf(device),
            ...(fPort > 0 ? { f_port: fPort } : {}),
            ...(fCnt > 0 ? { f_cnt: fCnt } : {}),
            ...(data.length > 0 ? { frm_payload: data.toString('base64') } : {}),
            rx_metadata: describeReceptions(side()),
            settings: describeSettings(side()),
            received_at: timestamp(time),
            consumed_airtime: '0.056576s',
          },
        }),
        ...(acknowledges ? [answerTo(store, device, acknowledges, time)] : []),
      ]
    },
    windowClosed: queueAgain,
    sent: (device, downlink, time) => {
      noteSent(device, downlink, countFrame(device, downlink))
      const content = describeDownlink(device, downlink)
      return [
        createMessage(store, device, time, { name: 'downlink_sent', topic: 'down/sent', content }),
      ]
    },
  }
}

function answerTo(store: StackStore, device: Device, item: FarDownlink, time: number): FarMessage {
  return store.areSilent
    ? createMessage(store, device, time, {
        name: 'downlink_nack',
        topic: 'down/nack',
        content: sendAgain(device, item),
      })
    : createMessage(store, device, time, {
        name: 'downlink_ack',
        topic: 'down/ack',
        content: describeDownlink(device, item),
      })
}

function createMessage(
  store: StackStore,
  device: Device,
  time: number,
  { name, topic, content }: { name: string; topic: string; content: JsonObject },
): FarMessage {
  const { applicationId } = store
  const { devEui, record } = device
  const body = {
    end_device_ids: {
      device_id: record.deviceId,
      application_ids: { application_id: applicationId },
      dev_eui: devEui,
      join_eui: idsOf(record.identity).join_eui,
      dev_addr: addressOf(device).toUpperCase(),
    },
    correlation_ids: ['as:up:01E0WZGT6Y7657CPFPE5WEYDSQ'],
    received_at: timestamp(time + 200),
    [name]: content,
  }
  return { body, topic: `v3/${applicationId}/devices/${record.deviceId}/${topic}` }
}

/**
 * The session key id changes with every join, as the device address does. A session without a join
 * has none.
 */
function sessionOf({ devAddr, record }: Device): { session_key_id?: string } {
  if (!isJoining(record)) return {}
  return { session_key_id: Buffer.from(`session-${devAddr}`).toString('base64') }
}

function addressOf({ devAddr, record }: Device): string {
  return textOf(objectIn(record.network, 'session').dev_addr) || devAddr
}

function describeReceptions({ random, gateways }: StackSide): JsonObject[] {
  const own = [...gateways.values()].map(({ eui, record }) => ({ eui, id: record.gatewayId }))
  const all = [...own.slice(0, 3), { eui: communityGateway, id: 'community-roof' }]
  return all.map(({ eui, id }) => {
    const rssi = -random.between(60, 115)
    return {
      gateway_ids: { gateway_id: id, eui },
      timestamp: random.between(1, 4_000_000_000),
      rssi,
      channel_rssi: rssi,
      snr: random.between(-60, 110) / 10,
      location: { latitude: 52.37, longitude: 4.9, altitude: 12, source: 'SOURCE_REGISTRY' },
      channel_index: 2,
    }
  })
}

function describeSettings({ random }: StackSide): JsonObject {
  const channel = random.pick([868_100_000, 868_300_000, 868_500_000])
  return {
    data_rate: {
      lora: {
        bandwidth: 125_000,
        spreading_factor: random.between(7, 12),
        coding_rate: '4/5',
      },
    },
    frequency: String(channel),
    timestamp: random.between(1, 4_000_000_000),
  }
}

/** RFC 3339 with nanoseconds. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '413417Z')
}
