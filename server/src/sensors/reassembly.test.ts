import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { decodeFrame } from './decode.ts'
import { needsMemory, reassembleFrame } from './reassembly.ts'
import type { Frame, FrameMemory, Reading } from './sensor.ts'

interface Received {
  hex: string
  /** Seconds after noon. */
  at: number
}

function frameOf(hex: string): Frame {
  return { bytes: Uint8Array.fromHex(hex), fPort: 2 }
}

/** Reads the frames in turn; gives their readings and the memory at the end. */
function receive(frames: Received[]): { readings: Reading[]; memory: FrameMemory } {
  let memory: FrameMemory = {}
  const readings = frames.map(({ hex, at }) => {
    const frame = frameOf(hex)
    const time = new Date(Date.UTC(2026, 1, 28, 12, 0, at)).toISOString().replace('Z', '000Z')
    const joined = reassembleFrame(frame, decodeFrame(frame), time, memory)
    memory = joined.memory
    return joined.reading
  })
  return { readings, memory }
}

function inTurn(frames: string[], interval = 10): Received[] {
  return frames.map((hex, index) => ({ hex, at: index * interval }))
}

// RadioBridge/Packet-Decoder, tests/CondensedFFt.test.ts, in the order of that test.
const report = '101c000100139f'
const totals = ['112000001e0022000c000e', '12201000130006001a0005'] as const
const peaks = ['1320200009000400010001', '1420300001000100000000'] as const
const published = [totals[0], report, totals[1], ...peaks]

test('shows a spectrum as velocities once its frames have come', () => {
  const { readings } = receive(inTurn(published))
  const [first, , second] = readings
  assert.deepEqual(first?.values, { channel: 1, energies: [30, 34, 12, 14] })
  assert.deepEqual(first.sequence, [1])
  assert.deepEqual(second?.sequence, [1, 2])
  assert.equal(second?.event, 'VIBRATION_CONDENSED_FFT_ENERGY_PART')
  assert.deepEqual(second?.values, {
    channel: 1,
    energies: [19, 6, 26, 5],
    energyTotal: 146,
    velocity10To20Hz: 0.00205,
    velocity21To40Hz: 0.00233,
    velocity41To55Hz: 0.00082,
    velocity56To70Hz: 0.00096,
    velocity71To110Hz: 0.0013,
    velocity111To130Hz: 0.00041,
    velocity131To230Hz: 0.00178,
    velocityAbove231Hz: 0.00034,
  })
  assert.deepEqual(second?.lines.slice(0, 3), [
    'Vibration Condensed FFT Event: Total Energy Values',
    'Channel: 1',
    '10-20 Hz: 0.00205 inches/sec',
  ])
  assert.equal(second?.lines.at(-2), '131-230 Hz: 0.00178 inches/sec')
})

test('shows the peaks of a spectrum by the same total', () => {
  const last = receive(inTurn(published)).readings.at(-1)
  assert.equal(last?.description, 'Peak Energy Values')
  assert.deepEqual(last?.sequence, [1, 2, 3, 4])
  assert.equal(last?.values.energyTotal, 146)
  assert.equal(last?.values.peakVelocity10To20Hz, 0.00062)
  assert.equal(last?.values.peakVelocity71To110Hz, 0.00007)
  assert.ok(!('velocity10To20Hz' in last.values))
})

test('takes a total of nothing for 1, as the console does', () => {
  const silent = ['1120000000000000000000', '1220100000000000000000']
  const { readings } = receive(inTurn([report, ...silent]))
  assert.equal(readings.at(-1)?.values.energyTotal, 0)
  assert.equal(readings.at(-1)?.values.velocity10To20Hz, 0)
})

test('the same counter and bytes are a repeat within 15 minutes, and a new frame after', () => {
  const secondsOf = (again: number) => {
    const frames = [0, again].map((at) => ({ hex: totals[0], at }))
    const { memory } = receive([...frames, { hex: totals[1], at: again + 1 }])
    const [parts = []] = Object.values(memory)
    return parts.map(({ time }) => (Date.parse(time) - Date.UTC(2026, 1, 28, 12)) / 1000)
  }
  assert.deepEqual(secondsOf(899), [0, 900])
  assert.deepEqual(secondsOf(901), [901, 902])
  assert.deepEqual(secondsOf(5000), [5000, 5001])
})

test('does not mix two spectra, nor two channels', () => {
  // The counter is five frames ahead, and the velocity doubled.
  const later = published.map((hex) => {
    const counter = ((Number.parseInt(hex.slice(1, 2), 16) + 5) % 16).toString(16)
    return `1${counter}${hex.slice(2).replace('1c0001', '1c0002')}`
  })
  const { readings } = receive(inTurn([...published, ...later]))
  assert.deepEqual(readings[5]?.values, { channel: 1, energies: [30, 34, 12, 14] })
  assert.equal(readings[7]?.values.velocity10To20Hz, 0.00411)

  const otherChannel = '1220110013000600001a05'
  const mixed = receive(inTurn([totals[0], report, otherChannel])).readings
  assert.deepEqual(mixed[2]?.sequence, [2])
})

test('a first frame after the last one begins a new spectrum', () => {
  const { readings, memory } = receive(inTurn([totals[1], totals[0].replace('11', '13')]))
  assert.deepEqual(readings[1]?.sequence, [3])
  assert.deepEqual(readings[1]?.values, { channel: 1, energies: [30, 34, 12, 14] })
  assert.equal(memory.spectrum1?.length, 1)
})

test('does not join frames that are too far apart in time', () => {
  const { readings } = receive([
    { hex: report, at: 0 },
    { hex: totals[0], at: 1 },
    { hex: totals[1], at: 902 },
  ])
  assert.deepEqual(readings[2]?.values, { channel: 1, energies: [19, 6, 26, 5] })
})

test('takes a frame that is sent again for the same one', () => {
  const frames = inTurn([report, totals[0], totals[0], totals[1], totals[1]])
  const { readings } = receive(frames)
  assert.equal(readings[3]?.values.energyTotal, 146)
  assert.equal(readings[4]?.values.energyTotal, 146)
})

test('leaves what is newer as it is when a frame comes late', () => {
  const { readings, memory } = receive([
    { hex: '111c003200139f', at: 100 },
    { hex: report, at: 50 },
    { hex: totals[0], at: 110 },
    { hex: totals[0].replace('11', '19'), at: 5 },
    { hex: totals[1], at: 120 },
  ])
  assert.equal(readings.at(-1)?.values.velocity10To20Hz, 0.10274)
  assert.equal(memory.spectrum1?.length, 2)
})

test('keeps the same of a spectrum in whatever order its frames come', () => {
  const frames = inTurn([report, ...totals, ...peaks])
  const inOrder = receive(frames).memory
  const shuffled = fc.shuffledSubarray(frames, { minLength: frames.length })
  fc.assert(
    fc.property(shuffled, (mixed) => {
      const { readings, memory } = receive(mixed)
      assert.deepEqual(memory, inOrder)
      const last = readings.at(-1)
      if (mixed.at(-1)?.hex !== report) assert.equal(last?.values.energyTotal, 146)
    }),
    { numRuns: 60 },
  )
})

test('reads the packets of a device info together', () => {
  const packets = ['10fa13010000130400000000', '11fa23fc00010100000000', '12fa3311019e0000000000']
  const { readings } = receive(inTurn(packets))
  assert.deepEqual(
    readings.map(({ sequence }) => sequence),
    [[0], [0, 1], [0, 1, 2]],
  )
  assert.equal(readings[1]?.values.isComplete, false)
  assert.deepEqual(readings[2]?.values, {
    packet: 3,
    total: 3,
    stored: [17, 1, 158, 0, 0, 0, 0, 0],
    isComplete: true,
    configuration: '010000130400000000 fc00010100000000 11019e0000000000',
  })
  assert.deepEqual(readings[2]?.lines.slice(0, 2), [
    'Device info: packet 3 of 3',
    'Stored: 010000130400000000',
  ])
})

test('keeps nothing of frames that stand alone, or that nobody can read', () => {
  for (const hex of ['', '10', '100301', '13fa11fc00010100000000', '13fa20', 'ffff']) {
    assert.equal(needsMemory(frameOf(hex)), false, hex)
    assert.deepEqual(receive([{ hex, at: 0 }]).memory, {})
  }
  assert.deepEqual(receive([{ hex: '1020', at: 0 }]).memory, {})
  assert.equal(needsMemory(frameOf(totals[0])), true)
})

test('never throws, and keeps a bounded amount, whatever comes', () => {
  const code = fc.constantFrom(0x1c, 0x1f, 0x20, 0xfa)
  const received = fc.record({
    hex: fc
      .tuple(code, fc.uint8Array({ maxLength: 10 }))
      .map(
        ([eventCode, rest]) => `10${eventCode.toString(16)}${Buffer.from(rest).toString('hex')}`,
      ),
    at: fc.integer({ min: 0, max: 2000 }),
  })
  fc.assert(
    fc.property(fc.array(received, { maxLength: 40 }), (frames) => {
      const { memory } = receive(frames)
      for (const parts of Object.values(memory)) assert.ok(parts.length <= 15)
    }),
    { numRuns: 300 },
  )
})
