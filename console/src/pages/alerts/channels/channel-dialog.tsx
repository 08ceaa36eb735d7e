import {
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { type Severity, severityNames } from '../../../alerts/alert-words.ts'
import { useMemberChoices } from '../../../alerts/member-choices.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { useGroupChoices } from '../../../sources/choices.ts'
import { TagChoiceField } from '../../../tags/tag-fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import {
  type AlertChannel,
  type ChannelKind,
  dayNames,
  kindNames,
  type SettingField,
  settingFields,
} from './channel-words.ts'

interface Values {
  name: string
  kind: ChannelKind
  member: string | null
  settings: Record<string, string>
  severity: Severity
  group: string | null
  tag: string
  days: string[]
  from: string
  to: string
  after_minutes: number
  tells_back: boolean
  is_active: boolean
}

type Change = (change: Partial<Values>) => void
type ErrorOf = (field: string) => string | undefined

interface ChannelDialogProps {
  /** Undefined for a new one. */
  channel: AlertChannel | undefined
  canMail: boolean
  onClose: () => void
}

/** Makes a channel, or changes one. */
export function ChannelDialog({ channel, canMail, onClose }: ChannelDialogProps) {
  const { user } = useSession().session
  const [values, setValues] = useState(() => initialOf(channel, String(user.id), canMail))
  const change: Change = (next) => setValues((now) => ({ ...now, ...next }))
  const invalidates = ['GET /alert-channels'] as const
  const create = useAction('POST /alert-channels', { invalidates })
  const update = useAction('PATCH /alert-channels/{channel_id}', { invalidates })
  const save = async () => {
    const { kind, member } = values
    const body = bodyOf(values)
    if (channel) await update.mutateAsync({ path: { channel_id: String(channel.id) }, body })
    else await create.mutateAsync({ body: { ...body, kind, member: Number(member) } })
    tellSuccess(channel ? t('Channel saved.') : t('Channel created. Send a test to be sure of it.'))
    onClose()
  }
  return (
    <FormDialog
      title={channel ? t('Edit {name}', { name: channel.name }) : t('New channel')}
      action={channel ? t('Save') : t('Create')}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Way values={values} change={change} errorOf={errorOf} channel={channel} />
          <What values={values} change={change} errorOf={errorOf} />
          <When values={values} change={change} errorOf={errorOf} />
          <Switch
            label={t('Also when it is over')}
            checked={values.tells_back}
            onChange={(event) => change({ tells_back: event.currentTarget.checked })}
          />
          <Switch
            label={t('On')}
            checked={values.is_active}
            onChange={(event) => change({ is_active: event.currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  )
}

interface PartProps {
  values: Values
  change: Change
  errorOf: ErrorOf
}

/** How: the service with its settings, and whom. */
function Way({
  values,
  change,
  errorOf,
  channel,
}: PartProps & Pick<ChannelDialogProps, 'channel'>) {
  const mayManage = useMay('manage_account')
  const members = useMemberChoices()
  return (
    <>
      <TextInput
        label={t('Name')}
        required
        data-autofocus
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        label={t('By')}
        allowDeselect={false}
        disabled={channel !== undefined}
        data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        value={values.kind}
        error={errorOf('kind')}
        onChange={(value) => {
          const kind = value as ChannelKind
          change({ kind, settings: usualOf(kind) })
        }}
      />
      {settingFields[values.kind].map((field) => (
        <SettingInput
          key={field.name}
          field={field}
          isStored={channel !== undefined}
          value={values.settings[field.name] ?? ''}
          error={errorOf(`settings.${field.name}`)}
          onChange={(value) => change({ settings: { ...values.settings, [field.name]: value } })}
        />
      ))}
      {mayManage && !channel && (
        <Select
          label={t('Whom')}
          description={t('A channel ends with the membership of this person.')}
          allowDeselect={false}
          searchable
          data={members}
          value={values.member}
          error={errorOf('member')}
          onChange={(member) => change({ member })}
        />
      )}
    </>
  )
}

interface SettingInputProps {
  field: SettingField
  /** What is secret stays if it is left empty. */
  isStored: boolean
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function SettingInput({ field, isStored, value, error, onChange }: SettingInputProps) {
  const { label, description, isSecret, isOptional, isLong } = field
  const props = {
    label,
    description,
    value,
    error,
    required: !isOptional && !(isSecret && isStored),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (isSecret) {
    return (
      <PasswordInput
        {...props}
        autoComplete="new-password"
        placeholder={isStored ? t('Unchanged') : undefined}
      />
    )
  }
  return isLong ? <Textarea {...props} autosize minRows={2} /> : <TextInput {...props} />
}

function What({ values, change, errorOf }: PartProps) {
  const groups = useGroupChoices()
  return (
    <>
      <Select
        label={t('Alerts')}
        allowDeselect={false}
        data={[
          { value: 'info', label: t('All') },
          {
            value: 'warning',
            label: t('{warning} and {critical}', {
              warning: severityNames.warning,
              critical: severityNames.critical,
            }),
          },
          { value: 'critical', label: t('{critical} only', { critical: severityNames.critical }) },
        ]}
        value={values.severity}
        error={errorOf('severity')}
        onChange={(value) => change({ severity: value as Severity })}
      />
      <Select
        label={t('Devices of the group')}
        placeholder={t('All')}
        clearable
        searchable
        data={groups}
        value={values.group}
        error={errorOf('group')}
        onChange={(group) => change({ group })}
      />
      <TagChoiceField
        value={values.tag}
        error={errorOf('tag')}
        onChange={(tag) => change({ tag })}
      />
    </>
  )
}

function When({ values, change, errorOf }: PartProps) {
  return (
    <>
      <Checkbox.Group
        label={t('Days')}
        value={values.days}
        error={errorOf('days')}
        onChange={(days) => change({ days })}
      >
        <Group gap="sm" mt="xs">
          {dayNames.map((name, at) => (
            <Checkbox key={name} value={String(at + 1)} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <Stack gap="xs">
        <Group grow align="start">
          <TextInput
            label={t('From')}
            type="time"
            value={values.from}
            error={errorOf('from')}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            label={t('To')}
            type="time"
            value={values.to}
            error={errorOf('to')}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </Group>
      </Stack>
      <NumberInput
        label={t('Only after minutes without an answer')}
        description={t(
          '0: at once. Otherwise only what nobody has acknowledged by then: for whoever stands in.',
        )}
        min={0}
        max={1440}
        value={values.after_minutes}
        error={errorOf('after_minutes')}
        onChange={(value) => change({ after_minutes: Number(value) })}
      />
    </>
  )
}

function initialOf(channel: AlertChannel | undefined, me: string, canMail: boolean): Values {
  const kind = channel?.kind ?? (canMail ? 'mail' : 'ntfy')
  const stored = Object.entries(channel?.settings ?? {}).map(([name, value]) => [
    name,
    String(value ?? ''),
  ])
  return {
    name: channel?.name ?? '',
    kind,
    member: channel ? String(channel.member.id) : me,
    settings: { ...usualOf(kind), ...Object.fromEntries(stored) },
    severity: channel?.severity ?? 'warning',
    group: channel?.group ? String(channel.group) : null,
    tag: channel?.tag ?? '',
    days: (channel?.days ?? [1, 2, 3, 4, 5, 6, 7]).map(String),
    from: channel?.from ?? '',
    to: channel?.to ?? '',
    after_minutes: channel?.after_minutes ?? 0,
    tells_back: channel?.tells_back ?? true,
    is_active: channel?.is_active ?? true,
  }
}

function usualOf(kind: ChannelKind): Record<string, string> {
  return Object.fromEntries(settingFields[kind].map(({ name, usual = '' }) => [name, usual]))
}

/** The body of a request. An empty secret is left out, so that the stored one stays. */
function bodyOf({ kind: _, member: __, settings, group, tag, days, from, to, ...values }: Values) {
  const sent = Object.entries(settings).filter(([, value]) => value !== '')
  return {
    ...values,
    settings: Object.fromEntries(sent),
    group: group === null ? null : Number(group),
    tag: tag || null,
    days: days.map(Number),
    from: from || null,
    to: to || null,
  }
}
