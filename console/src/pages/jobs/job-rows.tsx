import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { isOpen, type Job, type JobRow } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { tellFailure } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State, type StateKind } from '../../ui/state.tsx'
import classes from './job-rows.module.css'
import { RepairDialog } from './repair-dialog.tsx'
import { euiOf, nameOf, numberOf } from './row-fields.ts'

const route = getRouteApi('/shell/jobs/$id')
const perPage = 100
const lookInterval = 2000
/** As many rows as one request can repair. */
const mostRetried = 1000

const states: Record<JobRow['status'], { kind: StateKind; word: string }> = {
  waiting: { kind: 'waiting', word: t('Waiting') },
  done: { kind: 'good', word: t('Done') },
  failed: { kind: 'bad', word: t('Failed') },
  cancelled: { kind: 'off', word: t('Cancelled') },
}

/** A dry run has done nothing. */
function stateOf({ dry_run }: Job, status: JobRow['status']) {
  const wouldBe = { done: t('Would be done'), failed: t('Would fail') }
  const word = dry_run && (status === 'done' || status === 'failed') ? wouldBe[status] : undefined
  return { ...states[status], ...(word && { word }) }
}

/** The result of each row. Failed rows can be fixed in place. */
export function JobRows({ job }: { job: Job }) {
  const { status, after } = route.useSearch()
  const [failed, setFailed] = useState<JobRow>()
  const parts = {
    path: { job_id: String(job.id) },
    query: { limit: perPage, ...(status && { status }), ...(after && { after }) },
  }
  const rows = useApi('GET /jobs/{job_id}/rows', parts, { keepsPrevious: true })
  const looks = { enabled: isOpen(job), refetchInterval: lookInterval }
  useApi('GET /jobs/{job_id}/rows', parts, looks)
  return (
    <Stack gap="xs" component="section" aria-label={t('Rows')}>
      <Group justify="space-between" gap="xs">
        <StatusChoice job={job} />
        {job.failed > 0 && <RetryButton job={job} />}
      </Group>
      <List
        caption={t('Rows of the job')}
        answer={rows}
        columns={columnsFor(job, setFailed)}
        keyOf={({ number }) => number}
        empty={
          <Text c="dimmed" size="sm">
            {t('There are no such rows.')}
          </Text>
        }
      />
      {failed && <RepairDialog job={job} row={failed} onClose={() => setFailed(undefined)} />}
    </Stack>
  )
}

function columnsFor(job: Job, repair: (row: JobRow) => void): readonly Column<JobRow>[] {
  return [
    { title: t('No.'), isNumber: true, cell: (row) => formatCount(numberOf(row)) },
    { title: t('Device'), cell: (row) => <DeviceCell row={row} /> },
    { title: t('Result'), cell: (row) => <ResultCell job={job} row={row} repair={repair} /> },
  ]
}

/** The result of the row, its reason, and what to do about it. */
function ResultCell({
  job,
  row,
  repair,
}: {
  job: Job
  row: JobRow
  repair: (row: JobRow) => void
}) {
  const { kind, word } = stateOf(job, row.status)
  const isPlanned = job.dry_run && row.status === 'done'
  return (
    <Stack gap={2} align="flex-start" className={classes.result}>
      <State kind={kind}>{word}</State>
      {row.message && !isPlanned && <Text size="sm">{row.message}</Text>}
      {repairButton(row, repair)}
    </Stack>
  )
}

function DeviceCell({ row }: { row: JobRow }) {
  const eui = euiOf(row.input)
  return (
    <Stack gap={0} className={classes.device}>
      {row.device_id === null || eui === '' ? (
        <Text size="sm" ff="monospace">
          {eui || '–'}
        </Text>
      ) : (
        <Link to="/devices/$eui" params={{ eui }} ff="monospace">
          {eui}
        </Link>
      )}
      <Text size="xs" c="dimmed" lineClamp={1}>
        {nameOf(row.input)}
      </Text>
    </Stack>
  )
}

function repairButton(row: JobRow, repair: (row: JobRow) => void) {
  if (row.status !== 'failed') return null
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      needs="manage_devices"
      aria-label={t('Repair row {row}', { row: numberOf(row) })}
      onClick={() => repair(row)}
    >
      {t('Repair')}
    </ActionButton>
  )
}

function StatusChoice({ job }: { job: Job }) {
  const { status } = route.useSearch()
  const navigate = useNavigate({ from: '/jobs/$id' })
  const rest = job.total - job.done - job.failed
  const isCancelled = job.state === 'cancelled'
  const choices = [
    { value: '', label: t('All {total}', { total: formatCount(job.total) }) },
    { value: 'done', label: `${stateOf(job, 'done').word} ${formatCount(job.done)}` },
    { value: 'failed', label: `${stateOf(job, 'failed').word} ${formatCount(job.failed)}` },
    isCancelled
      ? { value: 'cancelled', label: t('Cancelled {rest}', { rest: formatCount(rest) }) }
      : { value: 'waiting', label: t('Waiting {rest}', { rest: formatCount(rest) }) },
  ]
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Which rows')}
      data={choices}
      value={status ?? ''}
      onChange={(value) => {
        const next = (value || undefined) as JobRow['status'] | undefined
        void navigate({ search: { status: next, after: undefined }, replace: true })
      }}
    />
  )
}

function RetryButton({ job }: { job: Job }) {
  const [isReading, setReading] = useState(false)
  const repair = useAction('PATCH /jobs/{job_id}/rows', {
    invalidates: ['GET /jobs/{job_id}', 'GET /jobs/{job_id}/rows', 'GET /jobs'],
    onError: (error) => tellFailure(t('The rows were not sent again'), error),
  })
  const failed = useApi(
    'GET /jobs/{job_id}/rows',
    { path: { job_id: String(job.id) }, query: { status: 'failed', limit: mostRetried } },
    { enabled: false },
  )
  const retry = async () => {
    setReading(true)
    const { data } = await failed.refetch()
    setReading(false)
    const rows = data?.data.map(({ number }) => ({ number })) ?? []
    if (rows.length > 0) repair.mutate({ path: { job_id: String(job.id) }, body: { rows } })
  }
  const isOver = job.state === 'done' || job.state === 'cancelled'
  return (
    <ActionButton
      size="xs"
      variant="default"
      needs="manage_devices"
      loading={isReading || repair.isPending}
      blockedBy={isOver ? undefined : t('The job is still under way.')}
      onClick={() => void retry()}
    >
      {t('Try {failed, plural, one {# failed row} other {# failed rows}} again', {
        failed: Math.min(job.failed, mostRetried),
      })}
    </ActionButton>
  )
}
