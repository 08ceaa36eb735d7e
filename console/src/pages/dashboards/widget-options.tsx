import { Checkbox, Group, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { shownIn, useFormats } from '../../ui/formats.ts'
import {
  type Aggregate,
  aggregateNames,
  lengthOfStep,
  rangeNames,
  rangeWords,
  usualAggregate,
  type WidgetOptions,
  type WidgetSource,
  type WidgetType,
  widgetWords,
} from './dashboard.ts'

import { PictureField } from './picture-field.tsx'

interface OptionFieldsProps {
  type: WidgetType
  options: WidgetOptions
  source: WidgetSource
  onChange: (options: WidgetOptions) => void
}

/** The options that a type of widget has. */
export function OptionFields({ type, options, source, onChange }: OptionFieldsProps) {
  const { options: names } = widgetWords[type]
  const has = (name: keyof WidgetOptions) => names.includes(name)
  const set = (changes: Partial<WidgetOptions>) => onChange({ ...options, ...changes })
  return (
    <>
      {has('text') && (
        <Textarea
          label={t('Text')}
          description={t('Markdown: # heading, **bold**, - list, [link](https://example.com).')}
          required
          autosize
          minRows={6}
          maxRows={16}
          maxLength={10_000}
          value={options.text ?? ''}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      )}
      {has('image') && <PictureField value={options.image} onChange={(image) => set({ image })} />}
      {has('payload') && <MessageFields options={options} set={set} />}
      <Choices has={has} type={type} options={options} set={set} />
      {has('compare') && (
        <Switch
          label={t('Beside the period before')}
          checked={options.compare ?? true}
          onChange={(event) => set({ compare: event.currentTarget.checked })}
        />
      )}
      {(has('low') || has('min')) && (
        <Numbers has={has} options={options} source={source} set={set} />
      )}
      {has('most') && (
        <NumberInput
          label={t('At most')}
          min={1}
          max={200}
          value={options.most ?? ''}
          onChange={(most) => set({ most: numberOf(most) })}
        />
      )}
    </>
  )
}

interface PartProps {
  has: (name: keyof WidgetOptions) => boolean
  options: WidgetOptions
  set: (changes: Partial<WidgetOptions>) => void
}

function MessageFields({ options, set }: Omit<PartProps, 'has'>) {
  return (
    <>
      <NumberInput
        label="fPort"
        description={t('1 to 223')}
        required
        min={1}
        max={223}
        allowDecimal={false}
        value={options.f_port ?? ''}
        onChange={(port) => set({ f_port: numberOf(port) })}
      />
      <TextInput
        label={t('Payload')}
        description={t('Bytes in hexadecimal, such as 01 00')}
        required
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={options.payload ?? ''}
        onChange={({ currentTarget }) =>
          set({ payload: currentTarget.value.replaceAll(/[^0-9a-fA-F]/g, '') })
        }
      />
      <Checkbox
        label={t('Confirmed')}
        description={t('The network repeats it until the device acknowledges it')}
        checked={options.confirmed ?? false}
        onChange={({ currentTarget }) => set({ confirmed: currentTarget.checked })}
      />
    </>
  )
}

export const stepNames: Record<string, string> = {
  '5m': t('5 minutes'),
  '15m': t('15 minutes'),
  '30m': t('30 minutes'),
  '1h': t('An hour'),
  '3h': t('3 hours'),
  '6h': t('6 hours'),
  '12h': t('12 hours'),
  '1d': t('A day'),
  '1w': t('A week'),
}

function Choices({ has, type, options, set }: PartProps & { type: WidgetType }) {
  const steps = Object.keys(lengthOfStep).filter(
    (step) => stepNames[step] && (type !== 'bars' || ['1h', '1d', '1w'].includes(step)),
  )
  const usual = usualAggregate(type)
  const aggregates = (Object.keys(aggregateNames) as Aggregate[]).filter(
    (name) => usual === 'last' || name !== 'last',
  )
  return (
    <>
      {has('range') && (
        <Select
          label={t('Range')}
          placeholder={t('That of the dashboard')}
          clearable
          data={rangeWords.map((word) => ({ value: word, label: rangeNames[word][1] }))}
          value={options.range ?? null}
          onChange={(range) => set({ range: (range as WidgetOptions['range']) ?? undefined })}
        />
      )}
      {has('aggregate') && (
        <Select
          label={t('Value')}
          allowDeselect={false}
          data={aggregates.map((value) => ({ value, label: aggregateNames[value] }))}
          value={options.aggregate ?? usual}
          onChange={(aggregate) => set({ aggregate: aggregate as Aggregate })}
        />
      )}
      {has('show') && (
        <Select
          label={t('Lines')}
          allowDeselect={false}
          data={[
            { value: 'auto', label: t('One for each device, up to eight; else the average') },
            { value: 'lines', label: t('One for each device, up to twenty') },
            { value: 'average', label: t('The average, between the lowest and the highest') },
          ]}
          value={options.show ?? 'auto'}
          onChange={(show) => set({ show: show as WidgetOptions['show'] })}
        />
      )}
      {has('step') && (
        <Select
          label={t('Each point stands for')}
          placeholder={t('Fitting the range')}
          clearable
          data={steps.map((value) => ({ value, label: stepNames[value] ?? value }))}
          value={options.step && options.step !== 'auto' ? options.step : null}
          onChange={(step) => set({ step: (step as WidgetOptions['step']) ?? undefined })}
        />
      )}
      {has('order') && (
        <Select
          label={t('Order')}
          allowDeselect={false}
          data={[
            { value: 'name', label: t('By name') },
            { value: 'highest', label: t('The highest first') },
            { value: 'lowest', label: t('The lowest first') },
          ]}
          value={options.order ?? (type === 'tiles' ? 'name' : 'highest')}
          onChange={(order) => set({ order: order as WidgetOptions['order'] })}
        />
      )}
    </>
  )
}

function numberOf(value: string | number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Limits and scales are entered as the user reads values, and kept in the base unit. */
function Numbers({ has, options, source, set }: PartProps & { source: WidgetSource }) {
  useFormats()
  const { data } = useApi('GET /dashboards/measured', {})
  const base = data?.data.find(
    ({ quantity, measurement }) =>
      (quantity !== null && quantity === source.quantity) ||
      (measurement !== null && measurement === source.measurement),
  )?.unit
  const shown = shownIn(base)
  const unit = shown?.unit ?? base
  const fields = [
    ['low', t('Mark below')],
    ['high', t('Mark above')],
    ['min', t('Scale from')],
    ['max', t('Scale to')],
  ] as const
  return (
    <Group grow>
      {fields
        .filter(([name]) => has(name))
        .map(([name, label]) => {
          const value = options[name]
          return (
            <NumberInput
              key={name}
              label={label}
              suffix={unit ? ` ${unit}` : ''}
              value={value === undefined ? '' : (shown?.convert(value) ?? value)}
              onChange={(entered) => {
                const number = numberOf(entered)
                set({
                  [name]: number === undefined ? undefined : (shown?.revert(number) ?? number),
                })
              }}
            />
          )
        })}
    </Group>
  )
}
