import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useDraft } from '../../../ui/draft.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { SecretShown } from './secret-shown.tsx'
import { valuesOf, WebhookForm } from './webhook-form.tsx'
import { type Webhook, webhookReads } from './webhook-words.ts'

/** Makes a webhook, and shows its secret once. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const draft = useDraft('webhook new', valuesOf(undefined))
  const create = useAction('POST /webhooks', { invalidates: webhookReads })
  return (
    <Modal opened onClose={onClose} title={t('New webhook')}>
      {secret === undefined ? (
        <WebhookForm
          draft={draft}
          action={t('Create')}
          onSubmit={async (body) => {
            const { data } = await create.mutateAsync({ body })
            // Receivers at a broker trust it, and seldom look at signatures.
            if (!data.mqtt) return setSecret(data.secret)
            tellSuccess(t('Webhook created.'))
            onClose()
          }}
          onClose={onClose}
        />
      ) : (
        <SecretShown secret={secret} onClose={onClose} />
      )}
    </Modal>
  )
}

export function ChangeWebhookDialog({
  webhook,
  onClose,
}: {
  webhook: Webhook
  onClose: () => void
}) {
  const draft = useDraft(`webhook ${webhook.id}`, valuesOf(webhook))
  const change = useAction('PATCH /webhooks/{webhook_id}', { invalidates: webhookReads })
  return (
    <Modal opened onClose={onClose} title={t('Edit {name}', { name: webhook.name })}>
      <WebhookForm
        webhook={webhook}
        draft={draft}
        action={t('Save')}
        onSubmit={async (body) => {
          await change.mutateAsync({ path: { webhook_id: String(webhook.id) }, body })
          tellSuccess(t('Webhook saved.'))
          onClose()
        }}
        onClose={onClose}
      />
    </Modal>
  )
}
