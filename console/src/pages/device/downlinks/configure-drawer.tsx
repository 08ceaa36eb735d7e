import { Drawer } from '@mantine/core'
import { useAction, useApi } from '../../../api/hooks.ts'
import { ConfigureForm } from '../../../downlinks/configure-form.tsx'
import type { Downlink } from '../../../downlinks/downlink-state.tsx'
import { ErrorNotice, tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'

interface ConfigureDrawerProps {
  eui: string
  opened: boolean
  downlinks: readonly Downlink[]
  onClose: () => void
}

/** The configuration form of one device, next to its messages. */
export function ConfigureDrawer({ eui, opened, downlinks, onClose }: ConfigureDrawerProps) {
  const path = { device_id: eui }
  const form = useApi(
    'GET /devices/{device_id}/configure/fields',
    { path },
    { enabled: opened, staleTime: 60_000 },
  )
  const send = useAction('POST /devices/{device_id}/configure', {
    invalidates: [
      'GET /devices/{device_id}/downlinks',
      'GET /devices/{device_id}/configure',
      'GET /fleet/downlinks',
    ],
  })
  return (
    <Drawer opened={opened} onClose={onClose} title="Configure" size="lg">
      {form.error && <ErrorNotice error={form.error} retry={() => void form.refetch()} />}
      {form.isPending && <LoadingLines />}
      {form.data && (
        <ConfigureForm
          sections={form.data.data.sections}
          previewDevice={eui}
          downlinks={downlinks}
          onSubmit={async (config_field) => {
            const { status, message } = await send.mutateAsync({ path, body: { config_field } })
            if (status) tellSuccess('The message is in the queue. Its way is shown in the list.')
            else tellFailure('The message failed', message)
            onClose()
          }}
        />
      )}
    </Drawer>
  )
}
