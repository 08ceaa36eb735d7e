import { Alert, Button, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../api/hooks.ts'
import { ConfigureForm } from '../../downlinks/configure-form.tsx'
import { JobProgress } from '../../jobs/job-progress.tsx'
import { t } from '../../languages/text.ts'
import { useReason } from '../../ui/action-button.tsx'
import { Link } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines } from '../../ui/page.tsx'
import type { GroupDetails } from './use-groups.ts'

/** Sends one configuration to all devices of a type in the group and below it. */
export function ConfigureGroup({ group }: { group: GroupDetails }) {
  const [chosen, setChosen] = useState<number>()
  const mayNot = useReason('manage_devices')
  const type = group.types.find(({ id }) => id === chosen) ?? group.types[0]
  if (!type) {
    return (
      <EmptyState title={t('No devices to configure')}>
        {t('Add devices to the group, and their settings can be sent to all of them at once.')}
      </EmptyState>
    )
  }
  if (mayNot) return <Text size="sm">{mayNot}</Text>
  return (
    <Stack maw={720}>
      <Title order={2} size="h4">
        {t('Configure all devices of a type')}
      </Title>
      <NativeSelect
        label={t('Type of the devices')}
        description={t('Each type has settings of its own')}
        value={String(type.id)}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
        data={group.types.map(({ id, name, devices }) => ({
          value: String(id),
          label: `${name} (${formatCount(devices)})`,
        }))}
      />
      <TypeForm key={type.id} group={group} type={type} />
    </Stack>
  )
}

interface TypeFormProps {
  group: GroupDetails
  type: GroupDetails['types'][number]
}

/** The form of a type, by the first of its devices, whose bytes are shown. */
function TypeForm({ group, type }: TypeFormProps) {
  const filter = { group: group.id, type: type.id }
  const first = useApi('GET /fleet/devices', { query: { ...filter, limit: 1 } })
  const device = first.data?.data[0]
  const form = useApi(
    'GET /devices/{device_id}/configure/fields',
    { path: { device_id: device?.device_id ?? '' } },
    { enabled: device !== undefined, staleTime: 60_000 },
  )
  const start = useAction('POST /fleet/groups/{group_id}/configure', { invalidates: ['GET /jobs'] })
  const error = first.error ?? form.error
  if (error) return <ErrorNotice error={error} retry={() => void form.refetch()} />
  if (!device || !form.data) return <LoadingLines count={4} />
  if (start.data) return <Started id={start.data.data.id} again={start.reset} />
  return (
    <>
      <Text size="sm">
        {t(
          'The message goes to {devices, plural, one {# device} other {# devices}} in {name} and its subgroups. The bytes are shown as for {devicename}.',
          { devices: type.devices, name: group.name, devicename: device.device_name },
        )}
      </Text>
      <ConfigureForm
        sections={form.data.data.sections}
        previewDevice={device.device_id}
        submitLabel={t('Send to {devices, plural, one {# device} other {# devices}}', {
          devices: type.devices,
        })}
        onSubmit={(config_field) =>
          start.mutateAsync({
            path: { group_id: String(group.id) },
            body: { config_field, device_type: type.id },
          })
        }
      />
    </>
  )
}

/** How far it is. The work goes on without this page. */
function Started({ id, again }: { id: number; again: () => void }) {
  return (
    <Stack gap="sm">
      <Alert variant="outline" color="accent" title={t('Sent')} role="status">
        <Text size="sm">
          {t('The devices get the message one after the other, also when you leave this page. ')}
          <Link to="/jobs/$id" params={{ id: String(id) }} underline="always">
            {t('View the results')}
          </Link>
        </Text>
      </Alert>
      <JobProgress id={id} />
      <Button variant="default" onClick={again} style={{ alignSelf: 'start' }}>
        {t('Send another')}
      </Button>
    </Stack>
  )
}
