import { randomUUID } from 'node:crypto'

/** The places where messages differ. All messages have the same length. */
interface Fields {
  deduplicationId: string
  time: string
  devEui: string
  fCnt: string
  data: string
}

function deviceInfoOf(devEui: string) {
  return {
    tenantId: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
    tenantName: 'ChirpStack',
    applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
    applicationName: 'Benchmark',
    deviceProfileId: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
    deviceProfileName: 'Air temperature',
    deviceName: 'Bench device',
    devEui,
    tags: { key: 'value' },
  }
}

/**
 * An uplink as ChirpStack v4 sends it with JSON encoding (chirpstack.io, "Event types", `up`):
 * the members of the documented example, with two gateways.
 */
function messageText({ deduplicationId, time, devEui, fCnt, data }: Fields): string {
  return JSON.stringify({
    deduplicationId,
    time,
    deviceInfo: deviceInfoOf(devEui),
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

/** A value that differs from message to message, and is always as long. */
export type Varied =
  | 'eui'
  | 'EUI'
  | 'counter'
  | 'time'
  | 'milliseconds'
  | 'seconds'
  | 'uuid'
  | 'hash'
  | 'base64'
  | 'hex'
  | 'HEX'

/** A message of a network as text, and the texts in it that differ from message to message. */
export interface UplinkTemplate {
  text: string
  places: { kind: Varied; sample: string }[]
}

export const chirpStackUplink: UplinkTemplate = {
  text: messageText(sample),
  places: [
    { kind: 'uuid', sample: sample.deduplicationId },
    { kind: 'time', sample: sample.time.slice(0, 23) },
    { kind: 'eui', sample: sample.devEui },
    { kind: 'counter', sample: sample.fCnt },
    { kind: 'base64', sample: sample.data },
  ],
}

/** A join as ChirpStack v4 sends it (chirpstack.io, "Event types", `join`). */
export const chirpStackJoin: UplinkTemplate = {
  text: JSON.stringify({
    deduplicationId: sample.deduplicationId,
    time: sample.time,
    deviceInfo: deviceInfoOf(sample.devEui),
    devAddr: '00189440',
    regionConfigId: 'eu868',
  }),
  places: [
    { kind: 'uuid', sample: sample.deduplicationId },
    { kind: 'time', sample: sample.time.slice(0, 23) },
    { kind: 'eui', sample: sample.devEui },
  ],
}

/** The frame counter of the sample messages, and the first one of the first load. */
export const firstCounter = Number(sample.fCnt)

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

/** What differs between the requests of accounts: the path of the callback, and the header. */
export interface SendingAccount {
  path: string
  header: string
  secret: string
}

export interface Senders {
  devices: number
  firstDevice?: number | undefined
  /** Each has all of the devices. The sample request is that of the first one. */
  accounts?: readonly SendingAccount[] | undefined
}

/**
 * Makes writers of messages of random devices: each has the present time, the next frame counter of
 * its device, one of 200 payloads, and ids of its own.
 */
export function messageWriter(
  request: Buffer,
  senders: Senders,
  { places }: UplinkTemplate = chirpStackUplink,
): MessageWriter {
  const next = valueSource(senders)
  const writeAccount = accountWriter(request, senders.accounts)
  const offsets = places.flatMap(({ kind, sample }) =>
    findAll(request, sample).map((offset) => ({ kind, offset, length: sample.length })),
  )
  return (target) => {
    const values = next()
    for (const { kind, offset, length } of offsets) {
      target.write(values[kind], offset, length, 'latin1')
    }
    writeAccount(target)
  }
}

function findAll(request: Buffer, text: string): number[] {
  const offsets: number[] = []
  for (let at = request.indexOf(text); at >= 0; at = request.indexOf(text, at + text.length)) {
    offsets.push(at)
  }
  if (offsets.length === 0) throw new Error(`the message has no ${text}`)
  return offsets
}

/**
 * The counter with which the devices of the next load begin: some networks repeat nothing else when
 * they send an uplink again, so no counter may come twice.
 */
let nextCounter = firstCounter

function valueSource({ devices, firstDevice = 0 }: Senders): () => Record<Varied, string> {
  const euis = Array.from({ length: devices }, (_, index) => deviceEui(firstDevice + index))
  const counters = new Uint32Array(devices).fill(nextCounter)
  const payloads = Array.from({ length: 200 }, (_, index) => encodingsOf(payload(index)))
  let sent = 0
  let now = new Date()
  return () => {
    if (sent % 100 === 0) now = new Date()
    const device = Math.floor(Math.random() * devices)
    const eui = euis[device] ?? ''
    const counter = counters[device] ?? 0
    counters[device] = counter + 1
    nextCounter = Math.max(nextCounter, counter + 1)
    sent += 1
    const uuid = randomUUID()
    return {
      ...(payloads[sent % payloads.length] ?? encodingsOf(payload(0))),
      ...{ eui, EUI: eui.toUpperCase(), counter: String(counter) },
      ...{ uuid, hash: uuid.replaceAll('-', '') },
      ...{ time: now.toISOString().slice(0, 23), milliseconds: String(now.getTime()) },
      seconds: (now.getTime() / 1000).toFixed(3),
    }
  }
}

function encodingsOf(bytes: Buffer) {
  const hex = bytes.toString('hex')
  return { base64: bytes.toString('base64'), hex, HEX: hex.toUpperCase() }
}

function accountWriter(request: Buffer, accounts: readonly SendingAccount[] = []): MessageWriter {
  const [first] = accounts
  if (!first) return () => undefined
  const parts = ['path', 'header', 'secret'] as const
  const offsets = parts.flatMap((part) =>
    findAll(request, first[part]).map((offset) => ({ part, offset })),
  )
  return (target) => {
    const account = accounts[Math.floor(Math.random() * accounts.length)] ?? first
    for (const { part, offset } of offsets) target.write(account[part], offset, 'latin1')
  }
}
