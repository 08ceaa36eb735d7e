import { memo, useRef } from 'react'
import { TableRow } from './table-row.tsx'
import { useReveal } from './use-reveal.ts'
import { blockSize } from './use-row-window.ts'
import classes from './virtual-table.module.css'
import type { VirtualTableProps } from './virtual-table.tsx'

type TableBlocksProps<T> = VirtualTableProps<T> & { active: number; height: number }

/**
 * The elements of rows that leave the window are those of rows that enter it: a change of texts
 * costs less than new elements. They stand in blocks, since Chromium takes long for elements whose
 * own style changes often. The block of the active row has its own elements, and exists even out of
 * sight, or the row would lose the focus.
 */
export function TableBlocks<T>(props: TableBlocksProps<T>) {
  const { keys, range, active, height } = props
  const last = Math.ceil(Math.min(range.last, keys.length) / blockSize)
  const first = Math.min(range.first / blockSize, last)
  const keyOf = useElements(first, last - first)
  const blocks = Array.from({ length: last - first }, (_, offset) => first + offset)
  const own = Math.floor(active / blockSize)
  const placed = blocks
    .filter((block) => block !== own)
    .map((block) => ({ key: keyOf(block), block, isKnown: isKnown(props, block) }))
  const isShown = useReveal(placed)
  const renderBlock = (key: string | number, block: number, isWaiting: boolean) => (
    <tbody
      key={key}
      // biome-ignore lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
      role="rowgroup"
      aria-busy={isWaiting || undefined}
      className={classes.block}
      style={{
        transform: `translateY(${block * blockSize * height}px)`,
        // On paper, where blocks follow each other.
        order: block + 1,
        height: sizeOf(keys, block) * height,
      }}
    >
      <BlockRows {...props} begin={block * blockSize} isWaiting={isWaiting} />
    </tbody>
  )
  return [
    ...placed.map((place) => renderBlock(place.key, place.block, !isShown(place))),
    ...(active < keys.length ? [renderBlock(`active ${own}`, own, false)] : []),
  ]
}

function sizeOf(keys: readonly unknown[], block: number): number {
  return Math.min(blockSize, keys.length - block * blockSize)
}

function isKnown<T>({ keys, rowAt, isGoneAt }: VirtualTableProps<T>, block: number): boolean {
  const begin = block * blockSize
  for (let index = begin; index < begin + sizeOf(keys, block); index += 1) {
    if (rowAt(index) === undefined && !isGoneAt?.(index)) return false
  }
  return true
}

/**
 * While the rows of a block are read, it keeps those that it had, unseen: a jump then changes a few
 * blocks, and not hundreds of cells.
 */
const BlockRows = memo(
  function BlockRows<T>(props: TableBlocksProps<T> & { begin: number; isWaiting: boolean }) {
    const { keys, begin, active, rowAt, selection } = props
    if (props.isWaiting) return null
    return keys.slice(begin, begin + blockSize).map((key, offset) => {
      const index = begin + offset
      const row = rowAt(index)
      return (
        <TableRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements stay where they are
          key={offset}
          index={index}
          row={row}
          isGone={props.isGoneAt?.(index) ?? false}
          columns={props.columns}
          card={props.card}
          label={row === undefined ? `row ${index + 1}` : props.labelOf(row)}
          isChosen={selection?.has(key)}
          isActive={index === active}
        />
      )
    })
  },
  (_, next) => next.isWaiting,
) as <T>(props: TableBlocksProps<T> & { begin: number; isWaiting: boolean }) => React.ReactNode

/**
 * Which elements a block has: those of the block that left for it. After a jump all blocks are other
 * ones, and the elements keep their order: to move them costs as much as to make them.
 */
function useElements(first: number, count: number): (block: number) => number {
  const last = useRef({ first, count, shift: 0 })
  const known = last.current
  const isJump = Math.abs(first - known.first) >= count
  const shift = isJump ? known.shift + known.first - first : known.shift
  last.current = { first, count, shift }
  return (block) => (((block + shift) % count) + count) % count
}
