import { Alert, Button, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../languages/text.ts'
import { ListTable } from '../../ui/list/list-table.tsx'
import { useRecords } from '../../ui/list/use-records.ts'
import { type Selection, useSelection } from '../../ui/list/use-selection.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import type { Chosen } from './bulk/start-job.ts'
import type { DeviceColumn } from './device-columns.tsx'
import { filtersOf } from './device-search.ts'
import {
  type DeviceQuery,
  type FleetDevice,
  loadDevices,
  type useDeviceOrder,
} from './use-device-list.ts'
import { useLiveRows } from './use-live-rows.ts'

const BulkBar = lazy(async () => ({ default: (await import('./bulk/bulk-bar.tsx')).BulkBar }))
const JobLine = lazy(async () => ({ default: (await import('./bulk/job-line.tsx')).JobLine }))

interface DeviceTableProps {
  list: ReturnType<typeof useDeviceOrder>
  query: DeviceQuery
  columns: readonly DeviceColumn[]
  /** Whether all rows are read, to print them. */
  isPrinting: boolean
  onPrint: (isPrinting: boolean) => void
}

export function DeviceTable(props: DeviceTableProps) {
  const { list, query, columns, isPrinting, onPrint } = props
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)
  const { ids } = list.order
  const [range, setRange] = useState({ first: 0, last: 1 })
  const show = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const wanted = isPrinting ? { first: 0, last: ids.length } : range
  const records = useRecords<number, FleetDevice>({ keys: ids, load: loadDevices }, wanted)
  const isWhole = isPrinting && ids.every((_, index) => records.at(index) ?? records.isGone(index))
  useEffect(() => {
    if (!isWhole) return
    print()
    onPrint(false)
  }, [isWhole, onPrint])
  const selection = useSelection()
  useLiveRows(records)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view begins at its top
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
    selection.clear()
  }, [query])
  const [jobId, setJob] = useState<number>()
  const chosen = useChosen(selection, ids, query)
  const { renew } = list
  const renewRows = records.renew
  const finish = useCallback(() => {
    void renew()
    renewRows()
  }, [renew, renewRows])
  return (
    <>
      {list.isOutdated && <Outdated added={list.added} onRenew={() => void list.renew()} />}
      {jobId !== undefined && (
        <Suspense>
          <JobLine key={jobId} id={jobId} onEnd={finish} onClose={() => setJob(undefined)} />
        </Suspense>
      )}
      {records.error !== undefined && (
        <ErrorNotice error={records.error} retry={() => records.renew()} />
      )}
      <ListTable
        isLong
        caption={t('Devices')}
        columns={columns}
        source={{ keys: ids, at: records.at, isGone: records.isGone }}
        labelOf={(device) => device.device_name}
        scroller={scroller}
        onRange={show}
        sorted="name"
        selection={selection}
        below={selection.size > 0 ? barHeight(isNarrow) : 0}
        onOpen={({ device_id: eui }) => void navigate({ to: '/devices/$eui', params: { eui } })}
      />
      {selection.size > 0 && (
        <Suspense>
          <BulkBar
            chosen={chosen}
            total={ids.length}
            onAll={() => selection.set(ids, true)}
            onClear={selection.clear}
            onStarted={(id) => {
              setJob(id)
              selection.clear()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The bar of bulk work, with the gap above it: it must not hide the row that has the focus. */
function barHeight(isNarrow: boolean): number {
  return isNarrow ? 120 : 72
}

/** The chosen devices in the order of the list. */
function useChosen(selection: Selection, ids: readonly number[], query: DeviceQuery): Chosen {
  return useMemo(() => {
    const isAll = selection.size === ids.length
    const chosen = isAll ? ids : ids.filter((id) => selection.has(id))
    return { ids: chosen, all: isAll ? filtersOf(query) : undefined }
  }, [selection, ids, query])
}

/** What changed is not put in order under the reader's hands. */
function Outdated({ added, onRenew }: { added: number; onRenew: () => void }) {
  const text =
    added > 0
      ? `${t('{added, plural, one {# more device matches} other {# more devices match}}', { added })}.`
      : added < 0
        ? `${t('{added, plural, one {# device fewer matches} other {# devices fewer match}}', { added: -added })}.`
        : t('The order has changed.')
  return (
    <Alert variant="light" p="xs" role="status">
      <Group justify="space-between" gap="xs">
        <span>{text}</span>
        <Button size="compact-sm" variant="default" onClick={onRenew}>
          {t('Refresh')}
        </Button>
      </Group>
    </Alert>
  )
}
