import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../languages/text.ts'
import { type Column, layoutOf } from './columns.ts'
import classes from './list.module.css'
import { ListHead } from './list-head.tsx'
import { ListRow } from './list-row.tsx'
import { useCopy } from './use-copy.ts'
import { useFillHeight } from './use-fill-height.ts'
import { useRowFocus } from './use-row-focus.ts'
import type { RowKey, Selection } from './use-selection.ts'

/** Pixels of a row until it is measured, with one line or two, and of the head. */
const rowHeight = { one: 36, two: 64 }
const headHeight = 35
/** The head, the borders, and room for a bar that scrolls sideways. */
const aroundRows = headHeight + 17
/** Rows of a long list that exist above and below those in sight. */
const overscan = 8

/** Where the rows come from. */
export interface RowSource<T> {
  /** The keys of all rows, in order. */
  keys: readonly RowKey[]
  /** The row, or undefined while it is read. */
  at: (index: number) => T | undefined
  isGone?: (index: number) => boolean
}

export interface TableProps<T> {
  /** Read by screen readers. */
  caption: string
  columns: readonly Column<T>[]
  source: RowSource<T>
  /** It fills the window and scrolls by itself; only the rows in sight exist. */
  isLong?: boolean
  /** The order where the address names none; columns with a `sort` change it there. */
  sorted?: string
  selection?: Selection | undefined
  /** What a row is called, in the name of its box. */
  labelOf?: (row: T) => string
  onOpen?: (row: T) => void
  /** A row in full, below it. */
  detailsOf?: (row: T) => React.ReactNode
  /** The element of a long list that scrolls. */
  scroller?: RefObject<HTMLDivElement | null>
  /** The rows of a long list that exist, for those who read them. */
  onRange?: (first: number, last: number) => void
  /** Pixels that stay free below a long list. */
  below?: number
}

/** The rows of a list. Screen readers hear the number of all rows, and which one they are at. */
export function ListTable<T>(props: TableProps<T>) {
  const { caption, columns, source, isLong = false, selection, onRange } = props
  const { keys } = source
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.scroller ?? own
  const layout = useMemo(() => layoutOf(columns, selection !== undefined), [columns, selection])
  const hasLines = useHasLines(props, scroller, layout.least)
  const [active, setActive] = useState(0)
  const virtual = useRowsInSight(props, scroller, hasLines, active)
  const focus = useRowFocus({
    ...{ scroller, source, selection, setActive },
    isOn: selection !== undefined || props.onOpen !== undefined,
    active: Math.max(0, Math.min(active, keys.length - 1)),
    onOpen: props.onOpen,
    reveal: (index) => isLong && virtual.scrollToIndex(index),
  })
  const { copied, onCopyClick } = useCopy()
  const { startIndex: first = 0, endIndex: last = 0 } = virtual.range ?? {}
  useEffect(() => onRange?.(first, last + 1), [onRange, first, last])
  useFillHeight(scroller, aroundRows + virtual.getTotalSize(), props.below ?? 0, isLong)
  return (
    <div
      ref={scroller}
      className={`${classes.scroller} sideways`}
      data-long={isLong || undefined}
      data-lines={hasLines || undefined}
      style={{ '--columns': layout.template } as CSSProperties}
    >
      <span role="status" className={copied ? classes.copied : 'visually-hidden'}>
        {copied && t('Copied {copied}', { copied })}
      </span>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away */}
      <table
        role="table"
        aria-rowcount={isLong ? keys.length + 1 : undefined}
        className={classes.table}
        onKeyDown={focus.onKeyDown}
        onClick={(event) => {
          focus.onClick(event)
          onCopyClick(event)
        }}
      >
        <caption className="visually-hidden">{caption}</caption>
        <ListHead columns={columns} sorted={props.sorted} keys={keys} selection={selection} />
        <Rows {...props} virtual={virtual} focus={focus} />
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
    </div>
  )
}

type Virtual = ReturnType<typeof useRowsInSight>

interface RowsProps<T> extends TableProps<T> {
  virtual: Virtual
  focus: { isOn: boolean; active: number }
}

function Rows<T>(props: RowsProps<T>) {
  const { columns, source, isLong, selection, virtual, focus } = props
  const { keys } = source
  const isPrinted = useIsPrinted()
  const isWhole = !isLong || isPrinted
  const placed = isWhole
    ? keys.map((_, index) => ({ index, gap: 0 }))
    : withGaps(virtual.getVirtualItems())
  return (
    // biome-ignore lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
    <tbody role="rowgroup" style={isWhole ? undefined : { height: virtual.getTotalSize() }}>
      {placed.map(({ index, gap }) => {
        const row = source.at(index)
        const key = keys[index] as RowKey
        if (isPrinted && row === undefined) return null
        return (
          <ListRow
            key={key}
            measure={isLong ? virtual.measureElement : undefined}
            index={index}
            gap={gap}
            row={row}
            isGone={source.isGone?.(index) ?? false}
            columns={columns}
            label={
              row === undefined
                ? t('row {index}', { index: index + 1 })
                : (props.labelOf?.(row) ?? '')
            }
            isChosen={selection?.has(key)}
            isActive={focus.isOn && index === focus.active}
            isFocusable={focus.isOn}
            details={row && props.detailsOf?.(row)}
          />
        )
      })}
    </tbody>
  )
}

/** The rows of a long list that have to exist. */
function useRowsInSight<T>(
  { source: { keys }, isLong = false }: TableProps<T>,
  scroller: RefObject<HTMLDivElement | null>,
  hasLines: boolean,
  active: number,
) {
  return useVirtualizer<HTMLDivElement, HTMLElement>({
    enabled: isLong,
    count: keys.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keys[index] as RowKey,
    estimateSize: () => (hasLines ? rowHeight.two : rowHeight.one),
    overscan,
    scrollPaddingEnd: headHeight,
    initialRect: { width: 0, height: 800 },
    // The row that has the focus exists, or it would lose it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active, range.count - 1)])].sort(
        (one, other) => one - other,
      ),
  })
}

/** Rows that stand one below the other, with the pixels of those between them that do not exist. */
function withGaps(items: readonly { index: number; start: number; end: number }[]) {
  return items.map(({ index, start }, place) => ({
    index,
    gap: start - (items[place - 1]?.end ?? 0),
  }))
}

/** Whether each row has two lines: on phones, and where the columns of a long list do not fit. */
function useHasLines<T>(
  { columns, isLong }: TableProps<T>,
  scroller: RefObject<HTMLElement | null>,
  least: number,
): boolean {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [isTight, setTight] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (!element || !isLong) return
    const observer = new ResizeObserver(() => setTight(element.clientWidth < least))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, isLong, least])
  return (isPhone || isTight) && columns.some(({ phone }) => phone === 'title')
}

/** Whether the page is on its way to paper, where all rows that are known exist. */
function useIsPrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const media = matchMedia('print')
    // The browser draws the paper right after this.
    const update = () => flushSync(() => setPrinted(media.matches))
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return isPrinted
}
