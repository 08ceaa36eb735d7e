import { Button, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { showAtOnce } from '../../../api/show-at-once.ts'
import { t } from '../../../languages/text.ts'
import { ReceivedInvitations } from '../../../session/received-invitations.tsx'
import { useMay, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { List } from '../../../ui/list/list.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { Time } from '../../../ui/time.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { InvitationLinkDialog } from './invitation-link.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RightsText } from './roles.tsx'

type Sent = Answer<'GET /organization/invitations'>['data'][number]

export function InvitationsPage() {
  const { session, organization } = useSession()
  const may = useMay('manage_account')
  const [isInviting, setInviting] = useState(false)
  return (
    <SettingsPage
      title={t('Invitations')}
      actions={
        <ActionButton needs="manage_account" onClick={() => setInviting(true)}>
          {t('Invite')}
        </ActionButton>
      }
    >
      <Card title={t('For you')} note={t('Invitations of {email}.', { email: session.user.email })}>
        <ReceivedInvitations />
      </Card>
      <Card
        title={t('From {name}', { name: organization.name })}
        note={t('Not answered yet. Each expires after 14 days.')}
      >
        {may ? (
          <SentInvitations />
        ) : (
          <Text size="sm" c="dimmed">
            {t(
              'You cannot see them: they are for members who may manage the account. An owner can give you that permission.',
            )}
          </Text>
        )}
      </Card>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
    </SettingsPage>
  )
}

function SentInvitations() {
  const { page = 1 } = useSearch({ from: '/shell/settings/invitations' })
  const query = { page, itemsPerPage: 50 }
  const answer = useApi('GET /organization/invitations', { query }, { keepsPrevious: true })
  return (
    <List
      caption={t('Pending invitations')}
      answer={answer}
      keyOf={({ id }) => id}
      pageCount={answer.data?.meta.last_page}
      empty={
        <Text size="sm" c="dimmed">
          {t(
            'No pending invitations. “Invite” gives you a link for a new member, who chooses their own password.',
          )}
        </Text>
      }
      columns={[
        { title: t('For'), phone: 'title', cell: ({ email }) => email },
        { title: t('To'), cell: (invitation) => <Purpose invitation={invitation} /> },
        { title: t('By'), cell: ({ invited_by }) => invited_by, isExtra: true },
        {
          title: t('Expires'),
          cell: ({ expires_at }) => <Time value={expires_at} />,
          isExtra: true,
        },
        { title: t('Actions'), cell: (invitation) => <SentActions invitation={invitation} /> },
      ]}
    />
  )
}

function Purpose({ invitation }: { invitation: Sent }) {
  const { new_organization, role, permissions, group } = invitation
  if (new_organization) return t('Own {neworganization}', { neworganization: new_organization })
  return <RightsText role={role} permissions={permissions} group={group} />
}

function SentActions({ invitation: { id, email, new_organization } }: { invitation: Sent }) {
  const [isLinkShown, setLinkShown] = useState(false)
  const withdraw = useAction('DELETE /organization/invitations/{id}', {
    invalidates: ['GET /organization/invitations'],
  })
  const withdrawNow = async () => {
    const takeBack = showAtOnce('GET /organization/invitations', (list) => ({
      ...list,
      data: list.data.filter((sent) => sent.id !== id),
    }))
    try {
      await withdraw.mutateAsync({ path: { id: String(id) } })
      tellSuccess(t('The invitation of {email} is withdrawn.', { email }))
    } catch (error) {
      takeBack()
      tellFailure(t('The invitation was not withdrawn'), error)
    }
  }
  return (
    <Button.Group>
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        aria-label={t('New link for {email}', { email })}
        onClick={() => setLinkShown(true)}
      >
        {t('New link')}
      </ActionButton>
      {isLinkShown && (
        <InvitationLinkDialog
          invited={{ email, newOrganization: new_organization }}
          onClose={() => setLinkShown(false)}
        />
      )}
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        aria-label={t('Withdraw the invitation of {email}', { email })}
        onClick={() => void withdrawNow()}
      >
        {t('Withdraw')}
      </ActionButton>
    </Button.Group>
  )
}
