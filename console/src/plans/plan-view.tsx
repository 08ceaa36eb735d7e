import { IconAntenna } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { addressOf } from '../api/client.ts'
import type { Schemas } from '../api/generated.ts'
import { conditionOf, type Verdict } from '../condition/conditions.ts'
import { t } from '../languages/text.ts'
import { useImage } from '../photos/use-image.ts'
import { State } from '../ui/state.tsx'
import classes from './plan-view.module.css'

export type Plan = Schemas['FloorPlanWithDevices']
/** What is drawn of it; a widget shows only devices. */
type DrawnPlan = Schemas['WidgetPlan'] & Partial<Pick<Plan, 'gateways'>>

export interface Position {
  x: number
  y: number
}

/** A device or a gateway on a plan. */
export interface Mark extends Position {
  thing: 'device' | 'gateway'
  id: number
  eui: string
  name: string
  verdict: Verdict
  /** What a device says. */
  reading?: string | undefined
}

interface PlanViewProps {
  plan: DrawnPlan
  /** Where its image is, if it is shown by a link. */
  image?: { address: string; pass: string | undefined } | undefined
  onSelect?: (mark: Mark) => void
  /** Marks can be moved, with the mouse, a finger or the arrow keys. */
  onMove?: ((mark: Mark, to: Position) => void) | undefined
  /** Those that may be; all by default. */
  mayMove?: (mark: Mark) => boolean
  /** A click beside the marks chooses a place. */
  onPick?: ((at: Position) => void) | undefined
}

/** More marks than these have only their readings, or only their states, until one is looked at. */
const mostNames = 20
const mostReadings = 60

function crowdOf(count: number): 'names' | 'readings' | undefined {
  if (count > mostReadings) return 'readings'
  return count > mostNames ? 'names' : undefined
}

function marksOf({ positions, gateways = [] }: DrawnPlan): Mark[] {
  return [
    ...gateways.map(({ id, gateway_eui: eui, name, x, y, verdict }) => {
      return { thing: 'gateway' as const, id, eui, name, x, y, verdict }
    }),
    ...positions.map(({ id, device_id: eui, device_name: name, x, y, verdict, reading }) => {
      return { thing: 'device' as const, id, eui, name, x, y, verdict, reading: reading?.text }
    }),
  ]
}

/** A floor plan with what stands on it: readings, and states by colour and shape. */
export function PlanView(props: PlanViewProps) {
  const { plan, image: given, onSelect, onMove, mayMove, onPick } = props
  const marks = marksOf(plan)
  const address =
    given?.address ?? addressOf('GET /floor-plans/{plan_id}/image', { plan_id: plan.id })
  const image = useImage(`${address}#${plan.revision}`, given?.pass)
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
      <ul
        className={classes.marks}
        aria-label={t('{isCount, select, true {Devices and gateways} other {Devices}} on {name}', {
          isCount: Boolean(plan.gateways?.length),
          name: plan.name,
        })}
        data-crowd={crowdOf(marks.length)}
      >
        {marks.map((mark) => (
          <Marker
            key={`${mark.thing} ${mark.id}`}
            mark={mark}
            sheet={sheet}
            onSelect={onSelect}
            onMove={mayMove?.(mark) === false ? undefined : onMove}
          />
        ))}
      </ul>
    </div>
  )
}

interface MarkerProps extends Pick<PlanViewProps, 'onSelect' | 'onMove'> {
  mark: Mark
  sheet: React.RefObject<HTMLDivElement | null>
}

/** Steps of the arrow keys. */
const steps: Record<string, [number, number]> = {
  ArrowLeft: [-0.01, 0],
  ArrowRight: [0.01, 0],
  ArrowUp: [0, -0.01],
  ArrowDown: [0, 0.01],
}

function Marker({ mark, sheet, onSelect, onMove }: MarkerProps) {
  const [moving, setMoving] = useState<Position>()
  const { name, thing } = mark
  const { kind, word } = conditionOf(mark.verdict)
  const { x, y } = moving ?? mark
  const end = (to: Position | undefined) => {
    if (to) onMove?.(mark, to)
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
  const reading = mark.reading ?? word
  return (
    <li
      className={classes.place}
      style={{
        left: `${x * 100}%`,
        top: `${y * 100}%`,
        transform: `translate(-${partBefore(x)}%, -${partBefore(y)}%)`,
      }}
    >
      <button
        type="button"
        className={classes.marker}
        data-kind={kind}
        data-thing={thing}
        data-moves={onMove ? true : undefined}
        title={reading === word ? `${name}: ${word}` : `${name}: ${reading}, ${word}`}
        onClick={() => onSelect?.(mark)}
        onKeyDown={step}
        onKeyUp={(event) => event.key in steps && end(moving)}
        {...drag}
      >
        <span className={classes.name}>
          {thing === 'gateway' && <IconAntenna size={12} aria-label={t('Gateway')} />} {name}
        </span>
        <State kind={kind}>
          <span className={classes.reading}>{reading}</span>
        </State>
        {reading !== word && <span className="visually-hidden">, {word}</span>}
      </button>
    </li>
  )
}

/** The part of a mark before its place, in percent: half of it, and less or more at the edges, which would cut it off. */
function partBefore(at: number): number {
  const edge = 0.2
  const beyond = Math.max(0, at - (1 - edge)) - Math.max(0, edge - at)
  return 50 + (beyond / edge) * 50
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
