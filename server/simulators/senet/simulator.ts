import type { FarAnswer, FarCall } from '../far-call.ts'
import type { Dialect, FarDevice, FarUplink } from '../far-dialect.ts'
import { createFarSide, type FarSide } from '../far-side.ts'
import type { SimulatorOptions } from '../simulated-network.ts'

/** A device's record has the number of its last join. */
interface SenetDevice {
  joinId: number
}

type SenetSide = FarSide<SenetDevice, never>

/** Two gateways receive the frames of every device, and duplicates are included. */
const gateways = ['00250C0001000262', '00250C0001000263'] as const
const apiKey = 'AK3:simulated-fleet-key'

/**
 * Simulates Senet's downlink call and its messages. Devices are added in the portal: `addDevice`.
 */
export async function startSimulator(options: SimulatorOptions = {}) {
  let lastMessageId = 100
  const side: SenetSide = await createFarSide<SenetDevice, never>(
    options,
    createDialect(() => side),
    (own) => ({
      routes: [
        [
          'POST',
          '/rest/integration/device/sendmsg',
          (call) => {
            lastMessageId += 1
            return takeDownlink(own, call, lastMessageId)
          },
        ],
      ],
      authorize: ({ headers }) =>
        headers.authorization === apiKey ? undefined : fail(403, 'Authorization failure'),
      refusal: (words) => fail(400, words),
    }),
  )
  const simulated = side.simulate({
    network: 'senet',
    account: {
      server: side.http.address,
      api_key: apiKey,
      contract: 'Fleet contract',
      device_profile: 'Class A',
    },
    wrongAccount: { api_key: 'AK3:wrong' },
    addDevice: (devEui, name) => {
      side.putDevice(devEui, name, { joinId: side.random.between(1, 500) })
    },
  })
  return { ...simulated, http: side.http }
}

function takeDownlink(side: SenetSide, { query }: FarCall, messageId: number): FarAnswer {
  const { eui = '', pdu = '', port = '1', confirmed = 'false', timeoutMinutes = '5' } = query
  if (!/^[0-9a-f]{16}$/i.test(eui)) return fail(400, 'eui must be a hexadecimal string')
  if (!/^([0-9a-f]{2})+$/i.test(pdu)) return fail(400, 'pdu must be a hexadecimal string')
  const isPort = /^\d{1,3}$/.test(port) && Number(port) >= 1 && Number(port) <= 254
  if (!isPort) return fail(400, 'port must be from 1 to 254')
  if (confirmed !== 'true' && confirmed !== 'false') return fail(400, 'confirmed must be a truth')
  if (!/^[1-9]\d*$/.test(timeoutMinutes)) return fail(400, 'timeoutMinutes must be positive')
  const device = side.devices.get(eui.toUpperCase())
  if (!device) return fail(404, 'Device EUI was not found')
  device.queue.push({
    id: String(messageId),
    fPort: Number(port),
    data: Buffer.from(pdu, 'hex'),
    confirmed: confirmed === 'true',
  })
  return { status: 200, body: { message: 'Success!', msgId: messageId } }
}

function fail(status: number, message: string): FarAnswer {
  return { status, body: { message } }
}

function createDialect(side: () => SenetSide): Dialect<SenetDevice> {
  return {
    uplink: (uplink) =>
      gateways.map((gwEui, index) => ({ body: describe(side(), uplink, { gwEui, index }) })),
  }
}

function describe(
  { random }: SenetSide,
  { device, fPort, fCnt, data, time, acknowledges }: FarUplink<SenetDevice>,
  { gwEui, index }: { gwEui: string; index: number },
) {
  return {
    ...describeDevice(device),
    gwEui,
    pdu: data.toString('hex').toUpperCase(),
    port: fPort,
    seqno: fCnt,
    txtime: new Date(time).toISOString(),
    channel: 5,
    datarate: 3,
    freq: 903.3,
    ismBand: 'US915',
    rssi: -random.between(60, 115),
    snr: random.between(-60, 110) / 10,
    dup: index > 0,
    ...(acknowledges ? { ack: true, ackDnMsgId: Number(acknowledges.id) } : {}),
  }
}

function describeDevice({ devEui, record }: FarDevice<SenetDevice>) {
  return { devEui, joinId: record.joinId, devClass: 'A' }
}
