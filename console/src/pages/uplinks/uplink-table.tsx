import type { RefObject } from 'react'
import type { LiveUplink } from '../../live/events.ts'
import { List } from '../../ui/list/list.tsx'
import { uplinkColumns } from './uplink-columns.tsx'

interface UplinkTableProps {
  caption: string
  uplinks: readonly LiveUplink[]
  scroller: RefObject<HTMLDivElement | null>
  onOpen: (ordinal: number) => void
}

export function UplinkTable({ caption, uplinks, scroller, onOpen }: UplinkTableProps) {
  return (
    <List
      isLong
      caption={caption}
      columns={uplinkColumns}
      rows={uplinks}
      keyOf={({ ordinal }) => ordinal}
      labelOf={({ device_name }) => device_name}
      scroller={scroller}
      onOpen={({ ordinal }) => onOpen(ordinal)}
    />
  )
}
