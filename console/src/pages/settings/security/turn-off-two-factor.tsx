import { PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { refreshSession } from '../../../session/session.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'

/** Asks for the password, and turns two-factor off. */
export function TurnOffTwoFactor({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const turnOff = async () => {
    const { token_2fa } = await call('POST /confirm-password-access', { body: { password } })
    const body = { token: token_2fa, auth_type: 'authenticator' } as const
    await call('POST /disable-authentication', { body })
    await refreshSession()
    tellSuccess(t('Two-factor is off. Your other sessions have ended.'))
    onClose()
  }
  return (
    <FormDialog
      title={t('Turn two-factor off?')}
      action={t('Turn off')}
      isDangerous
      onSubmit={turnOff}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            {t(
              'You will log in with only your password. Your app, passkeys and recovery codes stop working, and your other sessions end.',
            )}
          </Text>
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorOf('password')}
          />
        </>
      )}
    </FormDialog>
  )
}
