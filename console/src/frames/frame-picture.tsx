import type { KeyboardEvent } from 'react'
import { t } from '../languages/text.ts'
import classes from './frame-bytes.module.css'
import { type FramePart, isSilent, measureText, placeText, rawText } from './frame-values.ts'

const tones = 6

interface FramePictureProps {
  parts: readonly FramePart[]
  /** The part that is pointed at, here or in the table. */
  active?: number | undefined
  onActive?: (part: number | undefined) => void
}

/**
 * A frame as a row of its parts: the bytes or bits, and below them what they are. With `onActive`
 * the parts are buttons, reached by the arrow keys.
 */
export function FramePicture({ parts, active, onActive }: FramePictureProps) {
  if (!onActive) {
    return (
      <ol className={classes.picture} aria-label={t('Bytes of the frame')}>
        {parts.map((part, index) => (
          <li key={keyOf(part)} className={classes.part} {...marks(part, index)}>
            <PartContent part={part} />
          </li>
        ))}
      </ol>
    )
  }
  return (
    // The arrow keys move between its buttons, of which one is in the order of the tab key.
    <div
      role="toolbar"
      aria-label={t('Bytes of the frame')}
      className={classes.picture}
      onKeyDown={moveFocus}
    >
      {parts.map((part, index) => (
        <button
          type="button"
          key={keyOf(part)}
          className={classes.part}
          {...marks(part, index)}
          data-active={active === index || undefined}
          tabIndex={index === (active ?? 0) ? 0 : -1}
          onFocus={() => onActive(index)}
          onMouseEnter={() => onActive(index)}
          onClick={() => onActive(index)}
        >
          <PartContent part={part} />
          <span className="visually-hidden">
            , {placeText(part)}: {measureText(part)}
          </span>
        </button>
      ))}
    </div>
  )
}

function PartContent({ part }: { part: FramePart }) {
  return (
    <>
      <span className={classes.raw}>{rawText(part)}</span>
      <span className={classes.label}>{part.label}</span>
    </>
  )
}

function keyOf({ start, bits }: FramePart): string {
  return `${start}.${bits?.lowest ?? ''}`
}

function marks(part: FramePart, index: number) {
  return {
    'data-tone': isSilent(part) ? 'none' : index % tones,
  }
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => Math.min(index + 1, count - 1),
  ArrowLeft: (index) => Math.max(index - 1, 0),
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
  if (!step || index < 0) return
  event.preventDefault()
  buttons[step(index, buttons.length)]?.focus()
}
