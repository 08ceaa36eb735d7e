import { Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { List } from '../../../ui/list/list.tsx'
import { countOf, formatCount } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import { DeleteOrganizationDialog, LimitsDialog } from './organization-below-dialogs.tsx'

export type Below = Answer<'GET /organizations'>['data'][number]
type Deletion = Answer<'GET /organization/deletions'>['data'][number]

const perPage = 50
/** Milliseconds between two looks: deletions go on in the background. */
const refetchInterval = 5000

const dialogs = { limits: LimitsDialog, delete: DeleteOrganizationDialog }

/** The organizations directly below this one: what they use, their limits, their deletion. */
export function OrganizationsBelow({ page }: { page: number }) {
  const mayManage = useMay('manage_account')
  const query = { itemsPerPage: perPage, page }
  const answer = useApi(
    'GET /organizations',
    { query },
    { enabled: mayManage, keepsPrevious: true, refetchInterval },
  )
  if (!mayManage) return null
  return (
    <Card
      title="Organizations below"
      note="Usage includes everything below an organization. A limit lower than the usage blocks additions and deletes nothing."
    >
      <BelowTable answer={answer} />
      <Deletions />
    </Card>
  )
}

function BelowTable({ answer }: { answer: UseQueryResult<Answer<'GET /organizations'>> }) {
  const isOwner = useSession().organization.is_owner
  const [opened, setOpened] = useState<{ what: keyof typeof dialogs; below: Below }>()
  const Dialog = opened && dialogs[opened.what]
  return (
    <>
      <List
        caption="Organizations below"
        answer={answer}
        keyOf={({ id }) => id}
        pageCount={answer.data?.meta.last_page}
        empty={<Text size="sm">None.</Text>}
        columns={[
          {
            title: 'Name',
            cell: ({ name, owner }) => (
              <>
                <Text size="sm">{name}</Text>
                <Text size="xs" c="dimmed">
                  {owner.email}
                </Text>
              </>
            ),
          },
          {
            title: 'Devices',
            cell: ({ usage, limits }) => ofLimit(usage.devices, limits.devices),
          },
          {
            title: 'Organizations',
            cell: ({ usage, limits }) => ofLimit(usage.organizations, limits.organizations),
            isExtra: true,
          },
          {
            title: 'Actions',
            cell: (below) =>
              below.is_being_deleted ? (
                <State kind="waiting">Being deleted</State>
              ) : (
                <Group gap="xs">
                  <ActionButton
                    size="compact-xs"
                    variant="default"
                    aria-label={`Limits of ${below.name}`}
                    onClick={() => setOpened({ what: 'limits', below })}
                  >
                    Limits
                  </ActionButton>
                  <ActionButton
                    size="compact-xs"
                    variant="default"
                    aria-label={`Delete ${below.name}`}
                    blockedBy={isOwner ? undefined : 'Only an owner can do this.'}
                    onClick={() => setOpened({ what: 'delete', below })}
                  >
                    Delete
                  </ActionButton>
                </Group>
              ),
          },
        ]}
      />
      {Dialog && opened && (
        <Dialog key={opened.below.id} below={opened.below} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

function ofLimit(used: number, limit: number): string {
  return `${formatCount(used)} of ${formatCount(limit)}`
}

/** How far the deletions are, those of the last 30 days too. */
function Deletions() {
  const { data } = useApi('GET /organization/deletions', {}, { refetchInterval })
  if (!data || data.data.length === 0) return null
  return (
    <List
      caption="Deletions"
      rows={data.data}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Deletion of', cell: ({ organization }) => organization.name },
        { title: 'State', cell: (deletion) => <Progress deletion={deletion} /> },
      ]}
    />
  )
}

const states: Record<Deletion['state'], string> = {
  removing: 'Deleting its devices and gateways',
  telling: 'Informing the networks',
  leaving: 'Disconnecting its accounts',
  deleting: 'Deleting what is stored',
  done: 'Deleted',
}

function Progress({ deletion }: { deletion: Deletion }) {
  const { state, organizations, devices, uplinks, left_at_networks: left } = deletion
  const rest = [
    countOf(organizations.left, 'organization'),
    countOf(devices.left, 'device'),
    countOf(uplinks.left, 'uplink'),
  ]
  return (
    <>
      <State kind={state === 'done' ? 'good' : 'waiting'}>{states[state]}</State>
      <Text size="xs" c="dimmed">
        {state !== 'done' && `Left: ${rest.join(', ')}`}
        {state === 'done' && left > 0 && `${formatCount(left)} left at their networks`}
      </Text>
    </>
  )
}
