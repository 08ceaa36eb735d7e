import { Button, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../languages/text.ts'
import { DateTimeField } from '../ui/date-time-field.tsx'
import { useFormats } from '../ui/formats.ts'
import { useTimeZone } from '../ui/time-zone.ts'
import type { TimeRange } from './chart-data.ts'
import { daysUntilNow } from './days-until-now.ts'
import {
  type RangeName,
  type RangeSearch,
  type ReadRange,
  rangeNames,
  searchOfRange,
} from './range.ts'

const labels: Record<RangeName, [short: string, long: string]> = {
  hour: ['1 h', t('Last hour')],
  day: ['24 h', t('Last 24 hours')],
  week: ['7 d', t('Last 7 days')],
  month: ['30 d', t('Last 30 days')],
  year: ['1 y', t('Last year')],
  all: [t('All'), t('Everything')],
  custom: ['From–to', t('A range of your own')],
}

interface RangePickerProps {
  range: ReadRange
  onChange: (search: RangeSearch) => void
}

/** Chooses the range of all charts of a page. */
export function RangePicker({ range, onChange }: RangePickerProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (name: string) => {
    if (name === 'custom') setOpen(true)
    else onChange({ range: name as RangeName, from: undefined, to: undefined })
  }
  const data = rangeNames.map((name) => ({
    value: name,
    label: <span title={labels[name][1]}>{labels[name][0]}</span>,
  }))
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus withArrow>
      <Popover.Target>
        <SegmentedControl
          size="xs"
          aria-label={t('Time range')}
          data={data}
          value={range.name}
          onChange={choose}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <CustomRange
          range={range}
          onChoose={(chosen) => {
            setOpen(false)
            onChange(searchOfRange(chosen))
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function CustomRange({ range, onChoose }: { range: TimeRange; onChoose: (to: TimeRange) => void }) {
  const timeZone = useTimeZone()
  const formats = useFormats()
  const [from, setFrom] = useState<string | undefined>(isoOf(range.from))
  const [to, setTo] = useState<string | undefined>(isoOf(range.to))
  const read = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') }
  const isOrdered = read.from < read.to
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isOrdered) onChoose(read)
      }}
    >
      <Stack gap="xs">
        <Group gap={4} maw="16rem">
          {daysUntilNow(timeZone, formats.week_start).map(({ label, from, to }) => (
            <Button
              key={label}
              size="compact-xs"
              variant="default"
              onClick={() => onChoose({ from, to })}
            >
              {label}
            </Button>
          ))}
        </Group>
        <DateTimeField label={t('From')} value={from} onChange={setFrom} />
        <DateTimeField
          label={t('To')}
          value={to}
          onChange={setTo}
          error={isOrdered ? undefined : t('The end must be after the beginning.')}
        />
        <Text size="xs" c="dimmed">
          {t('Times are in {timeZone}.', { timeZone })}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" size="xs">
            {t('Show')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Nobody needs the seconds of a range of charts. */
function isoOf(time: number): string {
  return new Date(Math.round(time / 60_000) * 60_000).toISOString()
}
