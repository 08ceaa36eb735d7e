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
      The device is removed here
      {device.is_console_only ? '' : ` and from ${device.network.name}`}.{' '}
      {countOf(device.uplink_count, 'uplink')}, all measurements and waiting downlinks of it are not
      shown any more. This cannot be taken back.
    </Confirm>
  )
}
