import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { Form } from '../../ui/form.tsx'

interface Given {
  token: string
  /** The QR code, as SVG. */
  image: string
  secret: string
}

/** Proves the password, and gets the secret for the app. */
export function ConfirmPasswordStep({ onDone }: { onDone: (given: Given) => void }) {
  const [password, setPassword] = useState('')
  const send = async () => {
    const { token_2fa: token } = await call('POST /confirm-password-access', {
      body: { password },
    })
    const { qr_image, secret } = await call('POST /generate-qr-image', { body: { token } })
    onDone({ token, image: qr_image, secret })
  }
  return (
    <Form action={t('Next')} onSubmit={send}>
      {(errorOf) => (
        <PasswordInput
          label={t('Current password')}
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errorOf('password')}
        />
      )}
    </Form>
  )
}
