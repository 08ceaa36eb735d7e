import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import type { DeviceRecord } from '../use-device.ts'

interface DeleteDialogProps {
  device: DeviceRecord
  onClose: () => void
}

/** Deletes the device here and at its network. */
export function DeleteDialog({ device, onClose }: DeleteDialogProps) {
  const navigate = useNavigate()
  const remove = async () => {
    await call('DELETE /devices/{device_id}', { path: { device_id: device.device_id } })
    void queryClient.invalidateQueries({ queryKey: keyOf('GET /fleet/devices') })
    tellSuccess(t('{devicename} is deleted.', { devicename: device.device_name }))
    await navigate({ to: '/devices' })
  }
  return (
    <Confirm
      opened
      title={t('Delete {devicename}?', { devicename: device.device_name })}
      action={t('Delete the device')}
      onConfirm={remove}
      onClose={onClose}
    >
      {device.is_console_only
        ? t('The device is deleted here. No network knows it.')
        : t('The device is deleted here and at {name}.', { name: device.network.name })}{' '}
      {t(
        'Its {uplinkcount, plural, one {# uplink} other {# uplinks}}, measurements and waiting downlinks are no longer shown, and its photos are deleted. This cannot be undone.',
        { uplinkcount: device.uplink_count },
      )}
    </Confirm>
  )
}
