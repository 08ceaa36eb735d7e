import { write, writeSync } from 'node:fs'
import { hostname } from 'node:os'

/** Bytes of lines that wait for a slow reader; further lines are dropped. */
const mostWaiting = 4 * 1024 ** 2
/** Milliseconds until the next try, after a write that failed. */
const pause = 1000

export interface LogOutput {
  /** Takes one line, with its end. */
  write(line: string): void
  /** Writes what waits, before the process ends. */
  flushSync(): void
  /** How many lines could not be written. */
  dropped(): number
}

/**
 * Writes lines to a file descriptor in the background. When that fails, as on a full disk or a closed
 * pipe, lines are dropped and counted, and the first line that works says how many. Streams would end
 * the process with an error, and wait at its end until the disk has room.
 */
export function openLogOutput(descriptor: number): LogOutput {
  let waiting: string[] = []
  let size = 0
  let isBusy = false
  let dropped = 0
  /** How many of them no line has told of. */
  let untold = 0
  /** A line was cut: the next one begins on its own. */
  let isCut = false

  function drop(lines: number): void {
    dropped += lines
    untold += lines
  }

  function takeAll(): { bytes: Buffer; lines: number } {
    const lines = waiting.length
    const begin = `${isCut ? '\n' : ''}${untold > 0 ? tellDropped(untold) : ''}`
    const bytes = Buffer.from(begin + waiting.join(''))
    waiting = []
    size = 0
    return { bytes, lines }
  }

  function send(): void {
    if (isBusy || (waiting.length === 0 && untold === 0)) return
    isBusy = true
    const told = untold
    const { bytes, lines } = takeAll()
    writeFrom(bytes, 0, (isWritten) => {
      if (isWritten) untold -= told
      else drop(lines)
      // Lines of the meantime wait, so that a broken file costs a write a second, not one for each line.
      if (!isWritten) setTimeout(endPause, pause).unref()
      else endPause()
    })
  }

  function endPause(): void {
    isBusy = false
    send()
  }

  function writeFrom(bytes: Buffer, start: number, done: (isWritten: boolean) => void): void {
    write(descriptor, bytes, start, bytes.length - start, null, (error, count = 0) => {
      const next = start + count
      if (count > 0) isCut = bytes[next - 1] !== lineEnd
      if (!error && next === bytes.length) done(true)
      else if (!error) writeFrom(bytes, next, done)
      // The reader of a pipe is slow.
      else if (error.code === 'EAGAIN') setTimeout(writeFrom, 50, bytes, start, done)
      else done(false)
    })
  }

  return {
    write(line) {
      if (size + line.length > mostWaiting) return drop(1)
      waiting.push(line)
      size += line.length
      send()
    },
    flushSync() {
      if (waiting.length === 0) return
      try {
        writeSync(descriptor, takeAll().bytes)
      } catch {
        // The process ends: nothing could report it.
      }
    },
    dropped: () => dropped,
  }
}

const lineEnd = 0x0a

/** In the form of pino's lines. */
function tellDropped(lines: number): string {
  const about = { level: 40, time: Date.now(), pid: process.pid, hostname: hostname() }
  const msg = 'lines of the log could not be written and are lost'
  return `${JSON.stringify({ ...about, lines, msg })}\n`
}

/** Of this process. */
export const logOutput = openLogOutput(1)
