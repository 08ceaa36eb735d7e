import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useSession } from '../session/session.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice, tellSuccess } from '../ui/notices.tsx'
import { alertReads } from './alert-words.ts'

type Suggested = Answer<'GET /alert-rules/suggestions'>['data'][number]

/** Rules that most fleets want, each off until somebody turns it on. Who does gets its mails, if there is a mail server. */
export function SuggestedRules({ suggested }: { suggested: readonly Suggested[] }) {
  const { user } = useSession().session
  const [busy, setBusy] = useState<string>()
  const create = useAction('POST /alert-rules', { invalidates: alertReads })
  const turnOn = async ({ rule }: Suggested) => {
    setBusy(rule.name)
    try {
      await create.mutateAsync({ body: { ...rule, recipients: [user.id] } })
      tellSuccess(t('{name}: the rule is on.', { name: rule.name }))
    } catch {
      // Shown below.
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Stack gap="sm">
      {suggested.map((one) => (
        <Group key={one.rule.name} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm">{one.rule.name}</Text>
            <Text size="xs" c="dimmed">
              {one.reason}
            </Text>
          </div>
          <ActionButton
            needs="manage_devices"
            variant="default"
            size="compact-sm"
            flex="none"
            aria-label={t('Turn on: {name}', { name: one.rule.name })}
            loading={busy === one.rule.name}
            onClick={() => void turnOn(one)}
          >
            {t('Turn on')}
          </ActionButton>
        </Group>
      ))}
      {create.error && <ErrorNotice error={create.error} />}
    </Stack>
  )
}
