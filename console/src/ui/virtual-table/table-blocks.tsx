import { useRef } from 'react'
import { TableRow } from './table-row.tsx'
import { blockSize } from './use-row-window.ts'
import classes from './virtual-table.module.css'
import type { VirtualTableProps } from './virtual-table.tsx'

/**
 * The elements of rows that leave the window are those of rows that enter it: a change of texts
 * costs less than new elements. They stand in blocks, since Chromium takes long for elements whose
 * own style changes often. The block of the active row has its own elements, and exists even out of
 * sight, or the row would lose the focus.
 */
export function TableBlocks<T>(props: VirtualTableProps<T> & { active: number; height: number }) {
  const { keys, range, active, height } = props
  const last = Math.ceil(Math.min(range.last, keys.length) / blockSize)
  const first = Math.min(range.first / blockSize, last)
  const keyOf = useElements(first, last - first)
  const blocks = Array.from({ length: last - first }, (_, offset) => first + offset)
  const own = Math.floor(active / blockSize)
  if (active < keys.length && !blocks.includes(own)) blocks.push(own)
  return blocks.map((block) => (
    <tbody
      key={block === own ? `active ${block}` : keyOf(block)}
      // biome-ignore lint/a11y/noRedundantRoles: the layout by CSS takes the native roles away
      role="rowgroup"
      className={classes.block}
      style={{ transform: `translateY(${block * blockSize * height}px)` }}
    >
      <BlockRows {...props} begin={block * blockSize} />
    </tbody>
  ))
}

function BlockRows<T>(props: VirtualTableProps<T> & { begin: number; active: number }) {
  const { keys, begin, active, rowAt, selection } = props
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
}

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
