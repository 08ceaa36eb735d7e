import { Modal, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { t } from '../languages/text.ts'
import { answerNotNow, answerWith } from '../session/expiry.ts'
import { FormLink, FormLinks, LoginForm } from '../session/login-form.tsx'
import { useSessionQuery } from '../session/session.ts'
import { SignOnButton } from '../session/sign-on-button.tsx'

/** Asks for the password over the page when the session has ended. Nothing typed is lost. */
export function LogInAgain() {
  const { data: session } = useSessionQuery()
  const { href } = useLocation()
  return (
    <Modal
      opened
      onClose={answerNotNow}
      title={t('Log in again')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={1000}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t(
            'Your session has ended. Log in to go on: the page is as you left it, and what you have typed is still there.',
          )}
        </Text>
        <LoginForm email={session?.user.email} onSession={answerWith}>
          <FormLinks>
            <FormLink onClick={answerNotNow}>{t('Not now')}</FormLink>
          </FormLinks>
          {session?.sign_on && <SignOnButton next={href} />}
        </LoginForm>
      </Stack>
    </Modal>
  )
}
