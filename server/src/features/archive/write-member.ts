import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Member } from './archive-format.ts'

/** A file of an archive that is written line by line. */
export interface MemberWriter {
  /** Resolves when more may be written. */
  write(text: string, records: number): Promise<void>
  /** Resolves when the file is whole, with what the manifest says of it. */
  end(): Promise<Member>
}

/** Compresses files whose name ends in `.gz`. Files are readable only by their owner. */
export function openMember(directory: string, file: string): MemberWriter {
  const hash = createHash('sha256')
  const input = file.endsWith('.gz') ? createGzip() : new Transform({ transform: passOn })
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const output = createWriteStream(join(directory, file), { mode: 0o600, flags: 'wx' })
  const written = pipeline(input, hashing, output)
  // It is awaited at the end; until then a failure shows itself in `write`.
  written.catch(() => {})
  let records = 0
  return {
    async write(text, count) {
      records += count
      if (text !== '' && !input.write(text)) await Promise.race([once(input, 'drain'), written])
    },
    async end() {
      input.end()
      await written
      return { records, sha256: hash.digest('hex') }
    },
  }
}

function passOn(chunk: unknown, _encoding: string, done: (error: null, chunk: unknown) => void) {
  done(null, chunk)
}
