import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { ApiKeyForm } from './api-key-form.tsx'
import { type ApiKey, apiKeyReads } from './api-key-words.ts'
import { KeyShown } from './key-shown.tsx'

/** Makes a key, and shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [value, setValue] = useState<string>()
  const create = useAction('POST /api-keys', {
    invalidates: apiKeyReads,
    onSuccess: ({ data }) => setValue(data.key),
  })
  return (
    <Modal opened onClose={onClose} title="New API key">
      {value === undefined ? (
        <ApiKeyForm
          action="Create"
          error={create.error}
          isPending={create.isPending}
          onSubmit={(body) => create.mutate({ body })}
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
  const change = useAction('PATCH /api-keys/{key_id}', {
    invalidates: apiKeyReads,
    onSuccess: () => {
      tellSuccess('The key is changed.')
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Change ${apiKey.name}`}>
      <ApiKeyForm
        apiKey={apiKey}
        action="Save"
        error={change.error}
        isPending={change.isPending}
        onSubmit={(body) => change.mutate({ path: { key_id: String(apiKey.id) }, body })}
        onClose={onClose}
      />
    </Modal>
  )
}

/** Makes another secret for the key, and shows it once. */
export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const [value, setValue] = useState<string>()
  const rotate = useAction('POST /api-keys/{key_id}/rotate', {
    invalidates: apiKeyReads,
    onSuccess: ({ data }) => setValue(data.key),
  })
  if (value !== undefined) {
    const note = 'The old key is valid for 24 hours more.'
    return (
      <Modal opened onClose={onClose} title={`New key of ${apiKey.name}`}>
        <KeyShown value={value} note={note} onClose={onClose} />
      </Modal>
    )
  }
  return (
    <Confirm
      opened
      title={`Make another key for ${apiKey.name}?`}
      action="Make another key"
      // It also closes itself after success, when the new key has to be shown.
      onClose={() => !rotate.isSuccess && !rotate.isPending && onClose()}
      onConfirm={() => rotate.mutateAsync({ path: { key_id: String(apiKey.id) }, body: {} })}
    >
      For 24 hours the old key is valid beside the new one, so your program can change at any time.
      If the old key has leaked, make a new one and revoke this.
    </Confirm>
  )
}

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const revoke = useAction('DELETE /api-keys/{key_id}', { invalidates: ['GET /api-keys'] })
  return (
    <Confirm
      opened
      title={`Revoke ${apiKey.name}?`}
      action="Revoke"
      onClose={onClose}
      onConfirm={async () => {
        await revoke.mutateAsync({ path: { key_id: String(apiKey.id) } })
        tellSuccess(`${apiKey.name} is revoked.`)
      }}
    >
      It ends at once: programs that use it are refused. What it has done stays in the activity.
    </Confirm>
  )
}
