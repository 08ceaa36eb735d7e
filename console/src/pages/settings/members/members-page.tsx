import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useIsLimited } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { FilterBar } from '../../../ui/list/filter-bar.tsx'
import { LeaveButton } from '../organization/leave-button.tsx'
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
  const answer = useApi(
    'GET /organization/users',
    { query },
    { enabled: !isLimited, keepsPrevious: true },
  )
  return (
    <SettingsPage
      title={t('Members')}
      description={
        answer.data &&
        t('{total, plural, one {# member} other {# members}}', { total: answer.data.meta.total })
      }
      actions={
        <>
          <LeaveButton />
          <ActionButton needs="manage_account" onClick={() => setInviting(true)}>
            {t('Invite')}
          </ActionButton>
        </>
      }
    >
      {isLimited ? (
        <Text size="sm" c="dimmed">
          {t('Your membership is limited to a group of devices: you do not see the other members.')}
        </Text>
      ) : (
        <FilterBar
          filters={[]}
          search={{
            label: t('Search members by name or e-mail'),
            placeholder: t('Name or e-mail'),
          }}
        />
      )}
      {!isLimited && <MembersTable answer={answer} search={search} />}
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
    </SettingsPage>
  )
}
