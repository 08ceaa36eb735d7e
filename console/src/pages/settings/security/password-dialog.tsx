import { PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'

/** The token that a right password gives, for one change of the second factors. */
export async function proveWith(password: string): Promise<string> {
  const { token_2fa } = await call('POST /confirm-password-access', { body: { password } })
  return token_2fa
}

interface PasswordDialogProps {
  title: string
  action: string
  /** What will happen. */
  text: string
  onProved: (token: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password before a second factor is taken away. */
export function PasswordDialog({ title, action, text, onProved, onClose }: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const send = async () => {
    await onProved(await proveWith(password))
    onClose()
  }
  return (
    <FormDialog title={title} action={action} isDangerous onSubmit={send} onClose={onClose}>
      {(errorOf) => (
        <>
          <Text size="sm">{text}</Text>
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
