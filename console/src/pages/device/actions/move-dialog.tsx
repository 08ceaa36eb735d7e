import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { TargetFields } from '../../../moves/target-fields.tsx'
import { startValues, type TargetValues, toTarget } from '../../../moves/target-form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
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
  })
  const networks = (data?.data ?? []).filter(
    ({ id, register_methods }) => id !== null && register_methods.length > 0,
  )
  const network = networks.find(({ key }) => key === values.network)
  const begin = async () => {
    if (!network) return
    const body = { ...toTarget(network, values), ...(deviceKey === '' ? {} : { deviceKey }) }
    await move.mutateAsync({ path: { device_id: device.device_id }, body })
    onMoved()
  }
  return (
    <FormDialog
      title={t('Move {devicename} to another network', { devicename: device.device_name })}
      action={t('Move the device')}
      blockedBy={network ? undefined : t('Choose a network.')}
      onSubmit={begin}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {error && <ErrorNotice error={error} retry={() => void refetch()} />}
          {!data && !error && <LoadingLines />}
          {data && (
            <TargetFields
              networks={networks}
              values={values}
              errorOf={errorOf}
              onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
            />
          )}
          <PasswordInput
            label={t('Device key')}
            description={
              device.has_key
                ? t('Only if the device has another key than the stored one.')
                : undefined
            }
            withAsterisk={!device.has_key}
            autoComplete="off"
            value={deviceKey}
            error={errorOf('deviceKey')}
            onChange={(event) => setDeviceKey(event.currentTarget.value.replace(/[^0-9a-f]/gi, ''))}
          />
        </>
      )}
    </FormDialog>
  )
}
