import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { refreshSession, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'

/** Ends the user's own membership. */
export function LeaveButton() {
  const [isAsked, setAsked] = useState(false)
  const { organization } = useSession()
  const leave = useAction('DELETE /organization/users/me', {
    onSuccess: () => {
      tellSuccess(t('You have left {name}.', { name: organization.name }))
      void refreshSession()
    },
  })
  return (
    <>
      <ActionButton variant="default" onClick={() => setAsked(true)}>
        {t('Leave')}
      </ActionButton>
      <Confirm
        opened={isAsked}
        title={t('Leave {name}?', { name: organization.name })}
        action={t('Leave')}
        onConfirm={() => leave.mutateAsync({})}
        onClose={() => setAsked(false)}
      >
        {t('You lose sight of its devices at once. To come back, somebody has to invite you.')}
      </Confirm>
    </>
  )
}
