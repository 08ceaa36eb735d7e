import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/hooks.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
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
    tellSuccess(`${device.device_name} is deleted.`)
    await navigate({ to: '/devices' })
  }
  return (
    <Confirm
      opened
      title={`Delete ${device.device_name}?`}
      action="Delete the device"
      onConfirm={remove}
      onClose={onClose}
    >
      {device.is_console_only
        ? 'The device is deleted here. No network knows it.'
        : `The device is deleted here and at ${device.network.name}.`}{' '}
      {`Its ${countOf(device.uplink_count, 'uplink')}, measurements and waiting downlinks are no longer shown, and its photos are deleted. This cannot be undone.`}
    </Confirm>
  )
}
