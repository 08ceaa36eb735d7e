import { randomUUID } from 'node:crypto'

/** The places where messages differ. All messages have the same length. */
interface Fields {
  deduplicationId: string
  time: string
  devEui: string
  fCnt: string
  data: string
}

/**
 * An uplink as ChirpStack v4 sends it with JSON encoding (chirpstack.io, "Event types", `up`):
 * the members of the documented example, with two gateways.
 */
function messageText({ deduplicationId, time, devEui, fCnt, data }: Fields): string {
  return JSON.stringify({
    deduplicationId,
    time,
    deviceInfo: {
      tenantId: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
      tenantName: 'ChirpStack',
      applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
      applicationName: 'Benchmark',
      deviceProfileId: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
      deviceProfileName: 'Air temperature',
      deviceName: 'Bench device',
      devEui,
      tags: { key: 'value' },
    },
    devAddr: '00189440',
    dr: 1,
    fPort: 1,
    fCnt: Number(fCnt),
    data,
    rxInfo: [
      {
        gatewayId: '0016c001f153a14c',
        uplinkId: 4217106255,
        rssi: -36,
        snr: 10.5,
        context: 'E3OWOQ==',
        metadata: { region_name: 'eu868', region_common_name: 'EU868' },
      },
      { gatewayId: '0016c001f153a14d', uplinkId: 4217106256, rssi: -80, snr: 2 },
    ],
    txInfo: {
      frequency: 867100000,
      modulation: { lora: { bandwidth: 125000, spreadingFactor: 11, codeRate: 'CR_4_5' } },
    },
  })
}

const sample: Fields = {
  deduplicationId: randomUUID(),
  time: '2026-01-02T03:04:05.678000000+00:00',
  devEui: deviceEui(0),
  fCnt: '100000',
  data: payload(0).toString('base64'),
}

export const sampleMessage = messageText(sample)

/** The EUI of the benchmark's device number `index`. */
export function deviceEui(index: number): string {
  return `00aa00be${index.toString(16).padStart(8, '0')}`
}

/** A frame of the air temperature and humidity sensor (sensors/types/air-temperature-humidity.ts). */
export function payload(variation: number): Buffer {
  const tenths = (variation % 10) << 4
  return Buffer.from([0x10, 0x0d, 0, variation % 40, tenths, variation % 100, tenths])
}

/** Writes the distinct values of a message into the bytes of a request that holds the sample. */
export type MessageWriter = (request: Buffer) => void

/**
 * Makes writers of messages of random devices: each has its own deduplication id, the present
 * time, the next frame counter of its device, and one of 200 payloads.
 */
export function messageWriter(
  request: Buffer,
  deviceCount: number,
  firstDevice = 0,
): MessageWriter {
  const at = (text: string) => request.indexOf(text)
  const offsets = {
    deduplicationId: at(sample.deduplicationId),
    time: at(sample.time),
    devEui: at(sample.devEui),
    fCnt: at(`"fCnt":${sample.fCnt}`) + '"fCnt":'.length,
    data: at(sample.data),
  }
  const euis = Array.from({ length: deviceCount }, (_, index) => deviceEui(firstDevice + index))
  const counters = new Uint32Array(deviceCount).fill(Number(sample.fCnt))
  const payloads = Array.from({ length: 200 }, (_, index) => payload(index).toString('base64'))
  let sent = 0
  let time = ''
  return (target) => {
    if (sent % 100 === 0) time = new Date().toISOString()
    const device = Math.floor(Math.random() * deviceCount)
    target.write(randomUUID(), offsets.deduplicationId, 'latin1')
    target.write(time, offsets.time, 23, 'latin1')
    target.write(euis[device] ?? '', offsets.devEui, 'latin1')
    target.write(String(counters[device]), offsets.fCnt, 'latin1')
    target.write(payloads[sent % payloads.length] ?? '', offsets.data, 'latin1')
    counters[device] = (counters[device] ?? 0) + 1
    sent += 1
  }
}
