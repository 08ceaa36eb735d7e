import { Button, CopyButton, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { showAtOnce } from '../../../api/show-at-once.ts'
import { namePermissions } from '../../../session/permissions.ts'
import { ReceivedInvitations } from '../../../session/received-invitations.tsx'
import { useMay, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice, tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { Pages } from '../pages.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { useGroupName } from './group-field.tsx'
import { invitationLink } from './invitation-done.tsx'
import { InviteDialog } from './invite-dialog.tsx'

type Sent = Answer<'GET /organization/invitations'>['data'][number]

export function InvitationsPage() {
  const { session, organization } = useSession()
  const may = useMay('manage_account')
  const [isInviting, setInviting] = useState(false)
  return (
    <SettingsPage
      title="Invitations"
      actions={
        <ActionButton needs="manage_account" onClick={() => setInviting(true)}>
          Invite
        </ActionButton>
      }
    >
      <Card title="For you" note={`Invitations of ${session.user.email}.`}>
        <ReceivedInvitations />
      </Card>
      <Card
        title={`From ${organization.name}`}
        note="They wait for an answer. Each expires after 14 days."
      >
        {may ? (
          <SentInvitations />
        ) : (
          <Text size="sm" c="dimmed">
            You cannot see them: they are for members who may manage the account. An owner can give
            you that permission.
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
  const { data, error, refetch } = useApi(
    'GET /organization/invitations',
    { query },
    { keepsPrevious: true },
  )
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={2} />
  if (data.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody is invited. “Invite” asks somebody to become a member: they answer with their own
        login.
      </Text>
    )
  }
  return (
    <>
      <SentTable invitations={data.data} />
      <Pages to="/settings/invitations" page={page} last={data.meta.last_page} />
    </>
  )
}

function SentTable({ invitations }: { invitations: readonly Sent[] }) {
  return (
    <PlainTable
      caption="Invitations that wait for an answer"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { title: 'For', cell: ({ email }) => email },
        { title: 'To', cell: (invitation) => <Purpose invitation={invitation} /> },
        { title: 'By', cell: ({ invited_by }) => invited_by, isExtra: true },
        { title: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} />, isExtra: true },
        { title: 'Actions', cell: (invitation) => <SentActions invitation={invitation} /> },
      ]}
    />
  )
}

function Purpose({ invitation: { new_organization, permissions, group } }: { invitation: Sent }) {
  const name = useGroupName(group)
  if (new_organization) return `Own ${new_organization}`
  return namePermissions(permissions) + (name === undefined ? '' : `, only ${name}`)
}

function SentActions({ invitation: { id, email } }: { invitation: Sent }) {
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
      tellSuccess(`The invitation of ${email} is withdrawn.`)
    } catch (error) {
      takeBack()
      tellFailure('The invitation still waits', error)
    }
  }
  return (
    <Button.Group>
      <CopyButton value={invitationLink()}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy link'}
          </Button>
        )}
      </CopyButton>
      <ActionButton
        size="compact-xs"
        variant="default"
        needs="manage_account"
        aria-label={`Withdraw the invitation of ${email}`}
        onClick={() => void withdrawNow()}
      >
        Withdraw
      </ActionButton>
    </Button.Group>
  )
}
