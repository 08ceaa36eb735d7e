import { Stack, Text } from '@mantine/core'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
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
      title={t('Two-factor authentication')}
      note={t(
        'If it is required, members without it can only set it up. API keys are not affected.',
      )}
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
      tellSuccess(
        t('Two-factor is now {isRequiretwofactor, select, true {required} other {optional}}.', {
          isRequiretwofactor: data.require_two_factor,
        }),
      ),
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isRequired ? t('Required for every member.') : t('Optional for each member.')}
      </Text>
      {change.error && <ErrorNotice error={change.error} />}
      {mayManage && (
        <ActionButton
          style={{ alignSelf: 'flex-start' }}
          loading={change.isPending}
          blockedBy={
            isRequired || user.two_factor
              ? undefined
              : t('First set it up for yourself, under Security.')
          }
          onClick={() => change.mutate({ body: { require_two_factor: !isRequired } })}
        >
          {isRequired ? t('Make optional') : t('Require')}
        </ActionButton>
      )}
    </Stack>
  )
}
