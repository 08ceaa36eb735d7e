import { Button, Group } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import type { UplinkRange, UplinkSearch } from './uplink-search.ts'

const hour = 3_600_000

const ranges = [
  { label: t('Last hour'), hours: 1 },
  { label: t('24 hours'), hours: 24 },
  { label: t('7 days'), hours: 168 },
] as const

interface RangeFieldsProps {
  range: UplinkRange
  onChange: (changes: UplinkSearch) => void
}

/** The time of the history: common ranges, or any from and to, in the zone of the user. */
export function RangeFields({ range, onChange }: RangeFieldsProps) {
  const field = (name: 'since' | 'until', label: string) => (
    <DateTimeField
      size="xs"
      label={label}
      value={range[name]}
      onChange={(value) => onChange({ view: 'history', [name]: value })}
    />
  )
  return (
    <Group gap="xs" align="flex-end">
      {field('since', t('From'))}
      {field('until', t('To'))}
      {ranges.map(({ label, hours }) => (
        <Button
          key={label}
          size="xs"
          variant="default"
          onClick={() =>
            onChange({
              view: 'history',
              since: new Date(Date.now() - hours * hour).toISOString(),
              until: undefined,
            })
          }
        >
          {label}
        </Button>
      ))}
      {(range.since || range.until) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => onChange({ view: 'history', since: undefined, until: undefined })}
        >
          {t('All time')}
        </Button>
      )}
    </Group>
  )
}
