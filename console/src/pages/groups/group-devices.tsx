import { Button, Group, Text } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState, ErrorNotice, tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { Reading } from '../../ui/reading.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Time } from '../../ui/time.tsx'
import { type GroupDetails, refreshGroups } from './use-groups.ts'

type Device = Answer<'GET /fleet/devices'>['data'][number]

const limit = 50

interface GroupDevicesProps {
  group: GroupDetails
  search: string | undefined
  onSearch: (text: string | undefined) => void
}

/** The first devices of the group and its subgroups; the list of devices has all of them. */
export function GroupDevices({ group, search, onSearch }: GroupDevicesProps) {
  const { data, error, refetch } = useApi(
    'GET /fleet/devices',
    { query: { group: group.id, search, limit } },
    { keepsPrevious: true },
  )
  const columns = useColumns(group)
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  if (data.total === 0 && !search) {
    return (
      <EmptyState title={t('No devices in this group')}>
        {t('Use “Add devices” to put devices in this group. A device can be in several groups.')}
      </EmptyState>
    )
  }
  return (
    <>
      <Group gap="sm" mb="xs">
        <SearchField
          aria-label={t('Search in this group')}
          placeholder={t('Name or DevEUI')}
          value={search ?? ''}
          onSearch={(text) => onSearch(text || undefined)}
        />
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {t('{total, plural, one {# device} other {# devices}}', { total: data.total })}
        </Text>
      </Group>
      <List
        caption={t('Devices of {name}', { name: group.name })}
        columns={columns}
        rows={data.data}
        keyOf={({ id }) => id}
      />
      {data.total > data.data.length && (
        <LinkButton variant="default" to="/devices" search={{ group: group.id, search }}>
          {t('All {total, plural, one {# device} other {# devices}}', { total: data.total })}
        </LinkButton>
      )}
    </>
  )
}

function useColumns(group: GroupDetails): readonly Column<Device>[] {
  const may = useMay('manage_groups')
  const change = useAction('POST /fleet/groups/{group_id}/devices', {
    onSuccess: () => {
      tellSuccess(t('Device removed from the group.'))
      void refreshGroups()
    },
    onError: (error) => tellFailure(t('The device was not removed from the group'), error),
  })
  const path = { group_id: String(group.id) }
  const remove = (device: Device) => change.mutate({ path, body: { remove: [device.id] } })
  return [
    {
      title: t('Device'),
      phone: 'title',
      cell: ({ device_id, device_name }) => (
        <Link to="/devices/$eui" params={{ eui: device_id }} fz="sm">
          {device_name}
        </Link>
      ),
    },
    { title: t('Reading'), cell: ({ reading }) => <Reading value={reading} /> },
    { title: 'EUI', cell: ({ device_id }) => <Eui value={device_id} />, isExtra: true },
    { title: t('Condition'), cell: (device) => <Condition verdict={device.verdict} /> },
    {
      title: t('Last heard'),
      cell: ({ last_seen }) => <Time value={last_seen} />,
      isNumber: true,
      phone: 'side',
    },
    groupColumn(group.id, may ? remove : undefined),
  ]
}

/** Where the device is: in a subgroup, or in this group, from which it can be removed. */
function groupColumn(groupId: number, remove?: (device: Device) => void): Column<Device> {
  return {
    title: t('Group'),
    cell: (device) =>
      remove && device.groups.some(({ id }) => id === groupId) ? (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Remove {devicename} from this group', { devicename: device.device_name })}
          onClick={() => remove(device)}
        >
          {t('Remove')}
        </Button>
      ) : (
        device.groups.map(({ name }) => name).join(', ')
      ),
    isExtra: true,
  }
}
