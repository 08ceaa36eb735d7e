import { Text } from '@mantine/core'
import { FormLink, FormLinks } from '../session/login-form.tsx'
import {
  logOut,
  refreshSession,
  type Session,
  type SessionOrganization,
} from '../session/session.ts'
import { TwoFactorSteps } from '../session/two-factor/two-factor-steps.tsx'
import { useSwitchOrganization } from '../session/use-switch-organization.ts'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { tellFailure, tellSuccess } from '../ui/notices.tsx'
import { SessionDialog } from './session-dialog.tsx'

interface Props {
  session: Session
  organization: SessionOrganization
}

/** What stands in place of all pages of an organization that requires two-factor authentication. */
export function MustSetUpTwoFactor({ session, organization }: Props) {
  const change = useSwitchOrganization()
  const finish = async () => {
    await refreshSession()
    tellSuccess('Two-factor is on. Your other sessions have ended.')
  }
  return (
    <EntranceFrame title="Set up two-factor">
      <Text size="sm">
        {organization.name} requires two-factor authentication. Set it up to continue.
      </Text>
      <TwoFactorSteps email={session.user.email} onDone={finish} />
      <FormLinks>
        {session.organizations
          .filter(({ id }) => id !== organization.id)
          .map(({ id, name }) => (
            <FormLink key={id} onClick={() => void change(id)}>
              Go to {name}
            </FormLink>
          ))}
        <FormLink onClick={() => logOut().catch((error) => tellFailure('Still logged in', error))}>
          Log out
        </FormLink>
      </FormLinks>
      <SessionDialog />
    </EntranceFrame>
  )
}
