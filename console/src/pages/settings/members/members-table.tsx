import { Box, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { List } from '../../../ui/list/list.tsx'
import { EmptyState, tellSuccess } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { PermissionsDialog } from './permissions-dialog.tsx'
import { RightsText } from './roles.tsx'

export type Member = Answer<'GET /organization/users'>['data'][number]

interface MembersTableProps {
  answer: UseQueryResult<Answer<'GET /organization/users'>>
  search: string | undefined
}

export function MembersTable({ answer, search }: MembersTableProps) {
  const [changed, setChanged] = useState<Member>()
  const [removed, setRemoved] = useState<Member>()
  const [loggedOut, setLoggedOut] = useState<Member>()
  return (
    <>
      <List
        caption={t('Members')}
        answer={answer}
        keyOf={({ id }) => id}
        pageCount={answer.data?.meta.last_page}
        empty={
          <EmptyState title={t('No matching members')}>
            {t('No name and no e-mail contains “{search}”.', { search })}
          </EmptyState>
        }
        columns={[
          { title: t('Member'), cell: (member) => <Person member={member} /> },
          { title: t('May change'), cell: (member) => <Rights member={member} />, isExtra: true },
          {
            title: t('Last login'),
            cell: ({ last_login }) => <Time value={last_login} />,
            isExtra: true,
          },
          {
            title: t('Member since'),
            cell: ({ joined_on }) => <Time value={joined_on} />,
            isExtra: true,
          },
          {
            title: t('Actions'),
            cell: (member) => (
              <MemberActions
                member={member}
                onChange={() => setChanged(member)}
                onLogOut={() => setLoggedOut(member)}
                onRemove={() => setRemoved(member)}
              />
            ),
          },
        ]}
      />
      {changed && <PermissionsDialog member={changed} onClose={() => setChanged(undefined)} />}
      <EndSessions member={loggedOut} onClose={() => setLoggedOut(undefined)} />
      <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />
    </>
  )
}

function Person({ member }: { member: Member }) {
  const { session } = useSession()
  return (
    <>
      <Text size="sm" fw={500} lineClamp={2}>
        {member.name || member.email}
        {member.id === session.user.id && t(' (you)')}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {member.email}
      </Text>
      <Box hiddenFrom="sm">
        <Rights member={member} />
      </Box>
    </>
  )
}

function Rights({ member: { is_owner, role, permissions, group } }: { member: Member }) {
  if (is_owner) return <State kind="good">{t('Owner: everything')}</State>
  return <RightsText role={role} permissions={permissions} group={group} />
}

interface MemberActionsProps {
  member: Member
  onChange: () => void
  onLogOut: () => void
  onRemove: () => void
}

function MemberActions({ member, onChange, onLogOut, onRemove }: MemberActionsProps) {
  const { session } = useSession()
  const isOwn = member.id === session.user.id
  const name = member.name || member.email
  return (
    <Group gap={6}>
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        blockedBy={member.is_owner ? t('An owner has every permission.') : undefined}
        aria-label={t('Change the permissions of {name}', { name })}
        onClick={onChange}
      >
        {t('Permissions')}
      </ActionButton>
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        aria-label={t('End sessions of {name}', { name })}
        onClick={onLogOut}
      >
        {t('End sessions')}
      </ActionButton>
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        blockedBy={blockOf(member.is_owner, isOwn)}
        aria-label={t('Remove {name}', { name })}
        onClick={onRemove}
      >
        {t('Remove')}
      </ActionButton>
    </Group>
  )
}

function blockOf(isOwner: boolean, isOwn: boolean): string | undefined {
  if (isOwn) return t('This is you: “Leave” above ends your own membership.')
  return isOwner ? t('An owner cannot be removed.') : undefined
}

function EndSessions({ member, onClose }: { member: Member | undefined; onClose: () => void }) {
  const end = useAction('DELETE /organization/users/{user_id}/sessions', {})
  return (
    <Confirm
      opened={member !== undefined}
      title={t('End the sessions of {name}?', { name: member?.name || member?.email })}
      action={t('End sessions')}
      onClose={onClose}
      onConfirm={async () => {
        if (!member) return
        await end.mutateAsync({ path: { user_id: String(member.id) } })
        tellSuccess(t('The sessions have ended.'))
      }}
    >
      {t(
        'They must log in again to use this organization. Their other organizations and all API keys are not affected.',
      )}
    </Confirm>
  )
}

function RemoveMember({ member, onClose }: { member: Member | undefined; onClose: () => void }) {
  const remove = useAction('DELETE /organization/users/{user_id}', {
    invalidates: ['GET /organization/users'],
  })
  return (
    <Confirm
      opened={member !== undefined}
      title={t('Remove {name}?', { name: member?.name || member?.email })}
      action={t('Remove')}
      onClose={onClose}
      onConfirm={async () => {
        if (!member) return
        await remove.mutateAsync({ path: { user_id: String(member.id) } })
        tellSuccess(t('The membership has ended.'))
      }}
    >
      {t(
        'They keep their login and their other organizations. Secrets that they have seen go on being valid: API keys, device keys, tokens of gateways and callbacks of networks. Change those that matter.',
      )}
    </Confirm>
  )
}
