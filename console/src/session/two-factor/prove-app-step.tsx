import { Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { Form } from '../../ui/form.tsx'
import classes from './prove-app-step.module.css'

interface ProveAppStepProps {
  token: string
  /** The QR code, as SVG. */
  image: string
  secret: string
  onDone: (recoveryCodes: string[]) => void
}

/** Shows the secret for the app, and proves by a code that the app has it. */
export function ProveAppStep({ token, image, secret, onDone }: ProveAppStepProps) {
  const [code, setCode] = useState('')
  const send = async () => {
    const one_time_password = code.replace(/[\s-]/g, '')
    const body = { token, auth_type: 'authenticator', totp2fa_secret: secret } as const
    const { recovery_codes } = await call('POST /verify-two-factor-authentication', {
      body: { ...body, one_time_password },
    })
    onDone(recovery_codes)
  }
  return (
    <div className={classes.step}>
      <Scannable image={image} secret={secret} />
      <Form action={t('Next')} onSubmit={send}>
        {(errorOf) => (
          <TextInput
            label={t('Code that the app shows now')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={errorOf('one_time_password')}
          />
        )}
      </Form>
    </div>
  )
}

function Scannable({ image, secret }: { image: string; secret: string }) {
  return (
    <div className={classes.scannable}>
      <img
        className={classes.image}
        src={`data:image/svg+xml,${encodeURIComponent(image)}`}
        alt={t('QR code with the secret for the authenticator app')}
        width={200}
        height={200}
      />
      <Stack gap="xs">
        <Text size="sm">
          {t(
            'Scan this code with an authenticator app, such as the one of your phone’s maker, Aegis, or your password manager.',
          )}
        </Text>
        <Text size="sm">{t('Without a camera, type this secret into the app instead:')}</Text>
        <Group gap="xs">
          <Code className={classes.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </div>
  )
}
