import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangePasswordForm } from '../../../session/change-password-form.tsx'
import { useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TurnOffTwoFactor } from './turn-off-two-factor.tsx'

export function SecurityPage() {
  return (
    <SettingsPage title="Security">
      <Card title="Password" note="A new password ends all your other sessions.">
        <ChangePasswordForm
          onChanged={() => tellSuccess('Your password is changed. Your other sessions have ended.')}
        />
      </Card>
      <TwoFactorSection />
      <SessionsSection />
    </SettingsPage>
  )
}

function TwoFactorSection() {
  const { user } = useSession().session
  const [isTurningOff, setTurningOff] = useState(false)
  const note =
    'With two-factor, a login needs your password and a code from an app on your phone. A stolen password is then not enough.'
  if (!user.two_factor) {
    return (
      <Card title="Two-factor authentication" note={note}>
        <Group>
          <State kind="off">Off</State>
          <LinkButton to="/settings/two-factor">Set up</LinkButton>
        </Group>
      </Card>
    )
  }
  return (
    <Card title="Two-factor authentication" note={note}>
      <Group gap="lg">
        <State kind="good">On</State>
        <RecoveryCodesState left={user.recovery_codes_left} />
      </Group>
      <Group gap="xs">
        <LinkButton to="/settings/two-factor" variant="default">
          New phone or recovery codes
        </LinkButton>
        <ActionButton variant="default" onClick={() => setTurningOff(true)}>
          Turn off
        </ActionButton>
      </Group>
      {isTurningOff && <TurnOffTwoFactor onClose={() => setTurningOff(false)} />}
    </Card>
  )
}

/** Few codes left, and a lost phone locks the user out. */
function RecoveryCodesState({ left }: { left: number }) {
  const words = `${countOf(left, 'recovery code')} left`
  if (left > 3) return <Text size="sm">{words}</Text>
  return <State kind="warn">{words}: make new ones</State>
}
