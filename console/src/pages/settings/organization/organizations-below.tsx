import { Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { List } from '../../../ui/list/list.tsx'
import { formatCount } from '../../../ui/numbers.ts'
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
      title={t('Organizations below')}
      note={t(
        'Usage includes everything below an organization. A limit lower than the usage blocks additions and deletes nothing.',
      )}
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
        caption={t('Organizations below')}
        answer={answer}
        keyOf={({ id }) => id}
        pageCount={answer.data?.meta.last_page}
        empty={<Text size="sm">{t('None.')}</Text>}
        columns={[
          {
            title: t('Name'),
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
            title: t('Devices'),
            cell: ({ usage, limits }) => ofLimit(usage.devices, limits.devices),
          },
          {
            title: t('Organizations'),
            cell: ({ usage, limits }) => ofLimit(usage.organizations, limits.organizations),
            isExtra: true,
          },
          {
            title: t('Actions'),
            cell: (below) =>
              below.is_being_deleted ? (
                <State kind="waiting">{t('Being deleted')}</State>
              ) : (
                <Group gap="xs">
                  <ActionButton
                    size="compact-xs"
                    variant="default"
                    aria-label={t('Limits of {name}', { name: below.name })}
                    onClick={() => setOpened({ what: 'limits', below })}
                  >
                    {t('Limits')}
                  </ActionButton>
                  <ActionButton
                    size="compact-xs"
                    variant="default"
                    aria-label={t('Delete {name}', { name: below.name })}
                    blockedBy={isOwner ? undefined : t('Only an owner can do this.')}
                    onClick={() => setOpened({ what: 'delete', below })}
                  >
                    {t('Delete')}
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
  return t('{used} of {limit}', { used: formatCount(used), limit: formatCount(limit) })
}

/** How far the deletions are, those of the last 30 days too. */
function Deletions() {
  const { data } = useApi('GET /organization/deletions', {}, { refetchInterval })
  if (!data || data.data.length === 0) return null
  return (
    <List
      caption={t('Deletions')}
      rows={data.data}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Deletion of'), cell: ({ organization }) => organization.name },
        { title: t('State'), cell: (deletion) => <Progress deletion={deletion} /> },
      ]}
    />
  )
}

const states: Record<Deletion['state'], string> = {
  removing: t('Deleting its devices and gateways'),
  telling: t('Informing the networks'),
  leaving: t('Disconnecting its accounts'),
  deleting: t('Deleting what is stored'),
  done: t('Deleted'),
}

function Progress({ deletion }: { deletion: Deletion }) {
  const { state, organizations, devices, uplinks, left_at_networks: left } = deletion
  const rest = [
    t('{left, plural, one {# organization} other {# organizations}}', { left: organizations.left }),
    t('{left, plural, one {# device} other {# devices}}', { left: devices.left }),
    t('{left, plural, one {# uplink} other {# uplinks}}', { left: uplinks.left }),
  ]
  return (
    <>
      <State kind={state === 'done' ? 'good' : 'waiting'}>{states[state]}</State>
      <Text size="xs" c="dimmed">
        {state !== 'done' && t('Left: {join}', { join: rest.join(', ') })}
        {state === 'done' &&
          left > 0 &&
          t('{left} left at their networks', { left: formatCount(left) })}
      </Text>
    </>
  )
}
