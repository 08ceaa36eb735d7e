import { Group, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { useIsLimited } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { LeaveButton } from '../organization/leave-button.tsx'
import { Pages } from '../pages.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'

const perPage = 50

/** The members of the organization. */
export function MembersPage() {
  const { search, page } = useSearch({ from: '/shell/settings/members' })
  const [isInviting, setInviting] = useState(false)
  const isLimited = useIsLimited()
  const query = { itemsPerPage: perPage, page: page ?? 1, ...(search ? { search } : {}) }
  const { data, error, refetch } = useApi(
    'GET /organization/users',
    { query },
    { enabled: !isLimited, keepsPrevious: true },
  )
  return (
    <SettingsPage
      title="Members"
      description={data && countOf(data.meta.total, 'member')}
      actions={
        <>
          <LeaveButton />
          <ActionButton needs="manage_account" onClick={() => setInviting(true)}>
            Invite
          </ActionButton>
        </>
      }
    >
      {isLimited ? (
        <Text size="sm" c="dimmed">
          Your membership is limited to a group of devices: you do not see the other members.
        </Text>
      ) : (
        <MemberSearch />
      )}
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && !isLimited && <LoadingLines />}
      {data && data.data.length === 0 && (
        <EmptyState title="No member is found">
          No name and no e-mail contains “{search}”.
        </EmptyState>
      )}
      {data && data.data.length > 0 && <MembersTable members={data.data} />}
      {data && <Pages to="/settings/members" page={page ?? 1} last={data.meta.last_page} />}
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
    </SettingsPage>
  )
}

function MemberSearch() {
  const { search = '' } = useSearch({ from: '/shell/settings/members' })
  const navigate = useNavigate()
  return (
    <Group>
      <SearchField
        aria-label="Search members by name or e-mail"
        placeholder="Name or e-mail"
        value={search}
        onSearch={(text) =>
          void navigate({
            to: '/settings/members',
            search: { search: text || undefined },
            replace: true,
          })
        }
      />
    </Group>
  )
}
