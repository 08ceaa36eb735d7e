import { Alert, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { FormLinks, LoginProblem } from '../../session/login-form.tsx'
import { EntranceFrame } from '../../ui/entrance-frame.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { tellSuccess } from '../../ui/notices.tsx'

/** Asks for a code by mail, and sets a new password with it. */
export function ForgottenPasswordPage() {
  const { step } = useSearch({ from: '/forgotten-password' })
  const [sentTo, setSentTo] = useState<string>()
  if (step === 'code') {
    return (
      <EntranceFrame title={t('New password')}>
        <NewPasswordForm sentTo={sentTo} />
        <FormLinks>
          <Link to="/forgotten-password" size="sm">
            {t('No code yet?')}
          </Link>
          <Link to="/login" size="sm">
            {t('Back to login')}
          </Link>
        </FormLinks>
      </EntranceFrame>
    )
  }
  return (
    <EntranceFrame title={t('Forgotten password')}>
      <MailForm onSent={setSentTo} />
      <WithoutMail />
      <FormLinks>
        <Link to="/forgotten-password" search={{ step: 'code' }} size="sm">
          {t('I have a code')}
        </Link>
        <Link to="/login" size="sm">
          {t('Back to login')}
        </Link>
      </FormLinks>
    </EntranceFrame>
  )
}

function MailForm({ onSent }: { onSent: (email: string) => void }) {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const action = useAction('POST /auth/password-reset')
  const { submit, isBusy, error } = useSubmit(async () => {
    await action.mutateAsync({ body: { email } })
    onSent(email)
    void navigate({ to: '/forgotten-password', search: { step: 'code' } })
  })
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== undefined && <LoginProblem error={error} />}
        <TextInput
          label={t('E-mail')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {t('Send code')}
        </Button>
      </Stack>
    </form>
  )
}

/** Not every service sends mails; who runs it can always help. */
function WithoutMail() {
  return (
    <Text size="sm" c="dimmed" component="div">
      {t(
        'Does no mail come within minutes? Then this service may not send any. Whoever runs it can set a new password on its machine: ',
      )}
      <Code>{t('npx --no-install lora-console user reset-password E-MAIL')}</Code>
    </Text>
  )
}

function NewPasswordForm({ sentTo }: { sentTo: string | undefined }) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { token: '', password: '' } })
  const action = useAction('POST /auth/password-reset/confirm')
  const { submit, isBusy, error, errorOf } = useSubmit(async () => {
    const { token, password } = form.getValues()
    await action.mutateAsync({ body: { token: token.trim(), password } })
    tellSuccess(t('Your password is changed. Log in with the new one.'))
    void navigate({ to: '/login' })
  })
  const isShown = errorOf('token', 'password') !== undefined
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {sentTo && (
          <Alert variant="outline">
            {t(
              'If a user has {sentTo}, a mail with a code is on its way. It holds for 30 minutes.',
              { sentTo },
            )}
          </Alert>
        )}
        {error !== undefined && !isShown && <LoginProblem error={error} />}
        <TextInput
          label={t('Code from the mail')}
          autoComplete="one-time-code"
          spellCheck={false}
          required
          autoFocus
          {...form.getInputProps('token')}
          error={errorOf('token')}
        />
        <PasswordInput
          label={t('New password')}
          description={t('8 characters or more; several words are easy to keep.')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
          error={errorOf('password')}
        />
        <Button type="submit" loading={isBusy}>
          {t('Set password')}
        </Button>
      </Stack>
    </form>
  )
}
