import { Stack, Text } from '@mantine/core'
import { useAction, useApi } from '../../../api/hooks.ts'
import { useMay, useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

/** Whether members need two-factor authentication. */
export function RequiredTwoFactor() {
  const { data, error, refetch } = useApi('GET /organization/security', {})
  return (
    <Card
      title="Two-factor authentication"
      note="If it is required, members without it can only set it up. API keys are not affected."
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={1} />}
      {data && <Choice isRequired={data.data.require_two_factor} />}
    </Card>
  )
}

function Choice({ isRequired }: { isRequired: boolean }) {
  const { user } = useSession().session
  const mayManage = useMay('manage_account')
  const change = useAction('PATCH /organization/security', {
    invalidates: ['GET /organization/security', 'GET /auth/session'],
    onSuccess: ({ data }) =>
      tellSuccess(`Two-factor is now ${data.require_two_factor ? 'required' : 'optional'}.`),
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isRequired ? 'Required for every member.' : 'Optional for each member.'}
      </Text>
      {change.error && <ErrorNotice error={change.error} />}
      {mayManage && (
        <ActionButton
          style={{ alignSelf: 'flex-start' }}
          loading={change.isPending}
          blockedBy={
            isRequired || user.two_factor
              ? undefined
              : 'First set it up for yourself, under Security.'
          }
          onClick={() => change.mutate({ body: { require_two_factor: !isRequired } })}
        >
          {isRequired ? 'Make optional' : 'Require'}
        </ActionButton>
      )}
    </Stack>
  )
}
