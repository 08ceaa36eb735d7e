import { Checkbox, ScrollArea, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { type GroupDetails, refreshGroups } from './use-groups.ts'

interface AddDevicesProps {
  group: GroupDetails
  onClose: () => void
}

/** Finds devices and adds those that are chosen, over several searches. */
export function AddDevices({ group, onClose }: AddDevicesProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const add = useAction('POST /fleet/groups/{group_id}/devices')
  const send = async () => {
    const path = { group_id: String(group.id) }
    const { data } = await add.mutateAsync({ path, body: { add: [...chosen] } })
    tellSuccess(
      t('{added, plural, one {# device} other {# devices}} added to {name}.', {
        added: data.added,
        name: group.name,
      }),
    )
    void refreshGroups()
    onClose()
  }
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <FormDialog
      title={t('Add devices to {name}', { name: group.name })}
      size="lg"
      action={t('Add devices')}
      needs="manage_groups"
      blockedBy={chosen.size === 0 ? t('Choose a device first.') : undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <SearchField
        label={t('Search')}
        description={t('Name, DevEUI or notes')}
        value={search}
        onSearch={setSearch}
        // Enter finds; it does not add what an earlier search has found.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        data-autofocus
      />
      <Choices group={group} search={search} chosen={chosen} onToggle={toggle} />
      <Text size="sm" role="status">
        {t('{size, plural, one {# device} other {# devices}} chosen', { size: chosen.size })}
      </Text>
    </FormDialog>
  )
}

interface ChoicesProps {
  group: GroupDetails
  search: string
  chosen: ReadonlySet<number>
  onToggle: (id: number) => void
}

function Choices({ group, search, chosen, onToggle }: ChoicesProps) {
  const { data, error, refetch } = useApi(
    'GET /fleet/devices',
    { query: { search: search || undefined, limit: 100 } },
    { keepsPrevious: true },
  )
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={4} />
  if (data.total === 0) return <Text size="sm">{t('No matching devices.')}</Text>
  return (
    <>
      <ScrollArea.Autosize mah={320} type="auto">
        <Stack gap={8} p={4} role="group" aria-label={t('Devices')}>
          {data.data.map((device) => {
            const isIn = device.groups.some(({ id }) => id === group.id)
            return (
              <Checkbox
                key={device.id}
                label={device.device_name}
                description={
                  isIn
                    ? t('{deviceid}, in this group already', { deviceid: device.device_id })
                    : device.device_id
                }
                disabled={isIn}
                checked={isIn || chosen.has(device.id)}
                onChange={() => onToggle(device.id)}
              />
            )
          })}
        </Stack>
      </ScrollArea.Autosize>
      {data.total > data.data.length && (
        <Text size="xs" c="dimmed">
          {t(
            'The first {count} of {total, plural, one {# device} other {# devices}}: search for the others, or choose many in the list of devices.',
            { count: data.data.length, total: data.total },
          )}
        </Text>
      )}
    </>
  )
}
