import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice, tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { Time } from '../../../ui/time.tsx'
import type { AlertChannel } from './channel-words.ts'
import { pushBar, subscribe } from './push.ts'

const invalidates = ['GET /push-subscriptions', 'GET /alert-channels'] as const

/** The browsers of the user that show alerts, and this one as another. */
export function PushCard({ channels }: { channels: readonly AlertChannel[] }) {
  const [isBusy, setBusy] = useState(false)
  const { data, error } = useApi('GET /push-subscriptions', {})
  const add = useAction('POST /push-subscriptions', { invalidates })
  const create = useAction('POST /alert-channels', { invalidates })
  const remove = useAction('DELETE /push-subscriptions/{subscription_id}', { invalidates })
  const bar = pushBar()
  const showHere = async (publicKey: string) => {
    setBusy(true)
    try {
      await add.mutateAsync({ body: await subscribe(publicKey) })
      if (!channels.some(({ kind }) => kind === 'push')) {
        await create.mutateAsync({ body: { name: t('My browsers'), kind: 'push' } })
      }
      tellSuccess(t('This browser shows alerts. Send a test to see one.'))
    } catch (problem) {
      tellFailure(t('This browser does not show alerts'), problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('Browsers and phones')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t(
            'This browser can show you alerts also while the console is closed. Your browser asks whether it may; a no is final until you change it in its settings. On a phone, add the console to the home screen first.',
          )}
        </Text>
        {error && <ErrorNotice error={error} />}
        {bar && (
          <Text size="sm" c="dimmed">
            {bar}
          </Text>
        )}
        {data && !bar && (
          <ActionButton
            variant="default"
            loading={isBusy}
            onClick={() => void showHere(data.public_key)}
          >
            {t('Show alerts in this browser')}
          </ActionButton>
        )}
        {data?.data.map(({ id, name, created_at }) => (
          <Group key={id} gap="xs">
            <Text size="sm" component="span">
              {rich('{name}, since {time}', { name, time: <Time value={created_at} /> })}
            </Text>
            <ActionButton
              size="compact-sm"
              variant="default"
              onClick={() => remove.mutate({ path: { subscription_id: String(id) } })}
            >
              {t('Remove')}
              <span className="visually-hidden"> {name}</span>
            </ActionButton>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
