import { notifications } from '@mantine/notifications'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { tellFailure, tellSuccess } from '../ui/notices.tsx'
import type { Downlink } from './downlink-state.tsx'

/** Cancels one waiting message, and says truly what came of it. */
export function useCancel() {
  return useAction('DELETE /devices/{device_id}/downlinks/{downlink_id}', {
    invalidates: ['GET /devices/{device_id}/downlinks', 'GET /fleet/downlinks'],
    onSuccess: ({ data: { outcome, message } }) => {
      if (outcome === 'cancelled') tellSuccess(message)
      else tellNotCancelled(message)
    },
    onError: (error) => tellFailure(t('The message was not cancelled'), error),
  })
}

interface CancelButtonProps {
  downlink: Downlink
  cancel: ReturnType<typeof useCancel>
  isCancelling: boolean
}

export function CancelButton({ downlink, cancel, isCancelling }: CancelButtonProps) {
  const path = { device_id: downlink.device.device_id, downlink_id: String(downlink.id) }
  return (
    <ActionButton
      size="xs"
      variant="default"
      needs="manage_devices"
      loading={isCancelling}
      blockedBy={downlink.hindrance ?? undefined}
      onClick={() => cancel.mutate({ path })}
    >
      {t('Cancel this message')}
    </ActionButton>
  )
}

/** It stays until it is closed: the message may still arrive. */
function tellNotCancelled(message: string): void {
  notifications.show({ title: t('Not cancelled'), message, color: 'yellow', autoClose: false })
}
