import { Modal, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/draft.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { ApiKeyForm, valuesOf } from './api-key-form.tsx'
import { type ApiKey, apiKeyReads } from './api-key-words.ts'
import { KeyShown } from './key-shown.tsx'

/** Makes a key, and shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [value, setValue] = useState<string>()
  const draft = useDraft('api key new', valuesOf(undefined))
  const create = useAction('POST /api-keys', { invalidates: apiKeyReads })
  return (
    <Modal opened onClose={onClose} title={t('New API key')}>
      {value === undefined ? (
        <ApiKeyForm
          draft={draft}
          action={t('Create')}
          onSubmit={async (body) => setValue((await create.mutateAsync({ body })).data.key)}
          onClose={onClose}
        />
      ) : (
        <KeyShown value={value} onClose={onClose} />
      )}
    </Modal>
  )
}

interface KeyDialogProps {
  apiKey: ApiKey
  onClose: () => void
}

export function ChangeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const draft = useDraft(`api key ${apiKey.id}`, valuesOf(apiKey))
  const change = useAction('PATCH /api-keys/{key_id}', { invalidates: apiKeyReads })
  return (
    <Modal opened onClose={onClose} title={t('Edit {name}', { name: apiKey.name })}>
      <ApiKeyForm
        apiKey={apiKey}
        draft={draft}
        action={t('Save')}
        onSubmit={async (body) => {
          await change.mutateAsync({ path: { key_id: String(apiKey.id) }, body })
          tellSuccess(t('Key saved.'))
          onClose()
        }}
        onClose={onClose}
      />
    </Modal>
  )
}

/** Makes another secret for the key, and shows it once. */
export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const [value, setValue] = useState<string>()
  const [overlap, setOverlap] = useState('24')
  const rotate = useAction('POST /api-keys/{key_id}/rotate', { invalidates: apiKeyReads })
  const send = async () => {
    const { data } = await rotate.mutateAsync({
      path: { key_id: String(apiKey.id) },
      body: { overlap_hours: Number(overlap) },
    })
    setValue(data.key)
  }
  const title = t('Another key for {name}', { name: apiKey.name })
  if (value !== undefined) {
    return (
      <Modal opened onClose={onClose} title={title}>
        <KeyShown value={value} onClose={onClose} />
      </Modal>
    )
  }
  return (
    <FormDialog title={title} action={t('Create another key')} onSubmit={send} onClose={onClose}>
      <Radio.Group label={t('The old key')} value={overlap} onChange={setOverlap}>
        <Stack gap="xs" mt="xs">
          {overlaps.map(([hours, label]) => (
            <Radio key={hours} value={hours} label={label} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}

/** Hours for which the old key still works next to the new one. */
const overlaps = [
  ['24', t('is valid for 24 hours more, so the program can change at any time')],
  ['168', t('is valid for a week more')],
  ['0', t('ends at once, because others may know it')],
] as const

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const revoke = useAction('DELETE /api-keys/{key_id}', { invalidates: ['GET /api-keys'] })
  return (
    <Confirm
      opened
      title={t('Revoke {name}?', { name: apiKey.name })}
      action={t('Revoke')}
      onClose={onClose}
      onConfirm={async () => {
        await revoke.mutateAsync({ path: { key_id: String(apiKey.id) } })
        tellSuccess(t('{name} is revoked.', { name: apiKey.name }))
      }}
    >
      {t('It stops working at once. What it has done stays in the activity.')}
    </Confirm>
  )
}
