import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { t } from '../languages/text.ts'
import { useSubmit } from '../ui/form.tsx'
import { messageOf } from '../ui/notices.tsx'
import { type FactorFields, SecondFactorForm } from './second-factor-form.tsx'
import { type Challenge, type Session, sendCredentials, sessionIn } from './session.ts'

export interface Credentials {
  email: string
  password: string
}

interface LoginFormProps {
  /** The user who was logged in before. */
  email?: string | undefined
  onSession: (session: Session) => void
  /** Below the button, such as a link for a forgotten password. */
  children?: ReactNode
}

/** Mantine closes every open dialog on Escape, also those below. */
export const keepsDialogsBelow = { 'data-mantine-stop-propagation': 'true' } as const

/** E-mail and password, then the second factor where it is on. */
export function LoginForm({ email = '', onSession, children }: LoginFormProps) {
  const [credentials, setCredentials] = useState<Credentials>({ email, password: '' })
  const [challenge, setChallenge] = useState<Challenge>()
  if (challenge) {
    const back = () => setChallenge(undefined)
    const sendBoth = async (factor: FactorFields) =>
      sessionIn(await sendCredentials({ ...credentials, ...factor }))
    return (
      <SecondFactorForm
        passkeys={challenge.passkeys}
        send={sendBoth}
        onSession={onSession}
        onBack={back}
      />
    )
  }
  const send = async (given: Credentials) => {
    const answer = await sendCredentials(given)
    if ('data' in answer) return onSession(answer.data)
    setCredentials(given)
    setChallenge(answer)
  }
  return (
    <PasswordForm initial={credentials} send={send}>
      {children}
    </PasswordForm>
  )
}

interface PasswordFormProps {
  initial: Credentials
  send: (given: Credentials) => Promise<void>
  children?: ReactNode
}

function PasswordForm({ initial, send, children }: PasswordFormProps) {
  const form = useForm({ initialValues: initial })
  const { submit, isBusy, error, errorOf } = useSubmit(() => send(form.getValues()))
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== undefined && <LoginProblem error={error} />}
        <TextInput
          label={t('E-mail')}
          type="email"
          name="email"
          autoComplete="username"
          required
          data-autofocus={initial.email === '' || undefined}
          {...keepsDialogsBelow}
          {...form.getInputProps('email')}
          error={errorOf('email')}
        />
        <PasswordInput
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus={initial.email !== '' || undefined}
          {...keepsDialogsBelow}
          {...form.getInputProps('password')}
          error={errorOf('password')}
        />
        <Button type="submit" loading={isBusy} mt="xs" {...keepsDialogsBelow}>
          {t('Log in')}
        </Button>
        {children}
      </Stack>
    </form>
  )
}

/** Why a login was refused, and how long to wait after too many tries. */
export function LoginProblem({ error }: { error: unknown }) {
  const seconds = error instanceof ApiError ? error.retryAfter : undefined
  const isLimit = error instanceof ApiError && error.status === 429
  return (
    <Alert color="red" variant="outline" role="alert">
      {isLimit
        ? t('Too many wrong tries. Wait {seconds} seconds.', { seconds: seconds ?? 60 })
        : messageOf(error)}
    </Alert>
  )
}

/** A button that looks like a link, below a form. */
export function FormLink({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick} {...keepsDialogsBelow}>
      {children}
    </Anchor>
  )
}

export function FormLinks({ children }: { children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      {children}
    </Group>
  )
}

export function FormNote({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
