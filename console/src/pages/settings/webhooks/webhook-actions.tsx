import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretShown } from './secret-shown.tsx'
import { ChangeWebhookDialog } from './webhook-dialog.tsx'
import { type Webhook, webhookReads } from './webhook-words.ts'

type Open = 'change' | 'rotate' | 'replay' | 'delete'

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const button = (name: Open, label: string) => (
    <ActionButton variant="default" needs="manage_account" onClick={() => setOpen(name)}>
      {label}
    </ActionButton>
  )
  return (
    <>
      <PauseButton webhook={webhook} />
      {button('change', t('Change'))}
      {button('replay', t('Replay'))}
      {button('rotate', t('New secret'))}
      {button('delete', 'Delete')}
      {open === 'change' && <ChangeWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      <RotateDialog webhook={webhook} opened={open === 'rotate'} onClose={close} />
      <DeleteDialog webhook={webhook} opened={open === 'delete'} onClose={close} />
    </>
  )
}

function PauseButton({ webhook }: { webhook: Webhook }) {
  const options = {
    invalidates: webhookReads,
    onError: (error: unknown) => tellFailure(t('The webhook was not changed'), error),
  }
  const path = { webhook_id: String(webhook.id) }
  const pause = useAction('POST /webhooks/{webhook_id}/pause', options)
  const resume = useAction('POST /webhooks/{webhook_id}/resume', options)
  const { state } = webhook.health
  const isStopped = state === 'paused' || state === 'disabled'
  return (
    <ActionButton
      needs="manage_account"
      variant={isStopped ? 'filled' : 'default'}
      loading={pause.isPending || resume.isPending}
      onClick={() => (isStopped ? resume.mutate({ path, body: {} }) : pause.mutate({ path }))}
    >
      {isStopped ? t('Resume') : t('Pause')}
    </ActionButton>
  )
}

interface DialogProps {
  webhook: Webhook
  opened: boolean
  onClose: () => void
}

function RotateDialog({ webhook, opened, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string>()
  const rotate = useAction('POST /webhooks/{webhook_id}/rotate', {
    invalidates: webhookReads,
    onSuccess: ({ data }) => setSecret(data.secret),
  })
  const close = () => {
    setSecret(undefined)
    onClose()
  }
  if (secret !== undefined) {
    return (
      <Modal opened onClose={close} title={t('New secret')}>
        <SecretShown
          secret={secret}
          note={t('For 24 hours messages are signed with the old secret too.')}
          onClose={close}
        />
      </Modal>
    )
  }
  return (
    <Confirm
      opened={opened}
      title={t('Create another secret?')}
      action={t('Create another secret')}
      onClose={() => secret === undefined && onClose()}
      onConfirm={() => rotate.mutateAsync({ path: { webhook_id: String(webhook.id) }, body: {} })}
    >
      {t(
        'For 24 hours each message has two signatures, one with the old secret and one with the new, so the receiver can change at any time.',
      )}
    </Confirm>
  )
}

function DeleteDialog({ webhook, opened, onClose }: DialogProps) {
  const navigate = useNavigate()
  const remove = useAction('DELETE /webhooks/{webhook_id}', { invalidates: ['GET /webhooks'] })
  return (
    <Confirm
      opened={opened}
      title={t('Delete {name}?', { name: webhook.name })}
      action="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({ path: { webhook_id: String(webhook.id) } })
        tellSuccess(t('{name} is deleted.', { name: webhook.name }))
        await navigate({ to: '/settings/webhooks' })
      }}
    >
      {t(
        'Nothing more is sent, and what waits and its list of deliveries are gone. The uplinks stay: a new webhook can replay them.',
      )}
    </Confirm>
  )
}
