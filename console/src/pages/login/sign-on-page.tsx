import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Answer, call } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { LoginProblem } from '../../session/login-form.tsx'
import { type FactorFields, SecondFactorForm } from '../../session/second-factor-form.tsx'
import { beginSession, type Challenge, type Session } from '../../session/session.ts'
import { takeNext } from '../../session/sign-on-button.tsx'
import { EntranceFrame } from '../../ui/entrance-frame.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { isOwnAddress } from './own-address.ts'

type Outcome =
  | { state: 'waiting' }
  | { state: 'needs code'; challenge: Challenge }
  | { state: 'failed'; error: unknown }

let finishing: Promise<Answer<'POST /auth/sign-on/finish'>> | undefined

/** Sends what the provider has added to the address, once: it is good for one login. */
function finishOnce(): NonNullable<typeof finishing> {
  const query = location.search.slice(1)
  finishing ??= call('POST /auth/sign-on/finish', { body: { query } }, { isAnonymous: true })
  return finishing
}

/** Where the provider of single sign-on sends the browser back to. */
export function SignOnPage() {
  const navigate = useNavigate()
  const [outcome, setOutcome] = useState<Outcome>({ state: 'waiting' })
  const enter = (session: Session) => {
    const next = takeNext()
    beginSession(session)
    void navigate({ href: isOwnAddress(next) ? next : '/', replace: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sign-on ends once
  useEffect(() => {
    finishOnce().then(
      (answer) =>
        'data' in answer
          ? enter(answer.data)
          : setOutcome({ state: 'needs code', challenge: answer }),
      (error) => setOutcome({ state: 'failed', error }),
    )
  }, [])
  const sendCode = async (body: FactorFields) => {
    const { data } = await call('POST /auth/sign-on/code', { body }, { isAnonymous: true })
    return data
  }
  const goBack = () => void navigate({ to: '/login', replace: true })
  return (
    <EntranceFrame title={t('Log in')}>
      {outcome.state === 'waiting' && <LoadingLines count={3} />}
      {outcome.state === 'needs code' && (
        <SecondFactorForm
          passkeys={outcome.challenge.passkeys}
          send={sendCode}
          onSession={enter}
          onBack={goBack}
        />
      )}
      {outcome.state === 'failed' && (
        <>
          <LoginProblem error={outcome.error} />
          <LinkButton to="/login">{t('Go to the login')}</LinkButton>
        </>
      )}
    </EntranceFrame>
  )
}
