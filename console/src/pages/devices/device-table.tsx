import { Alert, Button, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import type { TableSort } from '../../ui/virtual-table/columns.ts'
import { useRecords } from '../../ui/virtual-table/use-records.ts'
import { useRowWindow } from '../../ui/virtual-table/use-row-window.ts'
import { useSelection } from '../../ui/virtual-table/use-selection.ts'
import { cardHeight, rowHeight, VirtualTable } from '../../ui/virtual-table/virtual-table.tsx'
import { deviceCard } from './device-card.tsx'
import type { DeviceColumn } from './device-columns.tsx'
import type { DeviceSearch, DeviceSort } from './device-search.ts'
import { SortMenu } from './sort-menu.tsx'
import {
  type DeviceQuery,
  type FleetDevice,
  loadDevices,
  type useDeviceOrder,
} from './use-device-list.ts'

interface DeviceTableProps {
  list: ReturnType<typeof useDeviceOrder>
  query: DeviceQuery
  columns: readonly DeviceColumn[]
  onSort: (changes: DeviceSearch) => void
}

export function DeviceTable({ list, query, columns, onSort }: DeviceTableProps) {
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)
  const { ids } = list.order
  const range = useRowWindow(scroller, ids.length, isNarrow ? cardHeight : rowHeight)
  const records = useRecords<number, FleetDevice>({ keys: ids, load: loadDevices }, range)
  const selection = useSelection()
  const view = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view begins at its top
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
    selection.clear()
  }, [view])
  const sort = ({ sort, order }: TableSort) => onSort({ sort: sort as DeviceSort, order })
  return (
    <>
      {isNarrow && <SortMenu query={query} onSort={sort} />}
      {list.isOutdated && <Outdated added={list.added} onRenew={() => void list.renew()} />}
      {records.error !== undefined && (
        <ErrorNotice error={records.error} retry={() => records.renew()} />
      )}
      <VirtualTable
        caption="Devices"
        columns={columns}
        card={isNarrow ? deviceCard : undefined}
        keys={ids}
        rowAt={records.at}
        isGoneAt={records.isGone}
        labelOf={(device) => device.device_name}
        scroller={scroller}
        range={range}
        sort={query}
        onSort={sort}
        selection={selection}
        onOpen={({ device_id: eui }) => void navigate({ to: '/devices/$eui', params: { eui } })}
      />
    </>
  )
}

/** What changed is not put in order under the reader's hands. */
function Outdated({ added, onRenew }: { added: number; onRenew: () => void }) {
  const text =
    added > 0
      ? `${countOf(added, 'more device matches', 'more devices match')}.`
      : added < 0
        ? `${countOf(-added, 'device fewer matches', 'devices fewer match')}.`
        : 'The order has changed.'
  return (
    <Alert variant="light" p="xs" role="status">
      <Group justify="space-between" gap="xs">
        <span>{text}</span>
        <Button size="compact-sm" variant="default" onClick={onRenew}>
          Refresh
        </Button>
      </Group>
    </Alert>
  )
}
