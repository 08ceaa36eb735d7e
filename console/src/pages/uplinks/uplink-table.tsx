import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useMemo } from 'react'
import type { LiveUplink } from '../../live/events.ts'
import { useRowWindow } from '../../ui/virtual-table/use-row-window.ts'
import { cardHeight, rowHeight, VirtualTable } from '../../ui/virtual-table/virtual-table.tsx'
import { uplinkCard, uplinkColumns } from './uplink-columns.tsx'

interface UplinkTableProps {
  caption: string
  uplinks: readonly LiveUplink[]
  scroller: RefObject<HTMLDivElement | null>
  onOpen: (ordinal: number) => void
}

export function UplinkTable({ caption, uplinks, scroller, onOpen }: UplinkTableProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const range = useRowWindow(scroller, uplinks.length, isNarrow ? cardHeight : rowHeight)
  const keys = useMemo(() => uplinks.map(({ ordinal }) => ordinal), [uplinks])
  return (
    <VirtualTable
      caption={caption}
      columns={uplinkColumns}
      card={isNarrow ? uplinkCard : undefined}
      keys={keys}
      rowAt={(index) => uplinks[index]}
      labelOf={({ device_name }) => device_name}
      scroller={scroller}
      range={range}
      onOpen={({ ordinal }) => onOpen(ordinal)}
    />
  )
}
