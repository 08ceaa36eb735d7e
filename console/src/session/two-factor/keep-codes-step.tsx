import { Button, Checkbox, CopyButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { saveFile } from '../../api/save-file.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import classes from './keep-codes-step.module.css'

interface KeepCodesStepProps {
  token: string
  secret: string
  codes: string[]
  email: string
  onDone: () => Promise<void>
}

/** Shows the recovery codes, this once, and turns two-factor on when they are kept. */
export function KeepCodesStep({ token, secret, codes, email, onDone }: KeepCodesStepProps) {
  const [isKept, setKept] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const finish = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const body = { token, auth_type: 'authenticator', totp2fa_secret: secret } as const
      await call('POST /complete-verification', { body })
      await onDone()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" maw={640}>
        {t(
          'Without your phone, each of these codes lets you in once. They are shown now and never again: keep them on paper or in a password manager, not on the phone itself.',
        )}
      </Text>
      <CodeSheet codes={codes} email={email} />
      <KeepButtons codes={codes} email={email} />
      <Checkbox
        label={t('I have kept the recovery codes')}
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      {problem !== undefined && <ErrorNotice error={problem} />}
      <ActionButton
        blockedBy={isKept ? undefined : t('First keep the codes: a lost phone would lock you out.')}
        loading={isBusy}
        onClick={() => void finish()}
      >
        {t('Turn two-factor on')}
      </ActionButton>
    </Stack>
  )
}

/** The only part of the page that is printed. */
export function CodeSheet({ codes, email }: { codes: string[]; email: string }) {
  return (
    <Paper withBorder p="md" className={classes.sheet} data-printed>
      <Text fw={600}>{t('Recovery codes')}</Text>
      <Text size="sm">
        {location.host} · {email}
      </Text>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Paper>
  )
}

export function KeepButtons({ codes, email }: { codes: string[]; email: string }) {
  const text = t(
    `Recovery codes of {email} at {host}

{join}
`,
    { email, host: location.host, join: codes.join('\n') },
  )
  return (
    <Group gap="xs">
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
      <Button
        size="xs"
        variant="default"
        onClick={() => saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
      >
        {t('Download')}
      </Button>
      <Button size="xs" variant="default" onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </Group>
  )
}
