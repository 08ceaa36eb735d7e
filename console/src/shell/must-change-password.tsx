import { Text } from '@mantine/core'
import { t } from '../languages/text.ts'
import { ChangePasswordForm } from '../session/change-password-form.tsx'
import { FormLink, FormLinks } from '../session/login-form.tsx'
import { logOut } from '../session/session.ts'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { tellFailure, tellSuccess } from '../ui/notices.tsx'
import { SessionDialog } from './session-dialog.tsx'

/** What stands in place of all pages while somebody else may know the password. */
export function MustChangePassword() {
  return (
    <EntranceFrame title={t('Choose your own password')}>
      <Text size="sm">
        {t(
          'You did not choose this password yourself, so someone else may know it. Choose a new one to continue.',
        )}
      </Text>
      <ChangePasswordForm onChanged={() => tellSuccess(t('Your password is changed.'))} />
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
