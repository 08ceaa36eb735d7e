import type uPlot from 'uplot'
import type { TimeRange } from './chart-data.ts'

interface TouchListener {
  /** The range while two fingers move; undefined when they have left. */
  onPinch: (range: TimeRange | undefined) => void
  onSelect: (range: TimeRange) => void
}

/** A finger and the time under it when it came. */
interface Finger {
  left: number
  time: number
}

/** One finger moves the cursor of a chart, two zoom and shift it; the page scrolls up and down. */
export function listenToTouch(plot: uPlot, { onPinch, onSelect }: TouchListener): void {
  const { over } = plot
  over.style.touchAction = 'pan-y'
  const fingers = new Map<number, Finger>()
  let pinched: TimeRange | undefined
  const leftOf = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left
  const end = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || !pinched) return
    const range = pinched
    pinched = undefined
    onPinch(undefined)
    onSelect(range)
  }
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch' || fingers.size === 2) return
    const left = leftOf(event)
    fingers.set(event.pointerId, { left, time: plot.posToVal(left, 'x') })
  })
  over.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    finger.left = leftOf(event)
    const [one, other] = fingers.values()
    if (!one || !other) {
      plot.setCursor({ left: finger.left, top: over.clientHeight / 2 })
      return
    }
    pinched = rangeUnder(one, other, over.clientWidth) ?? pinched
    if (pinched) onPinch(pinched)
  })
  over.addEventListener('pointerup', end)
  over.addEventListener('pointercancel', end)
}

/** The range at which each finger is above its time; undefined where they are at one place. */
function rangeUnder(one: Finger, other: Finger, width: number): TimeRange | undefined {
  const perPixel = (other.time - one.time) / (other.left - one.left)
  if (!Number.isFinite(perPixel) || perPixel <= 0) return undefined
  const from = Math.round(one.time - one.left * perPixel)
  return { from, to: Math.round(from + Math.max(60_000, width * perPixel)) }
}
