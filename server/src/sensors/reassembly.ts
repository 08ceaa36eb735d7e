import { findMessage, payloadOf } from './decode.ts'
import type { Frame, FrameMemory, FramePart, Reading } from './sensor.ts'

/**
 * The longest transmission of all parts of a message, in milliseconds: at the slowest data rate and
 * a duty cycle of one percent, five frames of 11 bytes take some ten minutes.
 */
const longestTransmission = 15 * 60 * 1000

/** Whether a frame is read together with the stored frames of its device. */
export function needsMemory(frame: Frame): boolean {
  const reassembly = findMessage(frame.bytes[1])?.reassembly
  return reassembly?.placeOf(payloadOf(frame)) !== undefined
}

/**
 * Completes the reading of a frame, received at `time`, by the stored frames of its device. Gives
 * the completed reading and the memory to store. The order of arrival does not change the memory,
 * and late frames complete their own message only.
 */
export function reassembleFrame(
  frame: Frame,
  reading: Reading,
  time: string,
  memory: FrameMemory,
): { reading: Reading; memory: FrameMemory } {
  const reassembly = findMessage(frame.bytes[1])?.reassembly
  const payload = payloadOf(frame)
  const place = reassembly?.placeOf(payload)
  // Unreadable frames are not stored.
  if (!reassembly || !place || reading.event === 'UNKNOWN') return { reading, memory }
  const [sequence = 0] = reading.sequence
  const part = { time, number: place.number, sequence, payload: payload.toHex() }
  const { kept, together } = addPart(memory[place.group] ?? [], part)
  const changed = { ...memory, [place.group]: kept }
  const completed = reassembly.complete?.(reading, together, changed)
  if (!completed) return { reading, memory: changed }
  const sequences = together.map((one) => one.sequence)
  return { reading: { ...reading, ...completed, sequence: sequences }, memory: changed }
}

/**
 * Adds a part to the stored parts of its group. Parts belong to one message while their numbers
 * ascend with time. A part out of this order starts the next message, or is too late.
 */
function addPart(
  known: readonly FramePart[],
  part: FramePart,
): { kept: readonly FramePart[]; together: readonly FramePart[] } {
  if (known.some((one) => isRepeat(one, part))) return { kept: known, together: known }
  const together = [...known, part].sort(inOrder)
  if (isOneMessage(together)) return { kept: together, together }
  const isNewest = known.every(({ time }) => time <= part.time)
  return { kept: isNewest ? [part] : known, together: [part] }
}

function inOrder(one: FramePart, other: FramePart): number {
  if (one.time !== other.time) return one.time < other.time ? -1 : 1
  return one.number - other.number
}

function isOneMessage(parts: readonly FramePart[]): boolean {
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last) return true
  if (Date.parse(last.time) - Date.parse(first.time) > longestTransmission) return false
  return parts.every((part, index) => part.number > (parts[index - 1]?.number ?? -1))
}

/** A sensor that receives no confirmation repeats its frame with the same counter. */
function isRepeat(one: FramePart, other: FramePart): boolean {
  const isSame = one.sequence === other.sequence && one.payload === other.payload
  const apart = Math.abs(Date.parse(one.time) - Date.parse(other.time))
  return isSame && one.number === other.number && apart <= longestTransmission
}
