import { Group, MultiSelect, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { useSubmit } from '../../../ui/form.tsx'
import { groupNames } from '../../../ui/group-names.ts'
import { compareNames } from '../../../ui/names.ts'
import { FormError, tellSuccess } from '../../../ui/notices.tsx'
import { type DeviceRecord, useDeviceChange } from '../use-device.ts'
import { type FormValues, toChange, valuesOf } from './settings-change.ts'

/** Name, type, key and groups; as text for readers. */
export function SettingsCard({ device }: { device: DeviceRecord }) {
  const may = useMay('manage_devices')
  if (may) return <SettingsForm device={device} />
  return (
    <Card title={t('Settings')}>
      <Facts
        rows={[
          [t('Name'), device.device_name],
          [t('Type'), device.device_type.name],
          [t('Groups'), device.groups.map(({ name }) => name).join(', ') || t('in no group')],
        ]}
      />
    </Card>
  )
}

/** Only what was changed is sent. */
function SettingsForm({ device }: { device: DeviceRecord }) {
  const change = useDeviceChange(device.device_id)
  const draft = useDraft(`device ${device.id}`, valuesOf(device), ['key'])
  const form = useForm<FormValues>({ initialValues: draft.start, onValuesChange: draft.keep })
  const types = useTypeChoices(device)
  const groups = useGroupChoices(device)
  const wanted = toChange(device, form.values, { types, groups })
  const { submit, isBusy, errorOf, rest } = useSubmit(async () => {
    if (!wanted) return
    await change.mutateAsync(wanted)
    form.setFieldValue('key', '')
    draft.forget()
    tellSuccess(t('Device saved.'))
  })
  return (
    <Card title={t('Settings')}>
      <form onSubmit={(event) => void submit(event)} autoComplete="off">
        <Stack gap="sm">
          <DraftNotice draft={draft} hasSecrets onStartOver={form.setValues} />
          <TextInput
            label={t('Name')}
            maxLength={255}
            required
            {...form.getInputProps('name')}
            error={errorOf('device_name')}
          />
          <Select
            label={t('Type')}
            description={t('Decides how its frames are read.')}
            data={types}
            searchable
            allowDeselect={false}
            {...form.getInputProps('type')}
            error={errorOf('deviceType')}
          />
          <MultiSelect
            label={t('Groups')}
            data={groups}
            searchable
            clearable
            {...form.getInputProps('groups')}
            error={errorOf('groups')}
          />
          <PasswordInput
            label={device.lorawan?.activation === 'abp' ? t('New AppSKey') : t('New device key')}
            description={t('32 hexadecimal digits. Empty keeps the key that is stored.')}
            maxLength={64}
            autoComplete="new-password"
            {...form.getInputProps('key')}
            error={errorOf('deviceKey')}
          />
          <FormError {...rest} />
          <Group justify="flex-end">
            <ActionButton
              type="submit"
              needs="manage_devices"
              blockedBy={wanted ? undefined : t('There is nothing to save.')}
              loading={isBusy}
            >
              {t('Save')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

export interface Choice {
  value: string
  label: string
}

/** All types, built in and own, and always the device's own one. */
function useTypeChoices({ device_type: own }: DeviceRecord): Choice[] {
  const { data } = useApi('GET /get-device-types', { query: { itemsPerPage: 1000 } }, staleLong)
  const known = (data?.data ?? []).map(({ id, full_name }) => ({
    value: String(id),
    label: full_name,
  }))
  const isKnown = known.some(({ value }) => value === String(own.id))
  return isKnown ? known : [{ value: String(own.id), label: own.name }, ...known]
}

/** All groups, by their path. */
function useGroupChoices({ groups: own }: DeviceRecord): Choice[] {
  const { data } = useApi('GET /fleet/groups', {}, staleLong)
  const names = groupNames(data?.data ?? [])
  const choices = [...names].map(([id, label]) => ({ value: String(id), label }))
  const missing = own
    .filter(({ id }) => !names.has(id))
    .map(({ id, name }) => ({ value: String(id), label: name }))
  return [...missing, ...choices].sort((one, other) => compareNames(one.label, other.label))
}

const staleLong = { staleTime: 60_000 }
