import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

export interface Invited {
  email: string
  /** The organization that the person will own; null for a membership. */
  newOrganization: string | null
}

interface InvitationLinkProps {
  invited: Invited
  onClose: () => void
}

/** What to do after an invitation: the person gets a link, which is made for this and shown once. */
export function InvitationLink({ invited, onClose }: InvitationLinkProps) {
  const { email, newOrganization } = invited
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation link', email, newOrganization],
    queryFn: () => makeLink(invited),
    // Another link ends the one that is shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Stack role="status">
      <Text size="sm">
        {t(
          '{email} is invited, for 14 days. Send them this link. It works once: they choose their own password, or log in if they have a login. No mail is sent.',
          { email },
        )}
      </Text>
      {data && <CopyField label={t('Link')} value={data} />}
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={1} />}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  )
}

async function makeLink({ email, newOrganization }: Invited): Promise<string> {
  // The most that an organization can have.
  const query = { itemsPerPage: 100 }
  const { data: sent } = await call('GET /organization/invitations', { query })
  const invitation = sent.find(
    (one) => one.email === email && one.new_organization === newOrganization,
  )
  if (!invitation) throw new Error(t('The invitation was answered or withdrawn meanwhile.'))
  const path = { id: String(invitation.id) }
  const { data } = await call('POST /organization/invitations/{id}/link', { path })
  return data.url
}

/** The same for an invitation of the list: its former link ends. */
export function InvitationLinkDialog({ invited, onClose }: InvitationLinkProps) {
  return (
    <Modal opened onClose={onClose} title={t('New invitation link')}>
      <InvitationLink invited={invited} onClose={onClose} />
    </Modal>
  )
}
