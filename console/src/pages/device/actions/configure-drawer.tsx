import { Drawer } from '@mantine/core'
import { useAction, useApi } from '../../../api/hooks.ts'
import { ConfigureForm } from '../../../downlinks/configure-form.tsx'
import { t } from '../../../languages/text.ts'
import { ErrorNotice, tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

interface ConfigureDrawerProps {
  eui: string
  /** The message is in the queue, or failed. */
  onSent: () => void
  onClose: () => void
}

/** The configuration form of one device. It starts from the last message of its kind. */
export function ConfigureDrawer({ eui, onSent, onClose }: ConfigureDrawerProps) {
  const path = { device_id: eui }
  const form = useApi('GET /devices/{device_id}/configure/fields', { path }, { staleTime: 60_000 })
  const sent = useApi('GET /devices/{device_id}/downlinks', { path, query: { limit: 50 } })
  const send = useAction('POST /devices/{device_id}/configure', {
    invalidates: [
      'GET /devices/{device_id}/downlinks',
      'GET /devices/{device_id}/configure',
      'GET /fleet/downlinks',
    ],
  })
  return (
    <Drawer opened onClose={onClose} title={t('Configure')} size="lg">
      {form.error && <ErrorNotice error={form.error} retry={() => void form.refetch()} />}
      {(form.isPending || sent.isPending) && <LoadingLines />}
      {form.data && !sent.isPending && (
        <ConfigureForm
          sections={form.data.data.sections}
          previewDevice={eui}
          downlinks={sent.data?.data ?? []}
          onSubmit={async (config_field) => {
            const { status, message } = await send.mutateAsync({ path, body: { config_field } })
            if (status) tellSuccess(t('Message queued. The list shows its delivery.'))
            else tellFailure(t('The message failed'), message)
            onClose()
            onSent()
          }}
        />
      )}
    </Drawer>
  )
}
