import { Button, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Operations } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import { useSubmit } from '../ui/form.tsx'
import { FormLink, FormLinks, FormNote, keepsDialogsBelow, LoginProblem } from './login-form.tsx'
import type { Challenge, Session } from './session.ts'

const PasskeyButton = lazy(async () => ({
  default: (await import('./passkey-button.tsx')).PasskeyButton,
}))

export type FactorFields = Omit<Operations['POST /auth/sign-on/code']['body'], 'console_login'>

interface SecondFactorFormProps {
  /** Of a user who has some. */
  passkeys: Challenge['passkeys']
  /** Sends the code, with the first factor. */
  send: (factor: FactorFields) => Promise<Session | undefined>
  onSession: (session: Session) => void
  onBack: () => void
}

const kinds = {
  app: {
    label: t('Code of your authenticator app'),
    note: t('Your app shows six digits, which change every 30 seconds.'),
    other: t('Use a recovery code'),
    input: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  recovery: {
    label: t('Recovery code'),
    note: t('One of the codes that you kept when you set up two-factor. Each works once.'),
    other: t('Use the authenticator app'),
    input: { autoComplete: 'off', spellCheck: false },
  },
} as const

/** The second step of a login. Codes may be pasted, with blanks and hyphens. */
export function SecondFactorForm({ passkeys, send, onSession, onBack }: SecondFactorFormProps) {
  const [kind, setKind] = useState<keyof typeof kinds>(passkeys?.is_only ? 'recovery' : 'app')
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { label, note, other, input: attributes } = kinds[kind]
  const enter = async (factor: FactorFields) => {
    const session = await send(factor)
    if (session) onSession(session)
  }
  const { submit, isBusy, error, errorOf, forget } = useSubmit(async () => {
    try {
      await enter(factorOf(kind, code))
    } catch (problem) {
      input.current?.select()
      throw problem
    }
  })
  const change = () => {
    setKind(kind === 'app' ? 'recovery' : 'app')
    setCode('')
    forget()
    input.current?.focus()
  }
  const fieldProblem = errorOf('authentication_code', 'recovery_code')
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {passkeys && (
          <Suspense>
            <PasskeyButton token={passkeys.token} send={enter} />
          </Suspense>
        )}
        {error !== undefined && !fieldProblem && <LoginProblem error={error} />}
        <TextInput
          ref={input}
          label={label}
          name="code"
          required
          autoFocus={!passkeys}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={fieldProblem}
          {...attributes}
          {...keepsDialogsBelow}
        />
        <FormNote>{note}</FormNote>
        <Button type="submit" loading={isBusy} {...keepsDialogsBelow}>
          {t('Log in')}
        </Button>
        <FormLinks>
          {!passkeys?.is_only && <FormLink onClick={change}>{other}</FormLink>}
          <FormLink onClick={onBack}>{t('Back')}</FormLink>
        </FormLinks>
      </Stack>
    </form>
  )
}

function factorOf(kind: keyof typeof kinds, code: string) {
  return kind === 'app'
    ? ({ verify_2fa: 'yes', authentication_code: code.replace(/[\s-]/g, '') } as const)
    : ({ verify_2fa: 'no', recovery_code: code.trim() } as const)
}
