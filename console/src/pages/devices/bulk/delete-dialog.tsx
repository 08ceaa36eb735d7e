import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import { Form } from '../../../ui/form.tsx'
import { type Chosen, startJob } from './start-job.ts'

interface DeleteDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Beyond so many devices their number has to be typed. */
const mostUntyped = 20

export function DeleteDialog({ chosen, onStarted, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState(0)
  const count = chosen.ids.length
  const needsTyping = count > mostUntyped
  const isSure = !needsTyping || typed.replace(/[\s,.]/g, '') === String(count)
  return (
    <Form
      action={t('Delete {count, plural, one {# device} other {# devices}}', { count })}
      blockedBy={isSure ? undefined : t('Type the number first.')}
      isDangerous
      onSubmit={async () => onStarted(await startJob({ kind: 'delete' }, chosen, setDone))}
      onClose={onClose}
    >
      <Text size="sm">
        {count === 1
          ? t(
              'The device is deleted here and at its network. Its uplinks are no longer shown, and its photos are deleted. This cannot be undone.',
            )
          : t(
              'The devices are deleted here and at their networks. Their uplinks are no longer shown, and their photos are deleted. This cannot be undone.',
            )}
      </Text>
      {needsTyping && (
        <TextInput
          data-autofocus
          label={t('Type {count} to confirm', { count })}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {done > 0 && (
        <Text size="sm" role="status">
          {t('{done} of {count} read', { done, count })}
        </Text>
      )}
    </Form>
  )
}
