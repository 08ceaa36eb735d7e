import {
  Autocomplete,
  Checkbox,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import classes from '../device-types.module.css'
import { findValues } from './found-values.ts'

type Declared = Schemas['OwnMeasurement']

/** What the service understands of sensors of all makers; any other name may be entered. */
const quantities = [
  ...['air.temperature', 'air.relativeHumidity', 'air.pressure', 'air.co2', 'air.lightIntensity'],
  ...['soil.moisture', 'soil.temperature', 'soil.ec', 'soil.pH', 'wind.speed', 'wind.direction'],
  ...['water.leak', 'water.temperature.current', 'rain.intensity', 'rain.cumulative'],
  ...['action.contactState', 'action.motion.detected', 'battery', 'temperature', 'distance'],
]

interface OwnValuesProps {
  type: Schemas['CustomDeviceType']
}

/** What the values of a codec are: found in the latest uplinks, completed by the user. */
export function OwnValues({ type }: OwnValuesProps) {
  const uplinks = useApi('GET /fleet/uplinks', { query: { type: type.id, limit: 20 } })
  const kept = useDraft(`values of device type ${type.id}`, { measurements: type.measurements })
  const [declared, setDeclared] = useState(kept.start.measurements)
  const { keep } = kept
  useEffect(() => keep({ measurements: declared }), [keep, declared])
  const save = useAction('PATCH /device-types/{id}', {
    invalidates: ['GET /device-types/{id}', 'GET /fleet/devices', 'GET /fleet/uplinks'],
    onSuccess: () => {
      kept.forget()
      tellSuccess(t('Saved. Readings and charts use it at once.'))
    },
  })
  const found = findValues(uplinks.data?.data ?? [])
  const names = [...new Set([...declared.map(({ name }) => name), ...found.keys()])]
  const change = (changed: Declared) => {
    const others = declared.filter(({ name }) => name !== changed.name)
    const place = declared.findIndex(({ name }) => name === changed.name)
    setDeclared(place === -1 ? [...declared, changed] : others.toSpliced(place, 0, changed))
  }
  return (
    <Stack gap="sm" component="section" aria-labelledby="values-of-type">
      <Title order={2} size="h4" id="values-of-type">
        {t('Values')}
      </Title>
      <DraftNotice draft={kept} onStartOver={({ measurements }) => setDeclared(measurements)} />
      <Text size="sm" c="dimmed">
        {names.length > 0
          ? t(
              'Units and labels are used in readings, charts and alerts. What you leave empty stays as the codec gives it.',
            )
          : t('The values appear here when a device of this type has sent its first uplink.')}
      </Text>
      {names.map((name) => (
        <ValueFields
          key={name}
          value={declared.find((one) => one.name === name) ?? { name }}
          example={found.get(name)}
          onChange={change}
        />
      ))}
      {save.error && <ErrorNotice error={save.error} />}
      {names.length > 0 && (
        <Group justify="flex-end">
          <ActionButton
            needs="manage_devices"
            loading={save.isPending}
            onClick={() =>
              save.mutate({
                path: { id: String(type.id) },
                body: { measurements: declared.filter(isSaid) },
              })
            }
          >
            {t('Save the values')}
          </ActionButton>
        </Group>
      )}
    </Stack>
  )
}

function isSaid({ name: _, ...said }: Declared): boolean {
  return Object.values(said).some((value) => value !== undefined && value !== false)
}

interface ValueFieldsProps {
  value: Declared
  /** What the latest uplink with it has. */
  example: string | undefined
  onChange: (changed: Declared) => void
}

function ValueFields({ value, example, onChange }: ValueFieldsProps) {
  const { name } = value
  const set = (said: Partial<Record<'label' | 'unit' | 'quantity', string>>) => {
    const changed = Object.entries({ ...value, ...said }).filter(([, text]) => text !== '')
    onChange(Object.fromEntries(changed) as Declared)
  }
  return (
    <fieldset className={classes.value}>
      <legend>
        <strong>{name}</strong>
        {example !== undefined && <span className={classes.valueExample}> {example}</span>}
      </legend>
      <TextInput
        size="xs"
        label={t('Label')}
        maxLength={60}
        value={value.label ?? ''}
        onChange={({ currentTarget }) => set({ label: currentTarget.value })}
      />
      <TextInput
        size="xs"
        label={t('Unit')}
        maxLength={20}
        value={value.unit ?? ''}
        onChange={({ currentTarget }) => set({ unit: currentTarget.value })}
      />
      <Autocomplete
        size="xs"
        label={t('Quantity')}
        maxLength={60}
        data={quantities}
        value={value.quantity ?? ''}
        onChange={(quantity) => set({ quantity })}
      />
      {value.quantity === 'battery' && (
        <NumberInput
          size="xs"
          label={t('Empty at')}
          description={value.unit ? undefined : t('Enter the unit: V, mV or %.')}
          suffix={value.unit ? ` ${value.unit}` : ''}
          value={value.min ?? ''}
          onChange={(min) => onChange({ ...value, min: typeof min === 'number' ? min : undefined })}
        />
      )}
      <Checkbox
        size="xs"
        label={t('In the reading')}
        checked={value.is_headline ?? false}
        onChange={({ currentTarget }) => onChange({ ...value, is_headline: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={t('Hidden')}
        checked={value.is_hidden ?? false}
        onChange={({ currentTarget }) => onChange({ ...value, is_hidden: currentTarget.checked })}
      />
    </fieldset>
  )
}
