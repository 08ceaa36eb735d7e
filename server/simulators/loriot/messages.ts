// The messages of LORIOT's data output: docs.loriot.io, Uplink Data Message, Gateway Information.
import type { Dialect, FarUplink } from '../far-dialect.ts'
import type { DeviceRecord, Side } from './store.ts'

const usualGateway = '7076FFFFFF053A13'

/** Sends both forms of an uplink, like an application that has both switched on. */
export function createDialect(side: () => Side): Dialect<DeviceRecord> {
  return {
    // The documents do not say when a downlink leaves the queue.
    holdsUntilReport: true,
    uplink: (uplink) => {
      const [best, ...others] = hear(side())
      const frame = describe(uplink)
      return [
        { body: { cmd: 'rx', ...frame, rssi: best?.rssi, snr: best?.snr } },
        { body: { cmd: 'gw', ...frame, gws: [best, ...others] } },
      ]
    },
    sent: (device, { fPort, data, confirmed }, time) => [
      {
        body: {
          cmd: 'txd',
          EUI: device.devEui,
          seqdn: device.fCntDown,
          seqq: device.fCntDown + 1,
          ts: time,
          gweui: usualGateway,
          msgType: 'User DL',
          ackRequested: confirmed,
          port: fPort,
          data: data.toString('hex'),
        },
      },
    ],
  }
}

function describe({ device, fCnt, fPort, data, time, acknowledges }: FarUplink<DeviceRecord>) {
  return {
    seqno: fCnt,
    EUI: device.devEui,
    ts: time,
    fcnt: fCnt,
    port: fPort,
    freq: 868_100_000,
    toa: 61,
    dr: 'SF7 BW125 4/5',
    ack: acknowledges !== undefined,
    bat: 255,
    data: data.toString('hex'),
  }
}

/** The gateways that receive a frame, the best one first. */
function hear({ gateways, random }: Side) {
  const euis = gateways.size === 0 ? [usualGateway] : [...gateways.keys()].slice(0, 3)
  return euis.map((gweui, index) => ({
    gweui,
    rssi: -60 - Math.round(random.next() * 40) - index,
    snr: 10 - index * 2,
    ant: 0,
    lat: 57.013938,
    lon: 9.9874619,
  }))
}
