import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { TargetFields } from '../../../moves/target-fields.tsx'
import {
  startValues,
  type TargetValues,
  targetFields,
  toTarget,
} from '../../../moves/target-form.ts'
import { ErrorNotice, FormError } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import type { DeviceRecord } from '../use-device.ts'

interface MoveDialogProps {
  device: DeviceRecord
  onMoved: () => void
  onClose: () => void
}

/** Chooses where the device moves to. */
export function MoveDialog({ device, onMoved, onClose }: MoveDialogProps) {
  const [values, setValues] = useState<TargetValues>(startValues)
  const [deviceKey, setDeviceKey] = useState('')
  const { data, error, refetch } = useApi('GET /fleet/networks', {})
  const move = useAction('POST /devices/{device_id}/move', {
    invalidates: ['GET /moves', 'GET /fleet/devices/{device_id}'],
    onSuccess: onMoved,
  })
  const networks = (data?.data ?? []).filter(
    ({ id, register_methods }) => id !== null && register_methods.length > 0,
  )
  const network = networks.find(({ key }) => key === values.network)
  const begin = () => {
    if (!network) return
    const body = { ...toTarget(network, values), ...(deviceKey === '' ? {} : { deviceKey }) }
    move.mutate({ path: { device_id: device.device_id }, body })
  }
  const errors = move.error?.errors ?? {}
  return (
    <Modal opened onClose={onClose} title={`Move ${device.device_name} to another network`}>
      <Stack>
        {error && <ErrorNotice error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingLines />}
        {data && (
          <TargetFields
            networks={networks}
            values={values}
            errors={errors}
            onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
          />
        )}
        <PasswordInput
          label="Device key"
          description={
            device.has_key ? 'Only if the device has another key than the stored one.' : undefined
          }
          withAsterisk={!device.has_key}
          autoComplete="off"
          value={deviceKey}
          error={errors.deviceKey?.join(' ')}
          onChange={(event) => setDeviceKey(event.currentTarget.value.replace(/[^0-9a-f]/gi, ''))}
        />
        <FormError error={move.error} fields={[...targetFields, 'deviceKey']} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={move.isPending} disabled={!network} onClick={begin}>
            Move the device
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
