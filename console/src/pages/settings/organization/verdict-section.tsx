import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DurationInput, durationWords } from '../../../ui/duration-input.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

/** When a device is silent whose usual interval is not known. */
export function VerdictSection() {
  const { data, error, refetch } = useApi('GET /organization/verdict', {})
  const mayManage = useMay('manage_account')
  const hours = data?.data.window_hours
  return (
    <Card
      title={t('Silent devices')}
      note={t(
        'A device is silent when it misses three of its usual messages. This time counts while it is not known how often it sends.',
      )}
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={1} />}
      {hours !== undefined && mayManage && <WindowForm key={hours} hours={hours} />}
      {hours !== undefined && !mayManage && (
        <Text size="sm">{t('Silent after {hours}.', { hours: durationWords(hours * 60) })}</Text>
      )}
    </Card>
  )
}

function WindowForm({ hours }: { hours: number }) {
  const [minutes, setMinutes] = useState<number | ''>(hours * 60)
  const change = useAction('PATCH /organization/verdict', {
    invalidates: [
      'GET /organization/verdict',
      'GET /fleet/summary',
      'GET /fleet/devices',
      'GET /fleet/groups',
    ],
    onSuccess: () => tellSuccess(t('The time is changed.')),
  })
  const wanted = Number(minutes) / 60
  return (
    <Stack gap="sm" maw={400}>
      <DurationInput
        label={t('Silent after')}
        units={['hours', 'days']}
        min={60}
        value={minutes}
        error={change.error?.errors.window_hours?.join(' ')}
        onChange={setMinutes}
      />
      {change.error && !change.error.errors.window_hours && <ErrorNotice error={change.error} />}
      <Group>
        <ActionButton
          needs="manage_account"
          loading={change.isPending}
          blockedBy={wanted === hours ? t('This is the time now.') : undefined}
          onClick={() => change.mutate({ body: { window_hours: wanted } })}
        >
          {t('Save')}
        </ActionButton>
      </Group>
    </Stack>
  )
}
