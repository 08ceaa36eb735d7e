// The pushes of the simulated Wanesy, at the detail level NETWORK.
import { textOf } from '../../src/networks/answer-fields.ts'
import type { Dialect, FarUplink } from '../far-dialect.ts'
import type { Dto, Wanesy } from './store.ts'

export function createDialect(getWanesy: () => Wanesy): Dialect<Dto> {
  return {
    uplink: (uplink) => [{ path: '/dataUp', body: toDataUp(getWanesy(), uplink) }],
    sent: (_device, downlink) => {
      const { clusters, dataDowns } = getWanesy()
      const dataDown = dataDowns.get(downlink.id)
      if (dataDown) dataDown.status = 'OK'
      const body = {
        dataDownId: downlink.id,
        event: 'SENT',
        status: 'OK',
        clusterId: clusters[0]?.id,
        nbAttempts: 1,
        multicast: false,
      }
      return [{ path: '/dataDownEvent', body }]
    },
  }
}

function toDataUp(wanesy: Wanesy, { device, fPort, fCnt, data, time }: FarUplink<Dto>): Dto {
  const [cluster] = wanesy.clusters
  const gwInfo = receive(wanesy)
  return {
    id: wanesy.side.random.hexadecimal(12),
    endDevice: {
      devEui: device.devEui,
      devAddr: (textOf(device.record.devAddr) || device.devAddr).toUpperCase(),
      cluster: { id: cluster?.id },
    },
    fPort,
    fCntDown: device.fCntDown,
    fCntUp: fCnt,
    adr: true,
    confirmed: false,
    encrypted: false,
    payload: data.toString(cluster?.hexa ? 'hex' : 'base64'),
    encodingType: cluster?.hexa ? 'HEXA' : 'BASE64',
    recvTime: time,
    gwRecvTime: time,
    classB: false,
    delayed: false,
    ulFrequency: 868.3,
    modulation: 'LORA',
    dataRate: 'SF9BW125',
    codingRate: '4/5',
    gwCnt: gwInfo.length,
    gwInfo,
  }
}

/** The gateways that receive a frame: up to three of the network, or else one that is not in it. */
function receive({ side }: Wanesy): Dto[] {
  const euis = [...side.gateways.keys()].slice(0, 3)
  const { random } = side
  return (euis.length > 0 ? euis : ['7276FF0039030436']).map((gwEui) => ({
    gwEui,
    rfRegion: 'EU868',
    rssi: -random.between(60, 115),
    snr: random.between(-10, 9),
    channel: 6,
    radioId: 1,
    antenna: 0,
    latitude: null,
    longitude: null,
    altitude: null,
  }))
}
