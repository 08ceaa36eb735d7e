import { Alert, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { DraftNotice, type KeptDraft } from '../../../ui/draft.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import classes from '../device-types.module.css'
import { Cases } from './cases.tsx'
import { CodeEditor } from './code-editor.tsx'
import { type Draft, toExample } from './draft.ts'
import { TryStored } from './try-stored.tsx'
import { type Check, useCheck } from './use-check.ts'

interface TypeFormProps {
  kept: KeptDraft<Draft>
  typeId?: number | undefined
  saveLabel: string
  /** Buttons next to the save button. */
  actions?: ReactNode
  /** The error of the last save. */
  error: unknown
  isSaving: boolean
  onSave: (draft: Draft) => void
}

/** The editor of a device type: names, codec, cases, and a try on stored uplinks. */
export function TypeForm(props: TypeFormProps) {
  const { kept, typeId, saveLabel, actions, error, isSaving, onSave } = props
  const [draft, setDraft] = useState(kept.start)
  const check = useCheck(draft)
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const { keep } = kept
  useEffect(() => keep(draft), [keep, draft])
  return (
    <Stack>
      <DraftNotice draft={kept} onStartOver={setDraft} />
      <NameFields draft={draft} onChange={change} />
      <div className={classes.columns}>
        <Stack gap="xs" miw={0}>
          {draft.payload_format === 'ts013' ? (
            <CodecField draft={draft} check={check} onChange={change} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('The service reads CayenneLPP by itself: there is no codec to write.')}
            </Text>
          )}
        </Stack>
        <Cases cases={draft.cases} check={check} onChange={(cases) => change({ cases })} />
      </div>
      <TryStored draft={draft} typeId={typeId} />
      {error !== undefined && error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        {actions}
        <ActionButton
          needs="manage_devices"
          loading={isSaving}
          blockedBy={hindranceOf(draft, check)}
          onClick={() => onSave(draft)}
        >
          {saveLabel}
        </ActionButton>
      </Group>
    </Stack>
  )
}

interface FieldProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

function NameFields({ draft, onChange }: FieldProps) {
  return (
    <Group align="start">
      <TextInput
        label={t('Name')}
        required
        value={draft.type_name}
        onChange={(event) => onChange({ type_name: event.currentTarget.value })}
        flex="1 1 14rem"
      />
      <TextInput
        label={t('Part number')}
        value={draft.part_number}
        onChange={(event) => onChange({ part_number: event.currentTarget.value })}
        flex="1 1 8rem"
      />
      <NativeSelect
        label={t('Format of frames')}
        value={draft.payload_format}
        onChange={(event) =>
          onChange({ payload_format: event.currentTarget.value as Draft['payload_format'] })
        }
        data={[
          { value: 'ts013', label: t('Codec (TS013)') },
          { value: 'cayenne_lpp', label: 'CayenneLPP' },
        ]}
      />
    </Group>
  )
}

function CodecField({ draft, check, onChange }: FieldProps & { check: Check }) {
  const { fault, warnings, error } = check
  return (
    <>
      <Title order={2} size="h4">
        {t('Codec')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(
          'JavaScript with decodeUplink, and encodeDownlink and decodeDownlink if the device takes messages. It runs in a sandbox of the service, never in this page.',
        )}
      </Text>
      <CodeEditor
        value={draft.codec}
        label={t('Codec in JavaScript')}
        fault={fault}
        onChange={(codec) => onChange({ codec })}
      />
      {fault && (
        <Alert color="red" variant="outline" role="alert" title={t('The codec cannot run')}>
          {fault.message}
        </Alert>
      )}
      {error && <ErrorNotice error={error} />}
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="outline" title={t('Note')}>
          {warning}
        </Alert>
      ))}
    </>
  )
}

/** Why the type cannot be saved now. Failing cases do not hinder it. */
function hindranceOf({ type_name, cases }: Draft, { fault }: Check): string | undefined {
  if (type_name.trim() === '') return t('Give the type a name first.')
  if (fault) return t('Fix the codec first.')
  const open = cases.filter((one) => toExample(one) === undefined).length
  return open > 0
    ? t('Complete or remove {open, plural, one {# case} other {# cases}} first.', { open })
    : undefined
}
