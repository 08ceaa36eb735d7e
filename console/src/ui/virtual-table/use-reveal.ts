import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** A block of rows, in the elements that have this key. */
export interface PlacedBlock {
  key: string | number
  block: number
  /** Whether its rows are known. */
  isKnown: boolean
}

/** Milliseconds of a frame: a computer that is quicker shows more at a time, a slower one less. */
const quick = 24
const slow = 40
const mostPerFrame = 8

/** Blocks that are shown in one frame. All tables share it, since it depends on the computer. */
let perFrame = 1

/**
 * Shows blocks whose rows are known a few in each frame, those in the middle first, so that no frame
 * takes long. Returns whether a block is shown.
 */
export function useReveal(placed: readonly PlacedBlock[]): (place: PlacedBlock) => boolean {
  const [shown, setShown] = useState<ReadonlyMap<string | number, number>>(new Map())
  const isShown = ({ key, block, isKnown }: PlacedBlock) => isKnown && shown.get(key) === block
  const waiting = placed.filter((place) => place.isKnown && !isShown(place))
  const latest = useRef(waiting)
  latest.current = middleFirst(waiting)
  const isBusy = waiting.length > 0
  useEffect(() => {
    if (!isBusy) return
    let frame = requestAnimationFrame(showSome)
    let last: { at: number; count: number } | undefined
    return () => cancelAnimationFrame(frame)

    function showSome(now: number) {
      if (last) learn(now - last.at, last.count)
      const next = latest.current.slice(0, perFrame)
      last = { at: now, count: next.length }
      frame = requestAnimationFrame(showSome)
      flushSync(() => setShown((before) => withBlocks(before, next)))
    }
  }, [isBusy])
  return isShown
}

function learn(milliseconds: number, count: number): void {
  if (milliseconds > slow) perFrame = Math.max(1, Math.floor(count / 2))
  else if (milliseconds < quick && count === perFrame && count < mostPerFrame) perFrame += 1
}

function middleFirst(waiting: readonly PlacedBlock[]): PlacedBlock[] {
  const blocks = waiting.map(({ block }) => block)
  const middle = (Math.min(...blocks) + Math.max(...blocks)) / 2
  return waiting.toSorted((a, b) => Math.abs(a.block - middle) - Math.abs(b.block - middle))
}

function withBlocks(
  shown: ReadonlyMap<string | number, number>,
  next: readonly PlacedBlock[],
): ReadonlyMap<string | number, number> {
  return next.length === 0
    ? shown
    : new Map([...shown, ...next.map(({ key, block }) => [key, block] as const)])
}
