import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../../languages/text.ts'
import type { PermissionName } from '../../../session/permissions.ts'
import { TagChoiceField } from '../../../tags/tag-fields.tsx'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { DraftNotice, type KeptDraft } from '../../../ui/draft.tsx'
import { Form } from '../../../ui/form.tsx'
import { GroupField } from '../members/group-field.tsx'
import { PermissionsField } from '../members/permissions-field.tsx'
import type { ApiKey } from './api-key-words.ts'

interface Values {
  name: string
  permissions: PermissionName[]
  group: string | null
  /** Empty for none. */
  tag: string
  /** One a line. */
  networks: string
  /** ISO 8601; empty for none. */
  expires_at: string
}

interface ApiKeyFormProps {
  apiKey?: ApiKey
  draft: KeptDraft<Values>
  action: string
  onSubmit: (body: ReturnType<typeof bodyOf>) => Promise<unknown>
  onClose: () => void
}

/** What a key may do, and what it is limited to. */
export function ApiKeyForm({ apiKey, draft, action, onSubmit, onClose }: ApiKeyFormProps) {
  const form = useForm<Values>({ initialValues: draft.start, onValuesChange: draft.keep })
  const send = async () => {
    await onSubmit(bodyOf(form.getValues(), apiKey))
    draft.forget()
  }
  const close = () => {
    draft.forget()
    onClose()
  }
  return (
    <Form action={action} onSubmit={send} onClose={close}>
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={form.setValues} />
          <TextInput
            label={t('Name')}
            description={t('Of the program that uses it: activity shows it.')}
            required
            data-autofocus
            {...form.getInputProps('name')}
            error={errorOf('name')}
          />
          <PermissionsField
            description={t(
              'The key may read everything except secrets, unless it is limited below.',
            )}
            value={form.values.permissions}
            onChange={(permissions) => form.setFieldValue('permissions', permissions)}
            held={apiKey?.permissions ?? []}
          />
          <GroupField
            description={t(
              'And the groups below it. The key then reaches only these devices and their uplinks.',
            )}
            {...form.getInputProps('group')}
            error={errorOf('group')}
          />
          <TagChoiceField
            label={t('Only devices with the tags')}
            {...form.getInputProps('tag')}
            error={errorOf('tag')}
          />
          <Textarea
            label={t('Only from these addresses')}
            description={t('Addresses or ranges, one a line. Empty: from anywhere.')}
            placeholder="192.0.2.0/24"
            autosize
            minRows={2}
            {...form.getInputProps('networks')}
            error={errorOf('networks')}
          />
          <DateTimeField
            label={t('Ends')}
            description={t('Empty: when it is revoked.')}
            value={form.values.expires_at || undefined}
            onChange={(end) => form.setFieldValue('expires_at', end ?? '')}
            error={errorOf('expires_at')}
          />
        </>
      )}
    </Form>
  )
}

export function valuesOf(apiKey: ApiKey | undefined): Values {
  return {
    name: apiKey?.name ?? '',
    permissions: apiKey?.permissions ?? [],
    group: apiKey?.group ? String(apiKey.group) : null,
    tag: apiKey?.tag ?? '',
    networks: apiKey?.networks.join('\n') ?? '',
    expires_at: apiKey?.expires_at ?? '',
  }
}

/** An end that stays is not sent: it may be over. */
function bodyOf(values: Values, apiKey: ApiKey | undefined) {
  const { name, permissions, group, tag, networks, expires_at: end } = values
  const isSame = apiKey !== undefined && end === (apiKey.expires_at ?? '')
  return {
    name,
    permissions,
    group: group === null ? null : Number(group),
    tag: tag || null,
    networks: networks.split(/[\s,]+/).filter((network) => network !== ''),
    ...(isSame ? {} : { expires_at: end === '' ? null : end }),
  }
}
