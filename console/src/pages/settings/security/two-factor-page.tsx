import { useNavigate } from '@tanstack/react-router'
import { t } from '../../../languages/text.ts'
import { refreshSession, useSession } from '../../../session/session.ts'
import { TwoFactorSteps } from '../../../session/two-factor/two-factor-steps.tsx'
import { Link } from '../../../ui/link.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { SettingsPage } from '../settings-page.tsx'

export function TwoFactorPage() {
  const { user } = useSession().session
  const navigate = useNavigate()
  const finish = async () => {
    await refreshSession()
    tellSuccess(t('Two-factor is on. Your other sessions have ended.'))
    await navigate({ to: '/settings/security' })
  }
  return (
    <SettingsPage
      title={user.authenticator ? t('New two-factor set-up') : t('Set up two-factor')}
      above={<Link to="/settings/security">{t('Security')}</Link>}
      description={
        user.authenticator
          ? t('The app and the recovery codes that you have now hold until the last step is done.')
          : t('Nothing changes before the last step is done.')
      }
    >
      <TwoFactorSteps email={user.email} onDone={finish} />
    </SettingsPage>
  )
}
