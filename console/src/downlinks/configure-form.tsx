import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { rich, t } from '../languages/text.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../ui/draft.tsx'
import { useSubmit } from '../ui/form.tsx'
import { FormError } from '../ui/notices.tsx'
import { Time } from '../ui/time.tsx'
import {
  type ConfigField,
  type Entered,
  enteredOf,
  errorsByField,
  isApplicable,
  lastOf,
  type Section,
  toConfigField,
} from './configuration.ts'
import { ConfigurationPreview, usePreview } from './configuration-preview.tsx'
import type { Downlink } from './downlink-state.tsx'
import { SettingControl } from './setting-control.tsx'

export interface ConfigureFormProps {
  /** Of `GET /devices/{device_id}/configure/fields`, or of a type in the catalogue. */
  sections: readonly Section[]
  /** The device whose bytes are shown before they are sent: for many devices, one of them. */
  previewDevice?: string | undefined
  /** Messages that were sent before, the newest first: the form starts from the last one. */
  downlinks?: readonly Downlink[]
  submitLabel?: string
  /** Sends the message; the form shows what it throws. */
  onSubmit: (configuration: ConfigField) => Promise<unknown>
}

/** The form of a configuration message, with its bytes before they are sent. */
export function ConfigureForm(props: ConfigureFormProps) {
  const { sections } = props
  const usable = sections.filter(({ fields }) => fields.length > 0)
  const [key, setKey] = useState(usable[0]?.key)
  const section = usable.find((one) => one.key === key) ?? usable[0]
  return (
    <Stack>
      {usable.length > 1 && (
        <SegmentedControl
          aria-label={t('What to configure')}
          value={section?.key ?? ''}
          onChange={(next) => setKey(next as Section['key'])}
          data={usable.map(({ key: value, label }) => ({
            value,
            label: label.replace(' configuration', ''),
          }))}
        />
      )}
      {sections
        .filter(({ note }) => note !== null)
        .map(({ key: name, label, note }) => (
          <Text key={name} size="sm" c="dimmed">
            {label}: {note}
          </Text>
        ))}
      {section && <SectionForm key={section.key} {...props} section={section} />}
    </Stack>
  )
}

function SectionForm({ section, ...props }: ConfigureFormProps & { section: Section }) {
  const { previewDevice, downlinks = [], submitLabel = t('Send configuration'), onSubmit } = props
  const last = lastOf(section, downlinks)
  const draft = useDraft<Entered>(
    `configuration ${previewDevice ?? ''} ${section.key}`,
    last ? enteredOf(last) : {},
  )
  const [entered, setEntered] = useState(draft.start)
  const configuration = toConfigField(section, entered)
  const preview = usePreview(previewDevice, configuration)
  const { submit, isBusy, error, forget } = useSubmit(async () => {
    await onSubmit(configuration)
    draft.forget()
  })
  const refusal = error ?? preview.error
  const errors = refusal instanceof ApiError ? errorsByField(refusal.errors) : {}
  const enter = (next: Entered) => {
    forget()
    setEntered(next)
    draft.keep(next)
  }
  return (
    <form onSubmit={(event) => void submit(event)} onKeyDown={keepFromSending} noValidate>
      <Stack>
        <DraftNotice draft={draft} onStartOver={setEntered} />
        {last && <StartNote last={last} onClear={() => enter({})} />}
        {section.fields
          .filter((field) => isApplicable(field, section, entered))
          .map((field) => (
            <SettingControl
              key={field.name}
              field={field}
              value={entered[field.name] ?? ''}
              error={errors[field.name]}
              onChange={(value) => enter({ ...entered, [field.name]: value })}
            />
          ))}
        {previewDevice !== undefined && <ConfigurationPreview preview={preview} />}
        <FormError
          error={error}
          fields={section.fields.map(({ name }) => `config_field.${name}`)}
        />
        <Group justify="flex-end">
          <ActionButton
            type="submit"
            needs="manage_devices"
            loading={isBusy}
            blockedBy={
              errors[''] ?? (preview.error ? t('Correct the marked values first.') : undefined)
            }
          >
            {submitLabel}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** Enter in a choice would send the whole form before its values were looked at. */
function keepFromSending(event: KeyboardEvent): void {
  const isChoice = event.target instanceof HTMLInputElement && event.target.readOnly
  if (event.key === 'Enter' && isChoice) event.preventDefault()
}

function StartNote({ last, onClear }: { last: Downlink; onClear: () => void }) {
  return (
    <Alert variant="outline" color="gray" title={t('Starts from the last message of this kind')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {rich(
            'It was written {time}. A message carries all values of its kind: what is empty goes back to its default.',
            { time: <Time value={last.steps[0]?.time} /> },
          )}
        </Text>
        <Button size="compact-xs" variant="default" onClick={onClear}>
          {t('Start from the defaults')}
        </Button>
      </Stack>
    </Alert>
  )
}
