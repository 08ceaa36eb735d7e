import { Checkbox, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import { dayNames } from './channels/channel-words.ts'
import { ConditionRow } from './condition-row.tsx'
import { blankRow, type ConditionValues, type TypedCondition } from './condition-values.ts'

const mostRows = 5

interface ConditionFieldsProps {
  values: ConditionValues
  onChange: (change: Partial<ConditionValues>) => void
  errorOf: (field: string) => string | undefined
}

/** Up to five conditions on the values of a message, and the hours outside of which they count. */
export function ConditionFields({ values, onChange, errorOf }: ConditionFieldsProps) {
  const { match, rows } = values
  const change = (at: number, row: Partial<TypedCondition>) =>
    onChange({ rows: rows.map((known, place) => (place === at ? { ...known, ...row } : known)) })
  return (
    <>
      {rows.length > 1 && (
        <Select
          label={t('When')}
          allowDeselect={false}
          data={[
            { value: 'all', label: t('All conditions are met') },
            { value: 'any', label: t('One of the conditions is met') },
          ]}
          value={match}
          onChange={(value) => onChange({ match: value as ConditionValues['match'] })}
        />
      )}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no name of its own
        <Stack key={at} gap="xs">
          <ConditionRow
            row={row}
            number={at + 1}
            errorOf={(field) => errorOf(`settings.conditions.${at}.${field}`)}
            onChange={(next) => change(at, next)}
          />
          {rows.length > 1 && (
            <ActionButton
              size="compact-sm"
              variant="default"
              onClick={() => onChange({ rows: rows.filter((_, place) => place !== at) })}
            >
              {t('Remove condition {at}', { at: at + 1 })}
            </ActionButton>
          )}
        </Stack>
      ))}
      {rows.length < mostRows && (
        <Group>
          <ActionButton
            size="compact-sm"
            variant="default"
            onClick={() => onChange({ rows: [...rows, blankRow] })}
          >
            {t('Add a condition')}
          </ActionButton>
        </Group>
      )}
      <Often values={values} onChange={onChange} errorOf={errorOf} />
      <Hours values={values} onChange={onChange} errorOf={errorOf} />
    </>
  )
}

function Hours({ values, onChange, errorOf }: ConditionFieldsProps) {
  return (
    <>
      <Switch
        label={t('Only outside of these hours')}
        checked={values.isScheduled}
        onChange={(event) => onChange({ isScheduled: event.currentTarget.checked })}
      />
      {values.isScheduled && (
        <>
          <Checkbox.Group
            label={t('Days')}
            value={values.days}
            error={errorOf('settings.outside.days')}
            onChange={(days) => onChange({ days })}
          >
            <Group gap="sm" mt="xs">
              {dayNames.map((name, at) => (
                <Checkbox key={name} value={String(at + 1)} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group grow align="start">
            <TextInput
              label={t('From')}
              type="time"
              required
              value={values.from}
              error={errorOf('settings.outside.from')}
              onChange={(event) => onChange({ from: event.currentTarget.value })}
            />
            <TextInput
              label={t('To')}
              type="time"
              required
              value={values.to}
              error={errorOf('settings.outside.to')}
              onChange={(event) => onChange({ to: event.currentTarget.value })}
            />
          </Group>
        </>
      )}
    </>
  )
}

/** How often it has to happen; without, only for how long, which is a setting of the rule. */
function Often({ values, onChange, errorOf }: ConditionFieldsProps) {
  return (
    <>
      <Switch
        label={t('Only when it happens often')}
        checked={values.isOften}
        onChange={(event) => onChange({ isOften: event.currentTarget.checked })}
      />
      {values.isOften && (
        <>
          <NumberInput
            label={t('More often than')}
            suffix={t(' times')}
            min={1}
            required
            value={values.times}
            error={errorOf('settings.times')}
            onChange={(times) => onChange({ times: times === '' ? '' : Number(times) })}
          />
          <DurationInput
            label={t('Within')}
            min={1}
            value={values.timesMinutes}
            error={errorOf('settings.times_minutes')}
            onChange={(timesMinutes) => onChange({ timesMinutes })}
          />
          <Select
            label={t('Count')}
            allowDeselect={false}
            data={[
              { value: 'beginnings', label: t('Each time it begins, as a door that opens') },
              { value: 'messages', label: t('Each message, as of a button that is pressed') },
            ]}
            value={values.counts}
            onChange={(counts) => onChange({ counts: counts as ConditionValues['counts'] })}
          />
        </>
      )}
    </>
  )
}
