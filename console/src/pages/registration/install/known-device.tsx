import { Button } from '@mantine/core'
import type { Schemas } from '../../../api/generated.ts'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Notice } from '../../../ui/notice.tsx'

interface KnownDeviceProps {
  /** As far as it is entered. */
  eui: string
  onInstall: (device: Schemas['FleetDevice']) => void
}

/** Says that a device was registered before it was brought here: it lacks only its photos, place and notes. */
export function KnownDevice({ eui, onInstall }: KnownDeviceProps) {
  const query = { search: eui, limit: 1 }
  const { data } = useApi('GET /fleet/devices', { query }, { enabled: eui.length === 16 })
  const device = data?.data.find(({ device_id }) => device_id === eui)
  return (
    <div role="status">
      {device && (
        <Notice
          kind="good"
          title={t('{devicename} is registered already', { devicename: device.device_name })}
        >
          <Button size="sm" onClick={() => onInstall(device)}>
            {t('Install it')}
          </Button>
        </Notice>
      )}
    </div>
  )
}
