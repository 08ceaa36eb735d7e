import { Text } from '@mantine/core'
import { t } from '../languages/text.ts'
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
    tellSuccess(t('Two-factor is on. Your other sessions have ended.'))
  }
  return (
    <EntranceFrame title={t('Set up two-factor')}>
      <Text size="sm">
        {t('{name} requires two-factor authentication. Set it up to continue.', {
          name: organization.name,
        })}
      </Text>
      <TwoFactorSteps email={session.user.email} onDone={finish} />
      <FormLinks>
        {session.organizations
          .filter(({ id }) => id !== organization.id)
          .map(({ id, name }) => (
            <FormLink key={id} onClick={() => void change(id)}>
              {t('Go to {name}', { name })}
            </FormLink>
          ))}
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
