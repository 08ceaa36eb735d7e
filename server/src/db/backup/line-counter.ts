import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

const lineFeed = 10

export interface LineCounter {
  stream: Transform
  /** Lines that have passed. */
  lines(): number
  /** Of all that has passed; to be asked once, at the end. */
  sha256(): string
}

/** Lets a file of COPY through, counts its lines and takes its hash. */
export function createLineCounter(onChunk: (lines: number) => void = () => {}): LineCounter {
  const hash = createHash('sha256')
  let lines = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
        lines += 1
      }
      onChunk(lines)
      done(null, chunk)
    },
  })
  return { stream, lines: () => lines, sha256: () => hash.digest('hex') }
}
