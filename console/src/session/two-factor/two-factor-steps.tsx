import { Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../languages/text.ts'
import { ConfirmPasswordStep } from './confirm-password-step.tsx'
import { KeepCodesStep } from './keep-codes-step.tsx'
import { ProveAppStep } from './prove-app-step.tsx'

/** What the steps have learned so far. */
type Progress =
  | { step: 1 }
  | { step: 2; token: string; image: string; secret: string }
  | { step: 3; token: string; secret: string; codes: string[] }

const titles = [t('Your password'), t('Your authenticator app'), t('Recovery codes')]

/** Sets two-factor up in three steps. Nothing changes before the last one is done. */
export function TwoFactorSteps({ email, onDone }: { email: string; onDone: () => Promise<void> }) {
  const [progress, setProgress] = useState<Progress>({ step: 1 })
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('Step {step} of 3: {step2}', { step: progress.step, step2: titles[progress.step - 1] })}
      </Title>
      {progress.step === 1 && (
        <ConfirmPasswordStep onDone={(given) => setProgress({ step: 2, ...given })} />
      )}
      {progress.step === 2 && (
        <ProveAppStep
          {...progress}
          onDone={(codes) => setProgress({ ...progress, step: 3, codes })}
        />
      )}
      {progress.step === 3 && <KeepCodesStep {...progress} email={email} onDone={onDone} />}
    </Stack>
  )
}
