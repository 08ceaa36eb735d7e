import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
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

/** For tests: what a camera sees that looks at a QR code, one picture as a film (Y4M). */
export function drawQrVideo(text: string): Buffer {
  const { data, size } = encode(text, { border: 8, ecc: 'M' })
  const side = size * scale - ((size * scale) % 2)
  const luma = Buffer.alloc(side * side)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const isDark = data[Math.floor(y / scale)]?.[Math.floor(x / scale)]
      luma[y * side + x] = isDark ? 16 : 235
    }
  }
  // No colour: the two planes of it have a quarter of the pixels each.
  const chroma = Buffer.alloc((side * side) / 2, 128)
  const header = `YUV4MPEG2 W${side} H${side} F10:1 Ip A1:1 C420jpeg\nFRAME\n`
  return Buffer.concat([Buffer.from(header), luma, chroma])
}

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export interface Dot {
  x: number
  y: number
}

/**
 * The centres of the dots of one colour in a picture (PNG), such as the points on a map. Dots whose
 * pixels touch count as one.
 */
export function findDots(page: Page, picture: Buffer, color: string): Promise<Dot[]> {
  return page.evaluate(
    async ([base64, hex]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const { width, height } = bitmap
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      const pixels = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
      const isLeft = Array.from({ length: width * height }, (_, index) =>
        wanted.every((value, at) => Math.abs(value - (pixels[index * 4 + at] ?? -1)) < 4),
      )
      const dots: { x: number; y: number }[] = []
      for (let index = 0; index < isLeft.length; index += 1) {
        const area: number[] = []
        const open = isLeft[index] ? [index] : []
        isLeft[index] = false
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
          area.push(next)
          for (const beside of [next - 1, next + 1, next - width, next + width]) {
            if (!isLeft[beside]) continue
            isLeft[beside] = false
            open.push(beside)
          }
        }
        const spanOf = (of: (at: number) => number) =>
          area.reduce((most, at) => Math.max(most, of(at)), 0) -
          area.reduce((least, at) => Math.min(least, of(at)), Infinity)
        const [across, down] = [spanOf((at) => at % width), spanOf((at) => Math.floor(at / width))]
        // Smaller is a letter, and not as wide as high a line.
        if (area.length < 60 || Math.abs(across - down) > 3) continue
        const mean = (of: (at: number) => number) =>
          area.reduce((sum, at) => sum + of(at), 0) / area.length
        dots.push({ x: mean((at) => at % width), y: mean((at) => Math.floor(at / width)) })
      }
      return dots
    },
    [picture.toString('base64'), color] as const,
  )
}
