import { Text } from '@mantine/core'
import { FormLink, FormLinks } from '../session/login-form.tsx'
import { ReceivedInvitations } from '../session/received-invitations.tsx'
import { logOut, type Session } from '../session/session.ts'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { tellFailure } from '../ui/notices.tsx'
import { SessionDialog } from './session-dialog.tsx'

/** What a user sees who is a member of no organization: invitations, if there are any. */
export function NoOrganization({ session }: { session: Session }) {
  return (
    <EntranceFrame title="No organization">
      <Text size="sm">
        You are logged in as {session.user.email}, and a member of no organization. Ask somebody who
        manages one to invite this address.
      </Text>
      <ReceivedInvitations />
      <FormLinks>
        <FormLink onClick={() => logOut().catch((error) => tellFailure('Still logged in', error))}>
          Log out
        </FormLink>
      </FormLinks>
      <SessionDialog />
    </EntranceFrame>
  )
}
