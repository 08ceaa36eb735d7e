import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
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
      tellSuccess(`You have left ${organization.name}.`)
      void refreshSession()
    },
  })
  return (
    <>
      <ActionButton variant="default" onClick={() => setAsked(true)}>
        Leave
      </ActionButton>
      <Confirm
        opened={isAsked}
        title={`Leave ${organization.name}?`}
        action="Leave"
        onConfirm={() => leave.mutateAsync({})}
        onClose={() => setAsked(false)}
      >
        You lose sight of its devices at once. To come back, somebody has to invite you.
      </Confirm>
    </>
  )
}
