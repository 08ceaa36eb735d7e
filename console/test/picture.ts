import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Pixels of one module of the code. */
const scale = 8

/** For tests: a QR code as a PNG file. */
export function drawQrCode(text: string): Buffer {
  const { data, size } = encode(text, { border: 4, ecc: 'M' })
  const width = size * scale
  const lines = Array.from({ length: width }, (_, y) => {
    const modules = data[Math.floor(y / scale)] ?? []
    // A line begins with its filter, none here.
    return [
      0,
      ...Array.from({ length: width }, (_, x) => (modules[Math.floor(x / scale)] ? 0 : 255)),
    ]
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  // Eight bits of grey.
  header.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
