// Messages from the simulated core network to an application server.

import { signMessage } from '../../src/networks/actility/signature.ts'
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { Dialect, FarDevice, FarMessage } from '../far-dialect.ts'
import type { DeviceRecord, ThingPark } from './store.ts'

const customerId = '100000001'

export function createDialect(thingPark: () => ThingPark): Dialect<DeviceRecord> {
  const send = (name: string, device: FarDevice<DeviceRecord>, time: number, report: JsonObject) =>
    wrap(thingPark(), { name, device, time, report: { ...commonOf(device, time), ...report } })
  return {
    // The documents do not say when a downlink leaves the queue.
    holdsUntilReport: true,
    joined: (device, time) =>
      device.record.activation === 'ABP'
        ? []
        : send('DevEUI_notification', device, time, {
            Type: 'join',
            Var1: '',
            Var2: '',
            FCntDn: 0,
          }),
    uplink: ({ device, fPort, fCnt, data, time, acknowledges }) =>
      send('DevEUI_uplink', device, time, {
        FPort: fPort,
        FCntUp: fCnt,
        MType: 2,
        FCntDn: device.fCntDown,
        payload_hex: data.toString('hex'),
        mic_hex: '00000000',
        ...(acknowledges ? { ACKbit: 1 } : {}),
        ...receive(thingPark()),
      }),
    sent: (device, downlink, time) =>
      send('DevEUI_downlink_Sent', device, time, {
        FPort: downlink.fPort,
        FCntDn: device.fCntDown + 1,
        FCntUp: device.fCntUp,
        Lrrid: gatewayIds(thingPark())[0],
        SpFact: 9,
        DeliveryStatus: 1,
        TransmissionSlot: 1,
        DeliveryFailedCause1: '00',
        DeliveryFailedCause2: '00',
        DeliveryFailedCause3: '00',
        ...(downlink.id ? { CorrelationID: downlink.id } : {}),
      }),
  }
}

function commonOf(device: FarDevice<DeviceRecord>, time: number): JsonObject {
  const { devEui, devAddr, name, record } = device
  return {
    Time: toTime(time),
    DevEUI: devEui,
    DevAddr: (record.nwAddress ?? devAddr).toUpperCase(),
    Lrcid: '00000127',
    CustomerID: customerId,
    CustomerData: { alr: { pro: 'LORA/Generic', ver: '1' }, name },
    ModelCfg: '0',
  }
}

interface Sent {
  name: string
  device: FarDevice<DeviceRecord>
  time: number
  report: JsonObject
}

/** Makes one message for each application server of the device, signed with that server's key. */
function wrap({ side, appServers }: ThingPark, { name, device, time, report }: Sent): FarMessage[] {
  const servers = [...appServers.values()].filter(({ id }) =>
    device.record.appServerIds.includes(id),
  )
  return servers.map((server) => {
    const query = {
      LrnDevEui: device.devEui,
      LrnFPort: String(report.FPort ?? 0),
      LrnInfos: `${server.id}-1-${side.random.between(1, 1_000_000)}`,
      AS_ID: server.asId,
      Time: toTime(time),
    }
    const body = server.contentType === 'json' ? toTexts(report) : report
    const sent = server.asKey ? signMessage(name, body, query, server.asKey) : query
    return { query: sent, body: { [name]: body } }
  })
}

/** The gateways that receive a frame: those of the network, or else one that is not in it. */
function receive(thingPark: ThingPark): JsonObject {
  const { random } = thingPark.side
  const heard = gatewayIds(thingPark).map((Lrrid) => {
    const LrrRSSI = -random.between(60, 115) - 0.5
    return { Lrrid, Chain: 0, LrrRSSI, LrrSNR: random.between(-10, 9), LrrESP: LrrRSSI - 1 }
  })
  const best = heard.reduce((a, b) => (b.LrrSNR > a.LrrSNR ? b : a))
  return {
    LrrRSSI: best.LrrRSSI,
    LrrSNR: best.LrrSNR,
    LrrESP: best.LrrESP,
    Lrrid: best.Lrrid,
    SpFact: 9,
    SubBand: 'G1',
    Channel: 'LC2',
    Frequency: 868.3,
    DevLrrCnt: heard.length,
    Late: 0,
    LrrLAT: 47.438381,
    LrrLON: 18.926418,
    Lrrs: { Lrr: heard },
  }
}

function gatewayIds({ side }: ThingPark): string[] {
  const ids = [...side.gateways.values()].slice(0, 3).map(({ record }) => record.lrrId)
  return ids.length > 0 ? ids : ['10000036']
}

/** Formats a time with an offset, as the core network does. */
function toTime(time: number): string {
  return new Date(time + 7_200_000).toISOString().replace('Z', '+02:00')
}

/** For the content type `json`, every number is a string. */
function toTexts(value: JsonObject): JsonObject {
  const text = JSON.stringify(value, (_key, part) =>
    typeof part === 'number' ? String(part) : part,
  )
  return JSON.parse(text)
}
