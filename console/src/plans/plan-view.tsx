import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { addressOf } from '../api/client.ts'
import type { Schemas } from '../api/generated.ts'
import { conditionOf } from '../condition/conditions.ts'
import { useImage } from '../photos/use-image.ts'
import { State } from '../ui/state.tsx'
import classes from './plan-view.module.css'

export type Plan = Schemas['FloorPlanWithDevices']
/** What is drawn of it. */
type DrawnPlan = Schemas['WidgetPlan']
type PlacedDevice = Plan['positions'][number]

export interface Position {
  x: number
  y: number
}

interface PlanViewProps {
  plan: DrawnPlan
  onSelect?: (device: PlacedDevice) => void
  /** Devices can be moved, with the mouse, a finger or the arrow keys. */
  onMove?: ((device: PlacedDevice, to: Position) => void) | undefined
  /** A click beside the devices chooses a place. */
  onPick?: ((at: Position) => void) | undefined
}

/** A floor plan with the devices on it: their readings, and their states by colour and shape. */
export function PlanView({ plan, onSelect, onMove, onPick }: PlanViewProps) {
  const address = addressOf('GET /floor-plans/{plan_id}/image', { plan_id: plan.id })
  const image = useImage(`${address}#${plan.revision}`)
  const sheet = useRef<HTMLDivElement>(null)
  const ratio = plan.width / plan.height
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; keys move the devices
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      ref={sheet}
      className={classes.sheet}
      // No higher than the window, or its widget; as wide as it then is.
      style={{ aspectRatio: ratio, width: `min(100%, calc(var(--plan-height, 80vh) * ${ratio}))` }}
      data-picks={onPick ? true : undefined}
      onClick={(event) => {
        const at = event.target === event.currentTarget && placeIn(sheet.current, event)
        if (at) onPick?.(at)
      }}
    >
      {image !== undefined && <img className={classes.image} src={image} alt={plan.name} />}
      <ul className={classes.devices} aria-label={`Devices on ${plan.name}`}>
        {plan.positions.map((device) => (
          <Marker
            key={device.id}
            device={device}
            sheet={sheet}
            onSelect={onSelect}
            onMove={onMove}
          />
        ))}
      </ul>
    </div>
  )
}

interface MarkerProps extends Pick<PlanViewProps, 'onSelect' | 'onMove'> {
  device: PlacedDevice
  sheet: React.RefObject<HTMLDivElement | null>
}

/** Steps of the arrow keys. */
const steps: Record<string, [number, number]> = {
  ArrowLeft: [-0.01, 0],
  ArrowRight: [0.01, 0],
  ArrowUp: [0, -0.01],
  ArrowDown: [0, 0.01],
}

function Marker({ device, sheet, onSelect, onMove }: MarkerProps) {
  const [moving, setMoving] = useState<Position>()
  const { kind, word } = conditionOf(device.verdict)
  const { x, y } = moving ?? device
  const end = (to: Position | undefined) => {
    if (to) onMove?.(device, to)
    setMoving(undefined)
  }
  const drag = {
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      if (onMove) event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLButtonElement>) {
      const isHeld = onMove && event.currentTarget.hasPointerCapture(event.pointerId)
      if (isHeld) setMoving(placeIn(sheet.current, event))
    },
    onPointerUp: () => end(moving),
    onPointerCancel: () => end(undefined),
  }
  const step = (event: KeyboardEvent) => {
    const [right, down] = steps[event.key] ?? []
    if (!onMove || right === undefined || down === undefined) return
    event.preventDefault()
    const factor = event.shiftKey ? 5 : 1
    setMoving({ x: within(x + right * factor), y: within(y + down * factor) })
  }
  const reading = device.reading?.text ?? word
  return (
    <li className={classes.place} style={{ left: `${x * 100}%`, top: `${y * 100}%` }}>
      <button
        type="button"
        className={classes.marker}
        data-kind={kind}
        data-moves={onMove ? true : undefined}
        title={`${device.device_name}: ${reading}, ${word}`}
        onClick={() => onSelect?.(device)}
        onKeyDown={step}
        onKeyUp={(event) => event.key in steps && end(moving)}
        {...drag}
      >
        <span className={classes.name}>{device.device_name}</span>
        <State kind={kind}>{reading}</State>
        {reading !== word && <span className="visually-hidden">, {word}</span>}
      </button>
    </li>
  )
}

function placeIn(
  sheet: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Position | undefined {
  if (!sheet) return undefined
  const { left, top, width, height } = sheet.getBoundingClientRect()
  return { x: within((clientX - left) / width), y: within((clientY - top) / height) }
}

function within(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000
}
