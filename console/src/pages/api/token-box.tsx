import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, basePath, call } from '../../api/client.ts'
import { rich, t } from '../../languages/text.ts'
import { useSession } from '../../session/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { CopiedText } from './copied-text.tsx'

interface TokenBoxProps {
  token: string | undefined
  onChange: (token: string | undefined) => void
}

/**
 * A token of the user's own, made on demand: the browser's session is in a cookie that no script can
 * read. Only the open page keeps the token.
 */
export function TokenBox({ token, onChange }: TokenBoxProps) {
  const [isOpen, setOpen] = useState(false)
  const end = async () => {
    if (token === undefined) return
    try {
      await endToken(token)
      onChange(undefined)
      tellSuccess(t('Token revoked.'))
    } catch (error) {
      tellFailure(t('The token was not revoked'), error)
    }
  }
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Token')}
      </Title>
      {token === undefined ? (
        <>
          <Text size="sm">
            {rich(
              'The examples below name {code}. Create a token, and they contain it filled in. For a program, make an ',
              { code: <code>$TOKEN</code> },
            )}
            <Link to="/settings/api-keys" underline="always">
              {t('API key')}
            </Link>
            {t(': it is no login, and does not end with yours.')}
          </Text>
          <Group>
            <Button
              variant="default"
              leftSection={<IconKey size={16} aria-hidden />}
              onClick={() => setOpen(true)}
            >
              {t('Create a token')}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Text size="sm">
            {t(
              'This token has your permissions. It is shown only until you leave this page, and listed among your sessions in Settings, Security.',
            )}
          </Text>
          <CopiedText label={t('token')} text={token} />
          <Group>
            <Button variant="default" onClick={() => void end()}>
              {t('Revoke token')}
            </Button>
          </Group>
        </>
      )}
      {isOpen && (
        <TokenDialog
          onClose={() => setOpen(false)}
          onToken={(made) => {
            onChange(made)
            setOpen(false)
          }}
        />
      )}
    </Stack>
  )
}

interface TokenDialogProps {
  onClose: () => void
  onToken: (token: string) => void
}

function TokenDialog({ onClose, onToken }: TokenDialogProps) {
  const { session } = useSession()
  const { email } = session.user
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const send = async () => {
    const answer = await makeToken(email, password, code)
    if (answer === undefined) setCode('')
    else onToken(answer)
  }
  return (
    <FormDialog
      title={t('Create a token')}
      action={t('Create token')}
      onSubmit={send}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            {t(
              'A token is as good as your password, so you are asked for it again. Give it only to programs.',
            )}
          </Text>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label={t('Your password')}
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {code !== undefined && (
            <TextInput
              label={t('Code of your authenticator')}
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={errorOf('authentication_code')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Undefined when a second factor is needed. */
async function makeToken(
  email: string,
  password: string,
  code: string | undefined,
): Promise<string | undefined> {
  const factor = code ? { authentication_code: code } : {}
  const answer = await call(
    'POST /auth/login',
    { body: { email, password, ...factor } },
    { isAnonymous: true },
  )
  return 'token' in answer ? answer.token : undefined
}

/** By the token itself: the browser's own session stays. */
async function endToken(token: string): Promise<void> {
  const response = await fetch(`${basePath}/v1/logout`, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    credentials: 'omit',
  })
  if (!response.ok && response.status !== 401) {
    throw new ApiError(
      response.status,
      t('The token could not be revoked. End its session in Settings, Security.'),
    )
  }
}
