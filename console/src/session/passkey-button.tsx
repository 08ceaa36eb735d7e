import { Button, Divider } from '@mantine/core'
import { startAuthentication } from '@simplewebauthn/browser'
import { useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import { t } from '../languages/text.ts'
import { keepsDialogsBelow, LoginProblem } from './login-form.tsx'
import type { FactorFields } from './second-factor-form.tsx'

interface PasskeyButtonProps {
  /** Of the login that waits for the second factor. */
  token: string
  send: (factor: FactorFields) => Promise<void>
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Proves the login with a passkey in place of a code. */
export function PasskeyButton({ token, send }: PasskeyButtonProps) {
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const prove = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await call(
        'POST /auth/passkey/options',
        { body: { token } },
        { isAnonymous: true },
      )
      const optionsJSON = data.publicKey as unknown as Options
      const credential = await startAuthentication({ optionsJSON })
      await send({ passkey: { token, credential } } as unknown as FactorFields)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {problem !== undefined && <LoginProblem error={problem} />}
      <Button
        type="button"
        loading={isBusy}
        data-autofocus
        onClick={() => void prove()}
        {...keepsDialogsBelow}
      >
        {t('Use a passkey')}
      </Button>
      <Divider label={t('or')} />
    </>
  )
}

function wordsOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) {
    return new Error(t('No passkey was used. Try again, or give a code.'))
  }
  if (error.errors.token)
    return new Error(t('The login has taken too long. Go back and begin again.'))
  if (error.errors.passkey) return new Error(t('The passkey was not accepted. Try again.'))
  return error
}
