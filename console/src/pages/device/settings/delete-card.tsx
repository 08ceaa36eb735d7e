import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/hooks.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import type { DeviceRecord } from '../use-device.ts'

/** Deletes the device here and at its network. */
export function DeleteCard({ device }: { device: DeviceRecord }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = async () => {
    await call('DELETE /devices/{device_id}', { path: { device_id: device.device_id } })
    void queryClient.invalidateQueries({ queryKey: keyOf('GET /fleet/devices') })
    tellSuccess(`${device.device_name} is deleted.`)
    await navigate({ to: '/devices' })
  }
  return (
    <Card title="Delete">
      <Text size="sm">
        The device is removed here
        {device.is_console_only ? '.' : ` and from ${device.network.name}.`}
      </Text>
      <div>
        <ActionButton
          color="red"
          variant="outline"
          needs="manage_devices"
          onClick={() => setAsking(true)}
        >
          Delete the device
        </ActionButton>
      </div>
      <Confirm
        opened={isAsking}
        title={`Delete ${device.device_name}?`}
        action="Delete the device"
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        {countOf(device.uplink_count, 'uplink')}, all measurements and waiting downlinks of it are
        not shown any more. This cannot be taken back.
      </Confirm>
    </Card>
  )
}
