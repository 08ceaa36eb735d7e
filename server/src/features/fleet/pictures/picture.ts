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
 * texts) are left out, and with them anything else that is hidden in the file. Only how the camera was held
 * stays: browsers turn a photo by it.
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

function readJpeg(bytes: Buffer): Picture | undefined {
  const kept = [bytes.subarray(0, 2)]
  let [width, height, orientation] = [0, 0, 1]
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      // A marker may have any number of these before it.
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    const segment = bytes.subarray(at, end)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && segment.length >= 9) {
      height = segment.readUInt16BE(5)
      width = segment.readUInt16BE(7)
    }
    if (marker === 0xe1) orientation = orientationOf(segment.subarray(4)) ?? orientation
    if (isKeptSegment(marker, segment)) kept.push(segment)
    at = end
    if (marker !== 0xda) continue
    // The pixels of a scan follow. After them come segments and the next scan, or the end: what stands
    // behind that may be a second picture with notes of its own.
    at = findMarker(bytes, end)
    kept.push(bytes.subarray(end, at))
    if (bytes[at + 1] !== endOfImage) continue
    kept.push(bytes.subarray(at, at + 2))
    const isTurned = orientation >= 5
    return {
      type: 'image/jpeg',
      width: isTurned ? height : width,
      height: isTurned ? width : height,
      bytes: withOrientation(Buffer.concat(kept), orientation),
    }
  }
  return undefined
}

const endOfImage = 0xd9

/** The next marker after the pixels of a scan, in which FF is followed by 00 or a restart (ITU T.81, B.1.1). */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

/** Segments of a JPEG file (ITU T.81, B.1): what draws it, the frame of JFIF, colours and Adobe's transform. */
function isKeptSegment(marker: number, segment: Buffer): boolean {
  const isNamed = (name: string) => segment.toString('latin1', 4, 4 + name.length) === name
  if (marker === 0xe0) return isNamed('JFIF\0')
  if (marker === 0xe2) return isNamed('ICC_PROFILE\0')
  if (marker === 0xee) return isNamed('Adobe')
  return marker !== 0xfe && !(marker >= 0xe0 && marker <= 0xef)
}

const exif = 'Exif\0\0'
/** How a camera was held: the only note of a photo without which it is shown wrongly (Exif 3.0, 4.6.5). */
const orientationTag = 0x0112

/** Looks into the first directory of Exif, which is one of TIFF 6.0. */
function orientationOf(note: Buffer): number | undefined {
  if (note.toString('latin1', 0, 6) !== exif) return undefined
  const tiff = note.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  if (tiff.length < 8 || read16(2) !== 42) return undefined
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = read16(directory)
  for (
    let at = directory + 2;
    at + 12 <= tiff.length && at < directory + 2 + 12 * count;
    at += 12
  ) {
    const value = read16(at + 8)
    if (read16(at) === orientationTag) return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** Adds a note of the orientation and of nothing else. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  if (orientation === 1) return jpeg
  const note = Buffer.alloc(36)
  note.writeUInt16BE(0xffe1, 0)
  note.writeUInt16BE(34, 2)
  note.write(`${exif}MM\0*`, 4, 'latin1')
  note.writeUInt32BE(8, 14)
  // One entry: the tag, one number of 16 bits.
  note.writeUInt16BE(1, 18)
  note.writeUInt16BE(orientationTag, 20)
  note.writeUInt16BE(3, 22)
  note.writeUInt32BE(1, 24)
  note.writeUInt16BE(orientation, 28)
  return Buffer.concat([jpeg.subarray(0, 2), note, jpeg.subarray(2)])
}
