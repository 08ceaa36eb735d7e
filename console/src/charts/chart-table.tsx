import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../languages/text.ts'
import { type Column, List } from '../ui/list/list.tsx'
import { useTimeZone } from '../ui/time-zone.ts'
import { type ChartData, writeValue } from './chart-data.ts'
import { pointTime } from './chart-times.ts'

interface ChartTableProps {
  title: string
  data: ChartData
  unit: string | null
  decimals: number | null
  /** The length of a part, in milliseconds. */
  width: number
}

const rowsPerPage = 25

/** The values of a chart, the newest first. */
export function ChartTable({ title, data, unit, decimals, width }: ChartTableProps) {
  const write = (value: number | null | undefined) =>
    typeof value === 'number' ? writeValue(value, unit, decimals) : '–'
  const [page, setPage] = useState(0)
  const timeZone = useTimeZone()
  const places = [...data.times.keys()]
    .filter((index) => data.series.some(({ values }) => typeof values[index] === 'number'))
    .reverse()
  const pages = Math.max(1, Math.ceil(places.length / rowsPerPage))
  const current = Math.min(page, pages - 1)
  const rows = places.slice(current * rowsPerPage, (current + 1) * rowsPerPage)
  const columns: Column<number>[] = [
    { title: t('Time'), cell: (index) => pointTime(data.times[index] ?? 0, timeZone, width) },
    ...data.series.flatMap(({ name, values, low, high }) => [
      { title: name, isNumber: true, cell: (index: number) => write(values[index]) },
      ...(low && high
        ? [
            {
              title: t('{name}, lowest', { name }),
              isNumber: true,
              cell: (index: number) => write(low[index]),
            },
            {
              title: t('{name}, highest', { name }),
              isNumber: true,
              cell: (index: number) => write(high[index]),
            },
          ]
        : []),
    ]),
  ]
  return (
    <>
      <List
        caption={t('Values of {title}', { title })}
        columns={columns}
        rows={rows}
        keyOf={(row) => row}
      />
      {pages > 1 && (
        <Group gap="xs" justify="flex-end">
          <Text size="xs" role="status">
            {t('Page {current} of {pages}', { current: current + 1, pages })}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={current === 0}
            onClick={() => setPage(current - 1)}
          >
            {t('Newer')}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={current >= pages - 1}
            onClick={() => setPage(current + 1)}
          >
            {t('Older')}
          </Button>
        </Group>
      )}
    </>
  )
}
