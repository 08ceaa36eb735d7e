import { createCipheriv } from 'node:crypto'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import gwPb from '@chirpstack/chirpstack-api/gw/gw_pb.js'

/* The frames of a LoRaWAN 1.0.3 device (LoRaWAN specification 1.0.3, 4.3 and 4.4). */

export interface SessionKeys {
  /** Hexadecimal, most significant byte first. */
  address: string
  nwkSKey: Buffer
  appSKey: Buffer
}

/** Made from the number of the device, so that both sides know them. */
export function sessionKeysOf(number: number): SessionKeys {
  const fill = (first: number) => {
    const key = Buffer.alloc(16, first)
    key.writeUInt32BE(number, 12)
    return key
  }
  const address = (0x01000000 + number).toString(16).padStart(8, '0')
  return { address, nwkSKey: fill(1), appSKey: fill(2) }
}

/** An unconfirmed uplink on port 1. */
export function uplinkFrame(keys: SessionKeys, counter: number, payload: Buffer): Buffer {
  const address = Buffer.from(keys.address, 'hex').reverse()
  const head = Buffer.alloc(3)
  head.writeUInt16LE(counter, 1)
  const encrypted = encrypt(keys.appSKey, address, counter, payload)
  const message = Buffer.concat([Buffer.from([0x40]), address, head, Buffer.from([1]), encrypted])
  const block = blockOf(0x49, address, counter, message.length)
  return Buffer.concat([
    message,
    cmac(keys.nwkSKey, Buffer.concat([block, message])).subarray(0, 4),
  ])
}

/** The block B0 or A_i of an uplink. */
function blockOf(first: number, address: Buffer, counter: number, last: number): Buffer {
  const block = Buffer.alloc(16)
  block[0] = first
  address.copy(block, 6)
  block.writeUInt32LE(counter, 10)
  block[15] = last
  return block
}

function encrypt(key: Buffer, address: Buffer, counter: number, payload: Buffer): Buffer {
  const count = Math.ceil(payload.length / 16)
  const blocks = Array.from({ length: count }, (_, at) => blockOf(1, address, counter, at + 1))
  const stream = aes('aes-128-ecb', key, Buffer.concat(blocks))
  return Buffer.from(payload.map((byte, at) => byte ^ (stream[at] ?? 0)))
}

function aes(mode: 'aes-128-ecb' | 'aes-128-cbc', key: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv(mode, key, mode === 'aes-128-cbc' ? Buffer.alloc(16) : null)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** RFC 4493. */
function cmac(key: Buffer, message: Buffer): Buffer {
  const first = double(aes('aes-128-ecb', key, Buffer.alloc(16)))
  const isWhole = message.length > 0 && message.length % 16 === 0
  const last = isWhole ? first : double(first)
  const padded = Buffer.alloc(Math.max(16, Math.ceil(message.length / 16) * 16))
  message.copy(padded)
  if (!isWhole) padded[message.length] = 0x80
  const from = padded.length - 16
  for (const [at, byte] of last.entries()) padded[from + at] = (padded[from + at] ?? 0) ^ byte
  return aes('aes-128-cbc', key, padded).subarray(-16)
}

function double(block: Buffer): Buffer {
  const doubled = Buffer.alloc(16)
  for (let at = 0; at < 16; at += 1) {
    doubled[at] = (((block[at] ?? 0) << 1) | ((block[at + 1] ?? 0) >> 7)) & 0xff
  }
  if ((block[0] ?? 0) & 0x80) doubled[15] = (doubled[15] ?? 0) ^ 0x87
  return doubled
}

/** What a gateway's bridge publishes of a frame that the gateway heard. */
export function heardFrame(gatewayId: string, frame: Buffer, uplinkId: number): Buffer {
  const lora = new gwPb.LoraModulationInfo()
  lora.setBandwidth(125000)
  lora.setSpreadingFactor(7)
  lora.setCodeRate(gwPb.CodeRate.CR_4_5)
  const modulation = new gwPb.Modulation()
  modulation.setLora(lora)
  const sent = new gwPb.UplinkTxInfo()
  sent.setFrequency(868100000)
  sent.setModulation(modulation)
  const heard = new gwPb.UplinkRxInfo()
  heard.setGatewayId(gatewayId)
  heard.setUplinkId(uplinkId)
  heard.setRssi(-60)
  heard.setSnr(9.5)
  heard.setContext(Buffer.from([0, 0, 0, 1]))
  heard.setCrcStatus(gwPb.CRCStatus.CRC_OK)
  const place = new commonPb.Location()
  place.setLatitude(50)
  place.setLongitude(8)
  heard.setLocation(place)
  const uplink = new gwPb.UplinkFrame()
  uplink.setPhyPayload(frame)
  uplink.setTxInfo(sent)
  uplink.setRxInfo(heard)
  return Buffer.from(uplink.serializeBinary())
}
