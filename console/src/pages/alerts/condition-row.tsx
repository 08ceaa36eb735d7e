import { Autocomplete, Fieldset, Group, Select, TextInput } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { DeviceIdSelect, GroupSelect } from '../../sources/source-selects.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import {
  comparisons,
  looksBack,
  looksElsewhere,
  quantities,
  type TypedCondition,
} from './condition-values.ts'
import { commonKeys } from './rule-words.ts'

interface ConditionRowProps {
  row: TypedCondition
  number: number
  errorOf: (field: string) => string | undefined
  onChange: (change: Partial<TypedCondition>) => void
}

/** One condition: what is measured, how it compares, and with what. */
export function ConditionRow({ row, number, errorOf, onChange }: ConditionRowProps) {
  return (
    <Fieldset legend={t('Condition {number}', { number })}>
      <Autocomplete
        label={t('Measurement')}
        description={t(
          'Such as temperature or state; air.temperature and action.contactState (open, closed) are those of any sensor.',
        )}
        required
        data={[...Object.keys(commonKeys), 'state', ...quantities]}
        value={row.what}
        error={errorOf('measurement') ?? errorOf('quantity')}
        onChange={(what) => onChange({ what })}
      />
      <Group grow align="start">
        <Select
          aria-label={t('Comparison')}
          allowDeselect={false}
          data={comparisons}
          value={row.is}
          error={errorOf('is')}
          onChange={(value) => onChange({ is: value as TypedCondition['is'] })}
        />
        <TextInput
          aria-label={t('Value')}
          required
          value={row.value}
          error={errorOf('value')}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      </Group>
      {looksElsewhere(row.is) && <ComparedWith {...{ row, errorOf, onChange }} />}
      {(looksBack(row.is) || looksElsewhere(row.is)) && (
        <DurationInput
          label={looksBack(row.is) ? t('Within') : t('The other value no older than')}
          min={1}
          value={row.within}
          error={errorOf('within_minutes')}
          onChange={(within) => onChange({ within })}
        />
      )}
    </Fieldset>
  )
}

function ComparedWith({ row, errorOf, onChange }: Omit<ConditionRowProps, 'number'>) {
  const error = errorOf('than') ?? errorOf(`than.${row.than}`)
  return (
    <Group grow align="start">
      <Select
        label={t('Compared with')}
        allowDeselect={false}
        data={[
          { value: 'device', label: t('A device') },
          { value: 'group', label: t('The average of a group') },
        ]}
        value={row.than}
        onChange={(than) => onChange({ than: than as TypedCondition['than'], thanId: undefined })}
      />
      {row.than === 'device' ? (
        <DeviceIdSelect
          label={t('Device')}
          value={row.thanId}
          error={error}
          onChange={(thanId) => onChange({ thanId })}
        />
      ) : (
        <GroupSelect
          label={t('Group')}
          value={row.thanId}
          error={error}
          onChange={(thanId) => onChange({ thanId })}
        />
      )}
    </Group>
  )
}
