import { performance } from 'node:perf_hooks'
import { decodeFrame } from '../server/src/sensors/decode.ts'
import { renderMessage, renderObject } from '../server/src/sensors/render.ts'
import type { Frame } from '../server/src/sensors/sensor.ts'
import published from '../server/src/sensors/vectors/radio-bridge-frames.json' with { type: 'json' }
import type { Bench } from './bench.ts'
import { format, median, type Result } from './figures.ts'

/** Frames a second on one core, so that decoding is a small part of what an uplink costs. */
const wanted = 500_000

/** Every published frame, each kind of message as often as in the maker's documents. */
const frames: Frame[] = published.frames.map(({ hex }) => ({
  bytes: Uint8Array.fromHex(hex),
  fPort: 2,
}))

/** Decodes and renders in this process, which does nothing else at that time. */
export async function measureDecode({ settings, progress }: Bench): Promise<Result> {
  const rates: number[] = []
  for (let round = 0; round <= settings.rounds; round += 1) {
    const rate = decodeFor(settings.seconds * 1000)
    progress(`decoding, ${round === 0 ? 'warm-up' : `round ${round}`}: ${format(rate)}/s`)
    if (round > 0) rates.push(rate)
  }
  const figure = {
    name: 'decoding',
    ours: `${format(median(rates))} frames/s`,
    baseline: `${format(wanted)} frames/s (wanted)`,
    ratios: rates.map((rate) => rate / wanted),
    target: { word: 'at least' as const, value: 1 },
    notes: `${frames.length} published frames in turn, to event, object and text; one core`,
  }
  return { figures: [figure], proofs: [] }
}

/** Frames a second over so many milliseconds. */
function decodeFor(milliseconds: number): number {
  const begin = performance.now()
  let elapsed = 0
  let decoded = 0
  let written = 0
  while (elapsed < milliseconds) {
    for (const frame of frames) {
      const reading = decodeFrame(frame)
      written += renderMessage(reading).length + Object.keys(renderObject(reading)).length
    }
    decoded += frames.length
    elapsed = performance.now() - begin
  }
  // The result is used, so that the compiler cannot drop the work.
  if (written === 0) throw new Error('nothing was decoded')
  return (decoded / elapsed) * 1000
}
