import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../../languages/text.ts'
import { FormLinks, LoginForm } from '../../session/login-form.tsx'
import { beginSession, type Session, useSessionQuery } from '../../session/session.ts'
import { SignOnButton } from '../../session/sign-on-button.tsx'
import { EntranceFrame } from '../../ui/entrance-frame.tsx'
import { Link } from '../../ui/link.tsx'
import { isOwnAddress } from './own-address.ts'

/** Logs in, and goes to the page that was asked for. */
export function LoginPage() {
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/login' })
  const { data: session } = useSessionQuery()
  const target = isOwnAddress(next) ? next : '/'
  useEffect(() => {
    if (session) void navigate({ href: target, replace: true })
  }, [session, target, navigate])
  const enter = (begun: Session) => beginSession(begun)
  return (
    <EntranceFrame title={t('Log in')} isWaitingFor={next !== undefined}>
      <LoginForm onSession={enter}>
        <FormLinks>
          <Link to="/forgotten-password" size="sm">
            {t('Forgotten your password?')}
          </Link>
        </FormLinks>
        <SignOnButton next={target} />
      </LoginForm>
    </EntranceFrame>
  )
}
