import { inflateRawSync } from 'node:zlib'
import { longestFile } from '../published/limits.ts'
import { CatalogueFault, type FileCollector } from './file-collector.ts'

/*
 * Reads a zip by its central directory (PKWARE APPNOTE.TXT 6.3.10, sections 4.3 and 4.4): stored and
 * deflated files, without encryption and without zip64, which no archive of this size needs.
 */

const endMark = 0x06054b50
const entryMark = 0x02014b50
const fileMark = 0x04034b50
const endLength = 22
const longestComment = 0xffff

/** @throws CatalogueFault for what is no zip, or not one that is taken. */
export function readZip(bytes: Buffer, collector: FileCollector): void {
  try {
    let packed = 0
    for (const entry of listEntries(bytes)) {
      if (entry.path.endsWith('/') || !collector.wants(entry)) continue
      // Many entries may name the same bytes, each of which would be unpacked.
      packed += entry.packed
      if (packed > bytes.length) throw new CatalogueFault('Its files overlap.')
      collector.add(entry.path, unpack(bytes, entry))
    }
  } catch (error) {
    if (error instanceof RangeError) throw new CatalogueFault('It is damaged, or cut off.')
    throw error
  }
}

interface Entry {
  path: string
  /** Unpacked, as the archive says. */
  size: number
  packed: number
  method: number
  at: number
  isLink: boolean
}

function listEntries(bytes: Buffer): Entry[] {
  let end = bytes.length - endLength
  const first = Math.max(0, end - longestComment)
  while (end >= first && bytes.readUInt32LE(end) !== endMark) end -= 1
  if (end < first) throw new CatalogueFault('It is no zip.')
  const entries: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== entryMark) throw new CatalogueFault('It is damaged, or cut off.')
    const nameLength = bytes.readUInt16LE(at + 28)
    const path = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    if (bytes.readUInt16LE(at + 8) & 1) throw new CatalogueFault('It is encrypted.')
    entries.push({
      path,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
      // The mode of Unix, in the upper half of the attributes.
      isLink: ((bytes.readUInt32LE(at + 38) >>> 16) & 0o170000) === 0o120000,
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function unpack(bytes: Buffer, { path, method, packed, size, at }: Entry): Buffer {
  if (bytes.readUInt32LE(at) !== fileMark) throw new CatalogueFault('It is damaged, or cut off.')
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const content = bytes.subarray(start, start + packed)
  if (method === 0 && packed === size) return content
  if (method !== 8) throw new CatalogueFault(`${path} is packed in a way that is not taken.`)
  try {
    // What an archive says of its sizes is not believed.
    return inflateRawSync(content, { maxOutputLength: longestFile })
  } catch {
    throw new CatalogueFault(`${path} is damaged, or larger than the archive says.`)
  }
}
