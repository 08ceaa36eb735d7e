import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import { changeAt, type Json, placesIn, renumber } from './hostile-values.ts'
import { isTaken, type MessageBench, startBench } from './message-bench.ts'
import { fc } from './properties.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

/**
 * No side value refuses an uplink. In the examples of each network, every member but those that say
 * what the message is, and that name the device, the payload and the port, is removed, emptied and
 * replaced. Each message is stored with its payload, and the account counts what was left out.
 */

interface UnreadMember {
  member: string
  count: number
  last_example: string
}

interface Members {
  /** The paths of the members that must be right; `*` stands for one of a list. */
  needed: readonly string[]
  /** The side members that are read: each must have been counted in the end. */
  counted: readonly string[]
}

const report = ['DevEUI', 'FPort', 'payload_hex']
const membersOf: Record<string, Members> = {
  chirpstack: {
    needed: ['deviceInfo', 'deviceInfo.devEui', 'fPort', 'data'],
    counted: [
      ...['deduplicationId', 'time', 'fCnt', 'rxInfo', 'gatewayId', 'rssi', 'snr', 'txInfo'],
      ...['frequency', 'modulation', 'lora', 'bandwidth', 'spreadingFactor'],
    ],
  },
  thethingsnetwork: {
    needed: [
      ...['end_device_ids', 'end_device_ids.dev_eui', 'uplink_message'],
      ...['uplink_message.f_port', 'uplink_message.frm_payload'],
    ],
    counted: [
      ...['received_at', 'session_key_id', 'f_cnt', 'rx_metadata', 'gateway_ids', 'eui', 'rssi'],
      ...['snr', 'settings', 'frequency', 'data_rate', 'lora', 'bandwidth', 'spreading_factor'],
    ],
  },
  aws_iot_core: { needed: ['payload', 'deviceId', 'fPort'], counted: ['time', 'fCnt'] },
  aws_iot_core_lora: {
    needed: [
      ...['WirelessMetadata', 'WirelessMetadata.LoRaWAN', 'WirelessMetadata.LoRaWAN.DevEui'],
      ...['WirelessMetadata.LoRaWAN.FPort', 'WirelessMetadata.LoRaWAN.Fport', 'PayloadData'],
    ],
    counted: [
      ...['Timestamp', 'FCnt', 'Frequency', 'DataRate', 'Gateways', 'GatewayEui', 'Rssi', 'Snr'],
      'WirelessDeviceId',
    ],
  },
  loriot: {
    needed: ['cmd', 'EUI', 'port', 'data'],
    counted: ['ts', 'fcnt', 'gws', 'gweui', 'rssi', 'snr', 'lat', 'lon', 'dr', 'freq', 'ack'],
  },
  senet: {
    needed: ['devEui', 'pdu', 'port'],
    counted: ['seqno', 'txtime', 'joinId', 'gwEui', 'rssi', 'snr', 'freq', 'datarate', 'ack'],
  },
  machineq: {
    needed: ['DevEUI', 'payload_hex', 'FPort'],
    counted: [
      ...['Time', 'FCntUp', 'GatewayList', 'GatewayID', 'GatewayRSSI', 'GatewaySNR'],
      ...['GatewayLAT', 'GatewayLON', 'SpreadingFactor'],
    ],
  },
  kerlink: {
    needed: ['endDevice', 'endDevice.devEui', 'fPort', 'payload'],
    counted: [
      ...['recvTime', 'fCntUp', 'id', 'gwInfo', 'gwEui', 'rssi', 'snr', 'latitude', 'longitude'],
      ...['ulFrequency', 'dataRate', 'delayed', 'encodingType'],
    ],
  },
  actility: {
    needed: ['DevEUI_uplink', ...report, ...report.map((name) => `DevEUI_uplink.${name}`)],
    counted: [
      ...['Time', 'FCntUp', 'Lrrs', 'Lrr', 'Lrrid', 'LrrRSSI', 'LrrSNR', 'LrrLAT', 'LrrLON'],
      ...['SpFact', 'Frequency'],
    ],
  },
  everynet: {
    needed: ['type', 'meta', 'meta.device', 'params', 'params.port', 'params.payload'],
    counted: [
      ...[
        'packet_hash',
        'time',
        'gateway',
        'counter_up',
        'radio',
        'hardware',
        'rssi',
        'snr',
        'gps',
      ],
      ...['lat', 'lng', 'modulation', 'spreading', 'bandwidth', 'freq', 'lora', 'header'],
    ],
  },
  netmore: {
    needed: ['*', '*.devEui', '*.payload', '*.fPort'],
    counted: [
      ...['timestamp', 'fCntUp', 'gateways', 'gwEui', 'rssi', 'snr', 'spreadingFactor', 'freq'],
    ],
  },
  other: {
    needed: [
      ...['deveui', 'port', 'data', 'devEUI', 'fPort'],
      ...['payloadMetaData', 'payloadMetaData.deviceMetaData', 'payload', 'payload.bytes'],
      ...['payloadMetaData.deviceMetaData.deviceEUI', 'payloadMetaData.fport'],
    ],
    counted: [],
  },
}

/** Ours has neither a counter nor a time, and so nothing that makes it unique. */
const added: Record<string, Json> = { aws_iot_core: { fCnt: 1, time: '2021-04-07T15:22:10Z' } }

const fixed: readonly unknown[] = [undefined, '', null, 'x', -1e18, {}, [7]]
const drawn = fc.jsonValue({ maxDepth: 2 })

for (const network of networks) {
  describe(network.name, () => {
    let bench: MessageBench | undefined
    const ends: (() => Promise<void>)[] = []
    before(async () => {
      bench = await startBench({ after: (end) => ends.push(end) }, network)
    })
    after(async () => {
      for (const end of ends.reverse()) await end()
    })

    test('stores each uplink in which a side member is missing or cannot be used', async () => {
      assert.ok(bench)
      const { service, examples } = bench
      const { needed, counted } = membersOf[network.key] ?? { needed: [], counted: [] }
      let checked = 0
      for (const [name, published] of examples) {
        const more = added[network.key]
        const example = more ? { ...published, ...more } : published
        const payload = await payloadOf(bench, name, example)
        if (payload === undefined) continue
        checked += 1
        const places = placesIn(example).filter((place) => !needed.includes(patternOf(place)))
        const changed = places.flatMap((place) =>
          [...fixed, ...fc.sample(drawn, 2)].map((value) => ({ place, value })),
        )
        await sendAll(bench, name, example, changed)
        const rows = await takeRows(bench)
        assert.deepEqual([...new Set(rows)], [payload], name)
        assert.equal(rows.length, changed.length, name)
      }
      assert.ok(checked > 0)
      if (counted.length === 0) return
      await service.services.heardAccounts.close()
      const { body } = await service.call('GET', '/v1/fleet/networks')
      const { accounts } = body.data.find(({ key }: { key: string }) => key === network.key)
      const found = new Map<string, UnreadMember>(
        accounts[0].unread_members.map((each: UnreadMember) => [each.member, each]),
      )
      for (const member of counted) {
        const { count = 0, last_example } = found.get(member) ?? {}
        assert.ok(count >= fixed.length - 2, `${member}: ${count}`)
        assert.ok(last_example)
      }
    })
  })
}

function patternOf(place: readonly string[]): string {
  return place.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.')
}

/** Undefined if the example holds no uplink. */
async function payloadOf(bench: MessageBench, name: string, example: Json) {
  await bench.post(name, fresh(example))
  const [payload] = await takeRows(bench)
  return payload
}

/** The payloads of the stored uplinks, which are removed. */
async function takeRows({ service: { services } }: MessageBench): Promise<string[]> {
  const rows = await services.db.query<{ payload: string }>(
    `delete from uplinks returning encode(payload, 'hex') as payload`,
  )
  return rows.map(({ payload }) => payload)
}

async function sendAll(
  { post }: MessageBench,
  name: string,
  example: Json,
  changed: readonly { place: string[]; value: unknown }[],
) {
  const batchSize = 50
  for (let at = 0; at < changed.length; at += batchSize) {
    await Promise.all(
      changed.slice(at, at + batchSize).map(async ({ place, value }) => {
        const status = await post(name, changeAt(fresh(example), place, value))
        assert.ok(isTaken(status), `${status} to ${name} with ${place}: ${JSON.stringify(value)}`)
      }),
    )
  }
}

let numbers = 0
const timeNames = /^(time|ts|tmst|timestamp|txtime|(gw)?recvtime|received_at|gatewaytime|rx_time)$/i

/** A copy with a counter, an id, a session and times of its own, so that it is no repetition. */
function fresh(example: Json): unknown {
  numbers += 1
  return restamp(renumber(example, numbers), numbers)
}

function restamp(value: unknown, number: number): unknown {
  if (Array.isArray(value)) return value.map((item) => restamp(item, number))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'session_key_id') return [name, `session ${number}`]
      if (!timeNames.test(name)) return [name, restamp(member, number)]
      if (typeof member === 'number') return [name, member + number]
      const instant = Date.parse(String(member))
      return [name, instant > 0 ? new Date(instant + number * 1000).toISOString() : member]
    }),
  )
}
