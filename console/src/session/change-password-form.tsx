import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { Form } from '../ui/form.tsx'
import { useSession } from './session.ts'

interface ChangePasswordFormProps {
  onChanged: () => void
}

/** The current password and a new one. */
export function ChangePasswordForm({ onChanged }: ChangePasswordFormProps) {
  const { session } = useSession()
  const form = useForm({ initialValues: { current_password: '', password: '' } })
  const action = useAction('POST /user/password', {
    invalidates: ['GET /auth/session', 'GET /user/sessions'],
  })
  const send = async () => {
    await action.mutateAsync({ body: form.getValues() })
    form.reset()
    onChanged()
  }
  return (
    <Form action={t('Change the password')} onSubmit={send}>
      {(errorOf) => (
        <>
          {/* Password managers store the new password under this name. */}
          <input
            type="text"
            autoComplete="username"
            value={session.user.email}
            readOnly
            hidden
            aria-hidden
          />
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            required
            {...form.getInputProps('current_password')}
            error={errorOf('current_password')}
          />
          <PasswordInput
            label={t('New password')}
            description={t('8 characters or more; several words are easy to keep.')}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
            error={errorOf('password')}
          />
        </>
      )}
    </Form>
  )
}
