import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { RowSource } from './list-table.tsx'
import type { RowKey, Selection } from './use-selection.ts'

interface RowFocusOptions<T> {
  /** Whether rows are chosen or opened. */
  isOn: boolean
  active: number
  setActive: (index: number) => void
  scroller: RefObject<HTMLElement | null>
  source: RowSource<T>
  selection: Selection | undefined
  onOpen: ((row: T) => void) | undefined
  /** Scrolls a row into sight. */
  reveal: (index: number) => void
}

/**
 * One row at a time is in the tab order. The arrows move it, Space and clicks choose rows, with
 * Shift a range of them, and Enter opens.
 */
export function useRowFocus<T>(options: RowFocusOptions<T>) {
  const { isOn, active, setActive, scroller, source, selection, reveal } = options
  const { keys } = source
  const count = keys.length
  const wantsFocus = useRef(false)
  const anchor = useRef(0)
  const keyAt = (index: number) => keys[index] as RowKey
  const canOpen = options.onOpen !== undefined
  const onOpen = (index: number) => {
    const row = source.at(index)
    if (row !== undefined) options.onOpen?.(row)
  }

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    focusRow(scroller.current, active)
  }, [active, scroller])

  const choose = (index: number, isRange: boolean) => {
    if (!selection) return
    const isChosen = isRange ? true : !selection.has(keyAt(index))
    const from = isRange ? anchor.current : index
    selection.set(indexesBetween(from, index).map(keyAt), isChosen)
    if (!isRange) anchor.current = index
  }

  const move = (to: number, isRange: boolean) => {
    const next = Math.max(0, Math.min(to, count - 1))
    if (isRange) choose(next, true)
    else anchor.current = next
    reveal(next)
    wantsFocus.current = true
    setActive(next)
    if (next === active) focusRow(scroller.current, next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!isOn || event.altKey || !isInRow(event.target)) return
    const page = Math.max(1, rowsInSight(scroller.current) - 2)
    const target = targetOf(event.key, { active, page, last: count - 1 })
    const isOnRow = event.target instanceof HTMLElement && 'focus' in event.target.dataset
    if (target !== undefined) move(target, event.shiftKey && selection !== undefined)
    else if (event.key === 'Enter' && isOnRow && canOpen) onOpen(active)
    else if (event.key === 'Escape' && selection && selection.size > 0) selection.clear()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.set(keys, true)
    else return
    event.preventDefault()
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const element = event.target as Element
    if (!isOn) return
    const index = Number(element.closest<HTMLElement>('[data-index]')?.dataset.index)
    if (!Number.isInteger(index)) return
    setActive(index)
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
    if (element instanceof HTMLInputElement && element.type === 'checkbox') {
      choose(index, event.shiftKey)
    } else if (element.closest('[data-open]') && isPlain && canOpen) {
      // The router opens it; with Ctrl the browser does, in another tab.
      event.preventDefault()
      onOpen(index)
    } else if (!element.closest('a, button, label') && canOpen && !hasTextChosen()) onOpen(index)
  }
  return { isOn, active, onKeyDown, onClick }
}

function isInRow(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-index]') !== null
}

/** Somebody who marks text in a row does not want to open it. */
function hasTextChosen(): boolean {
  return (getSelection()?.toString() ?? '') !== ''
}

function focusRow(scroller: HTMLElement | null, index: number): void {
  const row = scroller?.querySelector(`[data-index="${index}"]`)
  const target = row?.matches('[data-focus]') ? row : row?.querySelector('[data-focus]')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

function rowsInSight(scroller: HTMLElement | null): number {
  const height = scroller?.querySelector('tbody tr')?.clientHeight || 1
  return Math.floor((scroller?.clientHeight ?? 0) / height)
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
