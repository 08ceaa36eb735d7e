import { call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { refreshSession } from '../../../session/session.ts'
import { tellSuccess } from '../../../ui/notices.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the password, and turns two-factor off. */
export function TurnOffTwoFactor({ onClose }: { onClose: () => void }) {
  const turnOff = async (token: string) => {
    const body = { token, auth_type: 'authenticator' } as const
    await call('POST /disable-authentication', { body })
    await refreshSession()
    tellSuccess(t('Two-factor is off. Your other sessions have ended.'))
  }
  return (
    <PasswordDialog
      title={t('Turn two-factor off?')}
      action={t('Turn off')}
      text={t(
        'You will log in with only your password. Your app, passkeys and recovery codes stop working, and your other sessions end.',
      )}
      onProved={turnOff}
      onClose={onClose}
    />
  )
}
