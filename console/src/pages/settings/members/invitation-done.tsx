import { Button, Group, Stack, Text } from '@mantine/core'
import { basePath } from '../../../api/client.ts'
import { CopyField } from '../../../ui/copy-field.tsx'

interface InvitationDoneProps {
  email: string
  isInvited: boolean
  onClose: () => void
}

/** Where an invited person answers. The service mails no invitations. */
export function invitationLink(): string {
  return `${location.origin}${basePath}/settings/invitations`
}

/** What to do after an invitation: the person has to hear of it. */
export function InvitationDone({ email, isInvited, onClose }: InvitationDoneProps) {
  return (
    <Stack role="status">
      <Text size="sm">
        {isInvited
          ? `${email} is invited, for 14 days. No mail is sent: send them this link. They answer there after logging in as ${email}.`
          : `${email} is a member now. Tell them the password, and where to log in:`}
      </Text>
      <CopyField label="Link" value={invitationLink()} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
