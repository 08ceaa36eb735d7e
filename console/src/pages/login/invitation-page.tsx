import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { LoginProblem } from '../../session/login-form.tsx'
import { beginSession, sendCredentials, sessionIn } from '../../session/session.ts'
import { EntranceFrame } from '../../ui/entrance-frame.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

type Invitation = Answer<'POST /auth/invitation'>['data']

/** Where an invited person without a login chooses a password. */
export function InvitationPage() {
  // Browsers keep what is behind the `#` to themselves.
  const [token] = useState(() => location.hash.slice(1))
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /auth/invitation', { body: { token } }, { isAnonymous: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <EntranceFrame
      title={
        data ? t('Join {organization}', { organization: data.data.organization }) : t('Invitation')
      }
    >
      {error && <LoginProblem error={error} />}
      {!data && !error && <LoadingLines count={3} />}
      {data && <InvitationText invitation={data.data} />}
      {data?.data.has_login === false && <NewLoginForm token={token} email={data.data.email} />}
      {data?.data.has_login && (
        <LinkButton to="/login" search={{ next: '/settings/invitations' }}>
          {t('Log in to accept')}
        </LinkButton>
      )}
      {error && (
        <Link to="/login" size="sm">
          {t('Go to the login')}
        </Link>
      )}
    </EntranceFrame>
  )
}

function InvitationText({ invitation }: { invitation: Invitation }) {
  const { email, is_owner, invited_by, expires_at, has_login } = invitation
  return (
    <Text size="sm" c="dimmed">
      {is_owner
        ? t('{invitedby} invites {email} to own this new organization.', {
            invitedby: invited_by,
            email,
          })
        : t('{invitedby} invites {email}.', { invitedby: invited_by, email })}{' '}
      {rich('The invitation ends {time}.', { time: <Time value={expires_at} exact /> })}{' '}
      {has_login && t('You have a login already.')}
    </Text>
  )
}

function NewLoginForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { first_name: '', last_name: '', password: '' } })
  const accept = useAction('POST /auth/invitation/accept')
  const { submit, isBusy, error, errorOf } = useSubmit(async () => {
    const { password } = form.getValues()
    await accept.mutateAsync({ body: { token, ...form.getValues() } })
    const session = await sendCredentials({ email, password })
      .then(sessionIn)
      .catch(() => undefined)
    if (session) beginSession(session)
    void navigate({ to: session ? '/' : '/login' })
  })
  const isShown = errorOf('first_name', 'last_name', 'password') !== undefined
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== undefined && !isShown && <LoginProblem error={error} />}
        <TextInput
          label={t('E-mail')}
          type="email"
          name="email"
          autoComplete="username"
          readOnly
          value={email}
        />
        <Group grow align="flex-start">
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            required
            autoFocus
            {...form.getInputProps('first_name')}
            error={errorOf('first_name')}
          />
          <TextInput
            label={t('Last name')}
            autoComplete="family-name"
            required
            {...form.getInputProps('last_name')}
            error={errorOf('last_name')}
          />
        </Group>
        <PasswordInput
          label={t('Password')}
          description={t('8 characters or more; several words are easy to keep.')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
          error={errorOf('password')}
        />
        <Button type="submit" loading={isBusy}>
          {t('Join')}
        </Button>
      </Stack>
    </form>
  )
}
