import type { Dialect, FarMessage, FarUplink } from '../far-dialect.ts'
import { devAddrOf } from './device-activation.ts'
import { account, type FarWirelessDevice } from './store.ts'

/**
 * A destination receives uplinks; an acknowledgement is a member of an uplink. AWS reports joins on
 * separate topics, and does not report sent downlinks.
 */
export function createDialect(isPublished: boolean): Dialect<FarWirelessDevice> {
  return {
    uplink: (uplink) => [
      { body: toBody(uplink), ...(isPublished ? { topic: account.topic } : {}) } as FarMessage,
    ],
  }
}

/** Developer guide, "View format of uplink messages sent from LoRaWAN devices". */
function toBody({ device, fPort, fCnt, data, time, acknowledges }: FarUplink<FarWirelessDevice>) {
  return {
    WirelessDeviceId: device.record.Id,
    PayloadData: data.toString('base64'),
    WirelessMetadata: {
      LoRaWAN: {
        ...(acknowledges ? { AckedMessageId: acknowledges.id } : {}),
        ADR: false,
        Bandwidth: 125,
        ClassB: false,
        CodeRate: '4/5',
        DataRate: '5',
        DevAddr: devAddrOf(device.record.LoRaWAN) ?? device.devAddr,
        DevEui: device.devEui.toLowerCase(),
        FCnt: fCnt,
        FOptLen: 0,
        FPort: fPort,
        Frequency: '868100000',
        Gateways: [{ GatewayEui: '00bb0000000000b1', Rssi: -69, Snr: 9.5 }],
        MType: 'UnconfirmedDataUp',
        SpreadingFactor: 7,
        Timestamp: `${new Date(time).toISOString().slice(0, 19)}Z`,
      },
    },
  }
}
