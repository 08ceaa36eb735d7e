import { Text } from '@mantine/core'
import { t } from '../languages/text.ts'
import { FormLink, FormLinks } from '../session/login-form.tsx'
import { ReceivedInvitations } from '../session/received-invitations.tsx'
import { logOut, type Session } from '../session/session.ts'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { tellFailure } from '../ui/notices.tsx'
import { SessionDialog } from './session-dialog.tsx'

/** What a user sees who is a member of no organization: invitations, if there are any. */
export function NoOrganization({ session }: { session: Session }) {
  return (
    <EntranceFrame title={t('No organization')}>
      <Text size="sm">
        {t(
          'You are logged in as {email}, and a member of no organization. Ask somebody who manages one to invite this address.',
          { email: session.user.email },
        )}
      </Text>
      <ReceivedInvitations />
      <FormLinks>
        <FormLink
          onClick={() => logOut().catch((error) => tellFailure(t('Still logged in'), error))}
        >
          {t('Log out')}
        </FormLink>
      </FormLinks>
      <SessionDialog />
    </EntranceFrame>
  )
}
