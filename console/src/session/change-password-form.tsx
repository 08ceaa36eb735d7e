import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../api/hooks.ts'
import { ErrorNotice } from '../ui/notices.tsx'
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
    onSuccess: () => {
      form.reset()
      onChanged()
    },
    onError: ({ errors }) => form.setErrors(errors),
  })
  const hasOwnPlace = action.error && Object.keys(action.error.errors).length > 0
  return (
    <form onSubmit={form.onSubmit((body) => action.mutate({ body }))}>
      <Stack gap="sm" maw={400}>
        {action.error && !hasOwnPlace && <ErrorNotice error={action.error} />}
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
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description="8 characters or more; several words are easy to keep."
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" loading={action.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
