import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { refreshSession, useSession } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { Section } from './section.tsx'
import { SettingsPage } from './settings-page.tsx'
import { ConfirmPasswordStep } from './two-factor/confirm-password-step.tsx'
import { KeepCodesStep } from './two-factor/keep-codes-step.tsx'
import { ProveAppStep } from './two-factor/prove-app-step.tsx'

/** What the steps have learned so far. */
type Progress =
  | { step: 1 }
  | { step: 2; token: string; image: string; secret: string }
  | { step: 3; token: string; secret: string; codes: string[] }

const titles = ['Your password', 'Your authenticator app', 'Recovery codes']

/** Sets two-factor up in three steps. Nothing changes before the last one is done. */
export function TwoFactorPage() {
  const { user } = useSession().session
  const [progress, setProgress] = useState<Progress>({ step: 1 })
  const navigate = useNavigate()
  const finish = async () => {
    await refreshSession()
    tellSuccess('Two-factor is on. Your other sessions have ended.')
    await navigate({ to: '/settings/security' })
  }
  return (
    <SettingsPage
      title={user.two_factor ? 'New two-factor set-up' : 'Set up two-factor'}
      above={<Link to="/settings/security">Security</Link>}
      description={
        user.two_factor
          ? 'The app and the recovery codes that you have now hold until the last step is done.'
          : 'Nothing changes before the last step is done.'
      }
    >
      <Section title={`Step ${progress.step} of 3: ${titles[progress.step - 1]}`}>
        {progress.step === 1 && (
          <ConfirmPasswordStep onDone={(given) => setProgress({ step: 2, ...given })} />
        )}
        {progress.step === 2 && (
          <ProveAppStep
            {...progress}
            onDone={(codes) => setProgress({ ...progress, step: 3, codes })}
          />
        )}
        {progress.step === 3 && <KeepCodesStep {...progress} email={user.email} onDone={finish} />}
      </Section>
    </SettingsPage>
  )
}
