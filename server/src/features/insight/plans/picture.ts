import { cleanSvg } from './svg.ts'

/** A picture as it is stored: only what draws it. */
export interface Picture {
  type: 'image/png' | 'image/jpeg' | 'image/svg+xml'
  /** Of an SVG in its own units: only the proportion counts. */
  width: number
  height: number
  bytes: Buffer
}

/** Browsers unpack a picture to four bytes for each pixel. */
const mostPixels = 50_000_000

const unknown = 'The image must be a PNG, JPEG or SVG file. Save a page of a PDF as PNG.'
const broken = 'The image is cut off or damaged.'
const large = 'The image may not have more than 50 million pixels.'

/**
 * Reads a picture by its bytes, whatever it is called. Notes that cameras and programs add (place, time,
 * texts) are left out, and with them anything else that is hidden in the file.
 */
export function readPicture(bytes: Buffer): Picture | { fault: string } {
  if (bytes.subarray(0, 8).equals(pngStart)) return checked(readPng(bytes))
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return checked(readJpeg(bytes))
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (!text.trimStart().startsWith('<')) return { fault: unknown }
  const svg = cleanSvg(text)
  if ('fault' in svg) return svg
  const { width, height } = svg
  return { type: 'image/svg+xml', width, height, bytes: Buffer.from(svg.text) }
}

function checked(picture: Picture | undefined): Picture | { fault: string } {
  if (!picture || picture.width === 0 || picture.height === 0) return { fault: broken }
  return picture.width * picture.height > mostPixels ? { fault: large } : picture
}

const pngStart: Buffer = Buffer.from('89504e470d0a1a0a', 'hex')
/** The chunks that say how the pixels look (PNG, third edition, 11). */
// biome-ignore format: a list of words
const pngChunks = new Set([
  'IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD', 'pHYs',
])

function readPng(bytes: Buffer): Picture | undefined {
  const kept: Buffer[] = [pngStart]
  let [width, height] = [0, 0]
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return undefined
    if (name === 'IHDR' && end === at + 25) {
      width = bytes.readUInt32BE(at + 8)
      height = bytes.readUInt32BE(at + 12)
    }
    if (pngChunks.has(name)) kept.push(bytes.subarray(at, end))
    if (name === 'IEND') return { type: 'image/png', width, height, bytes: Buffer.concat(kept) }
    at = end
  }
  return undefined
}

/** Segments of a JPEG file (ITU T.81, B.1): what draws it, the frame of JFIF, colours and Adobe's transform. */
function isKeptSegment(marker: number): boolean {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  if (isApplication) return marker === 0xe0 || marker === 0xe2 || marker === 0xee
  return marker !== 0xfe
}

function readJpeg(bytes: Buffer): Picture | undefined {
  const kept = [bytes.subarray(0, 2)]
  let [width, height] = [0, 0]
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && end >= at + 9) {
      height = bytes.readUInt16BE(at + 5)
      width = bytes.readUInt16BE(at + 7)
    }
    if (isKeptSegment(marker)) kept.push(bytes.subarray(at, end))
    if (marker === 0xda) {
      // The pixels follow, up to the end of the image.
      const last = bytes.lastIndexOf(Buffer.from([0xff, 0xd9]))
      if (last < end) return undefined
      kept.push(bytes.subarray(end, last + 2))
      return { type: 'image/jpeg', width, height, bytes: Buffer.concat(kept) }
    }
    at = end
  }
  return undefined
}
