// The messages of Everynet's data API, in the form that its HTTP connection posts.
import type { Dialect, FarDevice, FarDownlink, FarUplink } from '../far-dialect.ts'
import type { DeviceRecord, Side } from './store.ts'

/** Two gateways receive every frame, and duplicates are switched on. */
const gateways = [
  { id: 'b0fd0b7002640000', rssi: -97, snr: 6.5, lat: -25.46838, lng: -49.306289 },
  { id: 'b0fd0b7002700000', rssi: -108, snr: -2.8, lat: -25.462761, lng: -49.261219 },
] as const

export function createDialect(side: () => Side): Dialect<DeviceRecord> {
  const metaOf = (device: FarDevice<DeviceRecord>, time: number) => ({
    network: '358b679dd88d47948f6e108677b4b79a',
    tags: device.record.tags,
    packet_hash: device.record.hash,
    application: device.record.app_eui,
    device_addr: device.record.dev_addr ?? device.devAddr,
    time: time / 1000,
    device: device.devEui.toLowerCase(),
    packet_id: side().random.hexadecimal(16),
    gateway: gateways[0].id,
  })
  return {
    joined: (device, time) => {
      if (device.record.activation === 'ABP') return []
      device.record.hash = side().random.hexadecimal(16)
      const params = { message: 'Join request accepted' }
      return [{ body: { type: 'info', meta: metaOf(device, time), params } }]
    },
    uplink: (uplink) => {
      const { device, time } = uplink
      device.record.hash = side().random.hexadecimal(16)
      return gateways.map((gateway, index) => ({
        body: {
          type: 'uplink',
          meta: { ...metaOf(device, time), gateway: gateway.id },
          params: describe(uplink, gateway, index > 0),
        },
      }))
    },
    ask: (device, time) => {
      device.record.hash = side().random.hexadecimal(16)
      const params = { counter_down: device.fCntDown, max_size: 51, tx_time: time / 1000 + 1 }
      return { body: { type: 'downlink_request', meta: metaOf(device, time), params } }
    },
    readAnswer,
    sent: (device, downlink, time) => [
      {
        body: {
          type: 'downlink',
          meta: metaOf(device, time),
          params: {
            port: downlink.fPort,
            counter_down: device.fCntDown,
            payload: downlink.data.toString('base64'),
            duplicate: false,
          },
        },
      },
    ],
  }
}

function describe(
  { fPort, fCnt, data, time, acknowledges }: FarUplink<DeviceRecord>,
  { rssi, snr, lat, lng }: (typeof gateways)[number],
  duplicate: boolean,
) {
  return {
    rx_time: time / 1000,
    port: fPort,
    counter_up: fCnt,
    duplicate,
    payload: data.toString('base64'),
    encrypted_payload: data.toString('base64'),
    radio: {
      freq: 915.8,
      datarate: 0,
      modulation: { type: 'LORA', spreading: 12, bandwidth: 125_000, coderate: '4/5' },
      hardware: { rssi, snr, channel: 3, chain: 0, status: 1, gps: { lat, lng, alt: 954 } },
    },
    lora: { header: { confirmed: false, ack: acknowledges !== undefined, adr: true } },
  }
}

/**
 * The real network reports "Bad message format" for a wrong body. The simulator reads no downlink
 * from it.
 */
function readAnswer(body: unknown): FarDownlink | undefined {
  const { type, params } = (body ?? {}) as { type?: string; params?: Record<string, unknown> }
  if (type !== 'downlink_response' || typeof params?.payload !== 'string') return undefined
  return {
    id: '',
    fPort: Number(params.port ?? 1),
    data: Buffer.from(params.payload, 'base64'),
    confirmed: params.confirmed === true,
  }
}
