import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import { ChangePasswordForm } from '../../../session/change-password-form.tsx'
import { useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TurnOffTwoFactor } from './turn-off-two-factor.tsx'

export function SecurityPage() {
  return (
    <SettingsPage title={t('Security')}>
      <Card title={t('Password')} note={t('A new password ends all your other sessions.')}>
        <ChangePasswordForm
          onChanged={() =>
            tellSuccess(t('Your password is changed. Your other sessions have ended.'))
          }
        />
      </Card>
      <TwoFactorSection />
      <PasskeysSection />
      <SessionsSection />
    </SettingsPage>
  )
}

function TwoFactorSection() {
  const { user } = useSession().session
  const [isTurningOff, setTurningOff] = useState(false)
  const note = t(
    'With two-factor, a login needs your password and a code from an app on your phone, or a passkey. A stolen password is then not enough.',
  )
  if (!user.two_factor) {
    return (
      <Card title={t('Two-factor authentication')} note={note}>
        <Group>
          <State kind="off">{t('Off')}</State>
          <LinkButton to="/settings/two-factor">{t('Set up')}</LinkButton>
        </Group>
      </Card>
    )
  }
  return (
    <Card title={t('Two-factor authentication')} note={note}>
      <Group gap="lg">
        <State kind="good">{t('On')}</State>
        <RecoveryCodesState left={user.recovery_codes_left} />
      </Group>
      <Group gap="xs">
        <LinkButton to="/settings/two-factor" variant="default">
          {user.authenticator ? t('New phone or recovery codes') : t('Set up the app')}
        </LinkButton>
        <ActionButton variant="default" onClick={() => setTurningOff(true)}>
          {t('Turn off')}
        </ActionButton>
      </Group>
      {isTurningOff && <TurnOffTwoFactor onClose={() => setTurningOff(false)} />}
    </Card>
  )
}

/** Few codes left, and a lost phone locks the user out. */
function RecoveryCodesState({ left }: { left: number }) {
  const words = t('{left, plural, one {# recovery code} other {# recovery codes}} left', { left })
  if (left > 3) return <Text size="sm">{words}</Text>
  return <State kind="warn">{t('{words}: make new ones', { words })}</State>
}
