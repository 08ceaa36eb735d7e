/**
 * Counts the frames that never arrived, by the gaps of a device's frame counter (FCntUp of LoRaWAN
 * 1.0.4, 4.3.1.5).
 */

/** A stored uplink. */
export interface HeardFrame {
  /** Milliseconds. */
  time: number
  fCnt: number
}

/** Why the counter began again. `wrap`: after 65,535, if a network reports only 16 bits. */
export type RestartReason = 'join' | 'restart' | 'wrap'

export interface Restart {
  time: number
  reason: RestartReason
}

/** The change of the counts by one frame. */
interface Step {
  kind: 'received' | 'late' | 'repeated'
  lost: number
  restart?: RestartReason
}

/** The counts of a part of a range. */
export interface FrameCounts {
  received: number
  lost: number
  repeated: number
}

/**
 * Networks refuse a larger gap (MAX_FCNT_GAP of LoRaWAN 1.0.3). So a larger one is a new session of
 * the device and not a loss.
 */
const largestGap = 16_384

/** A counter of 16 bits that ends this close to its limit, and begins as close to 0, went round. */
const wrapMargin = 1024

/**
 * Within this time a smaller number is a frame that was overtaken or sent again. Networks take
 * seconds for that. Later, it means that the counter began again.
 */
const disorder = 2 * 60_000

/** The latest frames that a further one may repeat, and the latest gaps that it may fill. */
const remembered = 32

/** Numbers that were passed over, from `first` to `last`. */
interface Gap {
  first: number
  last: number
  /** When it was noticed, and in which part of the range it counts. */
  time: number
  part: number
  filled: Set<number>
}

interface Session {
  highest: HeardFrame
  gaps: Gap[]
  recent: HeardFrame[]
}

/**
 * Counts the frames in order of time, for each part of the range. A loss counts in the part of the
 * frame that shows the gap. Frames before the first one of a session are not counted as lost,
 * because nothing tells where its counter began.
 */
export function countFrames<Frame extends HeardFrame>(
  frames: readonly Frame[],
  joins: readonly number[],
  partOf: (time: number, frame: Frame) => number,
): { parts: Map<number, FrameCounts>; restarts: Restart[] } {
  const parts = new Map<number, FrameCounts>()
  const restarts: Restart[] = []
  const joined = [...joins].sort((one, other) => one - other)
  let nextJoin = 0
  let session: Session | undefined
  for (const frame of frames) {
    const part = partOf(frame.time, frame)
    const hasJoined = (joined[nextJoin] ?? Infinity) <= frame.time
    while ((joined[nextJoin] ?? Infinity) <= frame.time) nextJoin += 1
    const step = session ? stepTo(session, frame, hasJoined) : received
    const counts = countsOf(parts, part)
    if (step.kind === 'repeated') counts.repeated += 1
    else counts.received += 1
    counts.lost += step.lost
    if (step.restart) restarts.push({ time: frame.time, reason: step.restart })
    if (step.kind === 'late' && session) takeBack(parts, session, frame)
    session = advance(session, frame, { step, part })
  }
  return { parts, restarts }
}

const received: Step = { kind: 'received', lost: 0 }

function stepTo(session: Session, frame: HeardFrame, hasJoined: boolean): Step {
  if (hasJoined) return { ...received, restart: 'join' }
  const gap = frame.fCnt - session.highest.fCnt
  if (gap > largestGap) return { ...received, restart: 'restart' }
  if (gap > 0) return { kind: 'received', lost: gap - 1 }
  if (gapOf(session, frame)) return { kind: 'late', lost: 0 }
  if (isRepeated(session, frame)) return { kind: 'repeated', lost: 0 }
  const wrapped = gap + 65_536
  if (session.highest.fCnt <= 65_535 && wrapped <= wrapMargin) {
    return { kind: 'received', lost: wrapped - 1, restart: 'wrap' }
  }
  return { ...received, restart: 'restart' }
}

/** Of the same number again, nothing but a repetition can be the reason, however late it is. */
function isRepeated({ highest, recent }: Session, { fCnt, time }: HeardFrame): boolean {
  if (fCnt === highest.fCnt && fCnt !== 0) return true
  return recent.some((known) => known.fCnt === fCnt && time - known.time <= disorder)
}

/** The gap that the frame fills, if that gap is recent. */
function gapOf({ gaps }: Session, { fCnt, time }: HeardFrame): Gap | undefined {
  return gaps.find(
    (gap) =>
      fCnt >= gap.first && fCnt <= gap.last && !gap.filled.has(fCnt) && time - gap.time <= disorder,
  )
}

function advance(
  session: Session | undefined,
  frame: HeardFrame,
  { step, part }: { step: Step; part: number },
): Session {
  if (!session || step.restart) {
    return { highest: frame, gaps: [], recent: [frame] }
  }
  keepLatest(session.recent, frame)
  if (step.kind !== 'received') return session
  if (step.lost > 0) {
    const [first, last] = [session.highest.fCnt + 1, frame.fCnt - 1]
    keepLatest(session.gaps, { first, last, time: frame.time, part, filled: new Set() })
  }
  session.highest = frame
  return session
}

function keepLatest<Item>(items: Item[], item: Item): void {
  items.push(item)
  if (items.length > remembered) items.shift()
}

/** The frame was counted as lost when the gap was noticed. */
function takeBack(parts: Map<number, FrameCounts>, session: Session, frame: HeardFrame): void {
  const gap = gapOf(session, frame)
  if (!gap) return
  gap.filled.add(frame.fCnt)
  countsOf(parts, gap.part).lost -= 1
}

function countsOf(parts: Map<number, FrameCounts>, part: number): FrameCounts {
  const known = parts.get(part)
  if (known) return known
  const counts = { received: 0, lost: 0, repeated: 0 }
  parts.set(part, counts)
  return counts
}
