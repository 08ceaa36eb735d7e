import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { RowKey, Selection } from './use-selection.ts'

interface RowFocusOptions {
  scroller: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  keyAt: (index: number) => RowKey
  selection: Selection | undefined
  onOpen: ((index: number) => void) | undefined
}

/**
 * One row at a time is in the tab order. The arrows move it, Space and clicks choose rows, with
 * Shift a range of them, and Enter opens.
 */
export function useRowFocus(options: RowFocusOptions) {
  const { scroller, count, rowHeight, keyAt, selection, onOpen } = options
  const [activeIndex, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const anchor = useRef(0)
  const active = Math.max(0, Math.min(activeIndex, count - 1))

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    focusRow(scroller.current, active)
  }, [active, scroller])

  const choose = useCallback(
    (index: number, isRange: boolean) => {
      if (!selection) return
      const isChosen = isRange ? true : !selection.has(keyAt(index))
      const from = isRange ? anchor.current : index
      selection.set(indexesBetween(from, index).map(keyAt), isChosen)
      if (!isRange) anchor.current = index
    },
    [selection, keyAt],
  )

  const move = (to: number, isRange: boolean) => {
    const next = Math.max(0, Math.min(to, count - 1))
    if (isRange) choose(next, true)
    else anchor.current = next
    reveal(scroller.current, next, rowHeight)
    wantsFocus.current = true
    setActive(next)
    if (next === active) focusRow(scroller.current, next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || count === 0 || isInHead(event.target)) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const target = targetOf(event.key, { active, page, last: count - 1 })
    const isOnRow = event.target instanceof HTMLElement && 'focus' in event.target.dataset
    if (target !== undefined) move(target, event.shiftKey && selection !== undefined)
    else if (event.key === 'Enter' && isOnRow && onOpen) onOpen(active)
    else if (event.key === 'Escape' && selection && selection.size > 0) selection.clear()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.set(indexesBetween(0, count - 1).map(keyAt), true)
    else return
    event.preventDefault()
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const element = event.target as Element
    const index = Number(element.closest<HTMLElement>('[data-index]')?.dataset.index)
    if (!Number.isInteger(index)) return
    if (index !== active) {
      // The active row has elements of its own, so those that were clicked are gone.
      wantsFocus.current = element.contains(document.activeElement)
      setActive(index)
    }
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
    if (element instanceof HTMLInputElement && element.type === 'checkbox') {
      choose(index, event.shiftKey)
    } else if (element.closest('[data-open]') && isPlain && onOpen) {
      // The router opens it; with Ctrl the browser does, in another tab.
      event.preventDefault()
      onOpen(index)
    } else if (!element.closest('a, button, label') && onOpen && !hasTextChosen()) onOpen(index)
  }
  return { active, onKeyDown, onClick }
}

function isInHead(target: EventTarget): boolean {
  return target instanceof Element && target.closest('thead') !== null
}

/** Somebody who marks text in a row does not want to open it. */
function hasTextChosen(): boolean {
  return (getSelection()?.toString() ?? '') !== ''
}

function focusRow(scroller: HTMLElement | null, index: number): void {
  const row = scroller?.querySelector(`tbody:not([aria-busy]) [data-index="${index}"]`)
  const target = row?.matches('[data-focus]') ? row : row?.querySelector('[data-focus]')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** Scrolls as little as needed; the head covers the top of what is in sight. */
function reveal(scroller: HTMLElement | null, index: number, rowHeight: number): void {
  if (!scroller) return
  const head = scroller.querySelector('thead')?.clientHeight ?? 0
  const top = index * rowHeight
  const bottom = top + rowHeight + head - scroller.clientHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (bottom > scroller.scrollTop) scroller.scrollTop = bottom
}

function indexesBetween(one: number, other: number): number[] {
  const first = Math.min(one, other)
  return Array.from({ length: Math.abs(one - other) + 1 }, (_, offset) => first + offset)
}

/** The row that a key leads to; undefined for other keys. */
function targetOf(key: string, { active, page, last }: Record<'active' | 'page' | 'last', number>) {
  const targets: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: last,
  }
  return targets[key]
}
