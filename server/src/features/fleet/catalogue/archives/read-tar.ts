import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CatalogueFault, type FileCollector } from './file-collector.ts'

/*
 * Reads a tar.gz as it comes, as git archives are: blocks of 512 bytes (POSIX.1-2017, pax). Only the files that
 * are wanted are kept, so that an archive full of pictures needs no memory.
 */

const blockLength = 512
/** Bytes of an archive, unpacked. */
const longestArchive = 2 * 1024 * 1024 * 1024
/** Bytes of a header with a long name. */
const longestHeader = 64 * 1024

/** @throws CatalogueFault for what is no tar.gz, or not one that is taken. */
export async function readTarGz(
  packed: AsyncIterable<Buffer>,
  collector: FileCollector,
): Promise<void> {
  const reader = createReader(collector)
  try {
    await pipeline(packed, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) reader.take(chunk)
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('Z_')) throw new CatalogueFault('Its archive is damaged, or cut off.')
    throw error
  }
  reader.end()
}

interface Open {
  path: string
  /** Bytes of its content that are still to come, and of the padding after it. */
  left: number
  padding: number
  /** Undefined for what is skipped. */
  parts: Buffer[] | undefined
  kind: 'file' | 'long name' | 'pax'
}

function createReader(collector: FileCollector) {
  let rest: Buffer = Buffer.alloc(0)
  let open: Open | undefined
  let longName: string | undefined
  let total = 0

  function finish({ path, parts, kind }: Open): void {
    const content = parts && Buffer.concat(parts)
    if (kind === 'file') {
      if (content) collector.add(path, content)
    } else if (content) {
      const text = content.toString('utf8')
      longName = kind === 'long name' ? text.replace(/\0.*$/s, '') : pathOf(text)
    }
  }

  function begin(header: Buffer): Open | undefined {
    const name = textAt(header, 0, 100)
    if (name === '' && header.every((byte) => byte === 0)) return undefined
    const size = sizeAt(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const padding = (blockLength - (size % blockLength)) % blockLength
    const place = { left: size, padding }
    if (type === 'L' || type === 'x' || type === 'g') {
      if (size > longestHeader) throw new CatalogueFault('Its archive has a name that is too long.')
      const kind = type === 'L' ? 'long name' : 'pax'
      return { path: '', ...place, parts: type === 'g' ? undefined : [], kind }
    }
    const prefix = textAt(header, 345, 155)
    const path = longName ?? (prefix ? `${prefix}/${name}` : name)
    longName = undefined
    const isFile = type === '0' || type === '\0' || type === '7'
    const isLink = type === '1' || type === '2'
    const isWanted = (isFile || isLink) && collector.wants({ path, size, isLink })
    return { path, ...place, parts: isWanted ? [] : undefined, kind: 'file' }
  }

  return {
    take(chunk: Buffer): void {
      total += chunk.length
      if (total > longestArchive)
        throw new CatalogueFault('Its archive has more than 2 GB unpacked.')
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      while (data.length > 0) {
        if (open) {
          const part = data.subarray(0, open.left)
          if (part.length > 0) open.parts?.push(part)
          open.left -= part.length
          data = data.subarray(part.length)
          const skipped = Math.min(open.padding, data.length)
          if (open.left === 0) {
            open.padding -= skipped
            data = data.subarray(skipped)
            if (open.padding === 0) {
              finish(open)
              open = undefined
            }
          }
        } else {
          if (data.length < blockLength) break
          open = begin(data.subarray(0, blockLength))
          data = data.subarray(blockLength)
          if (open && open.left === 0) {
            finish(open)
            open = undefined
          }
        }
      }
      rest = Buffer.from(data)
    },
    end(): void {
      if (open || rest.length > 0) throw new CatalogueFault('Its archive is damaged, or cut off.')
    },
  }
}

function textAt(header: Buffer, start: number, length: number): string {
  return header.toString('utf8', start, start + length).replace(/\0.*$/s, '')
}

function sizeAt(header: Buffer): number {
  const digits = textAt(header, 124, 12).trim()
  if (!/^[0-7]*$/.test(digits)) throw new CatalogueFault('It is no archive, or a damaged one.')
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}

/** `path` of the records of a pax header, each as `length key=value`. */
function pathOf(records: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(records)?.[1]
}
