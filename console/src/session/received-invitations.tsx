import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { useAction, useApi } from '../api/hooks.ts'
import { rich, t } from '../languages/text.ts'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ErrorNotice, tellSuccess } from '../ui/notices.tsx'
import { LoadingLines } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { namePermissions } from './permissions.ts'
import { useSwitchOrganization } from './use-switch-organization.ts'

type Received = Answer<'GET /user/invitations'>['data'][number]

/** The invitations that wait for the user, each with its answers. */
export function ReceivedInvitations() {
  const { data, error, refetch } = useApi('GET /user/invitations', {})
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={2} />
  if (data.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('You have no invitations.')}
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      {data.data.map((invitation) => (
        <ReceivedInvitation key={invitation.id} invitation={invitation} />
      ))}
    </Stack>
  )
}

function ReceivedInvitation({ invitation }: { invitation: Received }) {
  const [isDeclining, setDeclining] = useState(false)
  const change = useSwitchOrganization()
  const path = { id: String(invitation.id) }
  const accept = useAction('POST /user/invitations/{id}/accept', {
    invalidates: ['GET /user/invitations', 'GET /auth/session'],
    onSuccess: ({ data }) => {
      tellSuccess(t('You are a member of {name} now.', { name: data.name }))
      void change(data.id)
    },
  })
  const decline = useAction('DELETE /user/invitations/{id}', {
    invalidates: ['GET /user/invitations'],
  })
  return (
    <Card>
      <Stack gap="xs">
        <InvitationText invitation={invitation} />
        {accept.error && <ErrorNotice error={accept.error} />}
        <Group gap="xs">
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate({ path })}>
            {t('Accept')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDeclining(true)}>
            {t('Decline')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={isDeclining}
        title={t('Decline the invitation?')}
        action={t('Decline')}
        onConfirm={() => decline.mutateAsync({ path })}
        onClose={() => setDeclining(false)}
      >
        {t('To join later you have to be invited again.')}
      </Confirm>
    </Card>
  )
}

function InvitationText({ invitation }: { invitation: Received }) {
  const { new_organization, organization, invited_by, permissions, expires_at } = invitation
  return (
    <div>
      <Text fw={600}>{new_organization ?? organization.name}</Text>
      <Text size="sm" c="dimmed">
        {new_organization
          ? t('To become the owner of this new organization below {name}', {
              name: organization.name,
            })
          : namePermissions(permissions)}
        {rich(', from {invitedby}; until {time}', {
          invitedby: invited_by,
          time: <Time value={expires_at} exact />,
        })}
      </Text>
    </div>
  )
}
