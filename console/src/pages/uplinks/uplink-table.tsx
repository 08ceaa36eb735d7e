import type { RefObject } from 'react'
import type { LiveUplink } from '../../live/events.ts'
import { List } from '../../ui/list/list.tsx'
import type { UplinkColumn } from './uplink-columns.tsx'

interface UplinkTableProps {
  caption: string
  columns: readonly UplinkColumn[]
  uplinks: readonly LiveUplink[]
  scroller: RefObject<HTMLDivElement | null>
  onOpen: (ordinal: number) => void
}

export function UplinkTable({ caption, columns, uplinks, scroller, onOpen }: UplinkTableProps) {
  return (
    <List
      isLong
      caption={caption}
      columns={columns}
      rows={uplinks}
      keyOf={({ ordinal }) => ordinal}
      labelOf={({ device_name }) => device_name}
      scroller={scroller}
      onOpen={({ ordinal }) => onOpen(ordinal)}
    />
  )
}
