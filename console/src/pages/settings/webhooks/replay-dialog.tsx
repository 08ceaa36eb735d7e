import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { type Webhook, webhookReads } from './webhook-words.ts'

/** Sends the events of a time once more, or the dead letters. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [what, setWhat] = useState<'time' | 'dead'>('time')
  const [from, setFrom] = useState<string>()
  const [to, setTo] = useState<string>()
  const replay = useAction('POST /webhooks/{webhook_id}/replay', {
    invalidates: webhookReads,
  })
  const send = async () => {
    const { data } = await replay.mutateAsync({
      path: { webhook_id: String(webhook.id) },
      body: what === 'dead' ? { dead_letters: true } : { from, ...(to !== undefined && { to }) },
    })
    tellSuccess(
      t('{uplinks, plural, one {# event} other {# events}} will be sent.', {
        uplinks: data.uplinks + data.others,
      }),
    )
    onClose()
  }
  return (
    <FormDialog
      title={t('Send once more')}
      action={t('Send')}
      blockedBy={what === 'time' && from === undefined ? t('Choose when it begins.') : undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Radio.Group
        label={t('What')}
        description={t(
          'Each event has the id that it had before, so a receiver can drop what it has.',
        )}
        value={what}
        onChange={(value) => setWhat(value as 'time' | 'dead')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="time" label={t('The events of a time')} />
          <Radio
            value="dead"
            label={t('The dead letters ({deadletters})', {
              deadletters: webhook.health.dead_letters,
            })}
          />
        </Stack>
      </Radio.Group>
      {what === 'time' && (
        <>
          <DateTimeField label={t('From')} required value={from} onChange={setFrom} />
          <DateTimeField
            label={t('To')}
            description={t('Now, if it is left empty.')}
            value={to}
            onChange={setTo}
          />
        </>
      )}
    </FormDialog>
  )
}
