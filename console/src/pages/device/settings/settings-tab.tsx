import { Stack } from '@mantine/core'
import { useMay } from '../../../session/session.ts'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { ComparisonCard } from './comparison-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { ExportCard } from './export-card.tsx'
import { IdentityCard } from './identity-card.tsx'
import { MoveCard } from './move-card.tsx'
import { SettingsCard } from './settings-form.tsx'

/** What can be changed about the device, here and at its network. */
export default function SettingsTab({ device }: { device: DeviceRecord }) {
  const mayChange = useMay('manage_devices')
  return (
    <Stack gap="md">
      <div className={classes.grid}>
        <SettingsCard key={device.id} device={device} />
        <IdentityCard device={device} />
        <ComparisonCard device={device} />
        <MoveCard device={device} />
        <ExportCard device={device} />
        {mayChange && <DeleteCard device={device} />}
      </div>
    </Stack>
  )
}
