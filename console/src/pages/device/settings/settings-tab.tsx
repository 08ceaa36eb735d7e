import { Stack } from '@mantine/core'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { ComparisonCard } from './comparison-card.tsx'
import { IdentityCard } from './identity-card.tsx'
import { MoveCard } from './move-card.tsx'
import { SettingsCard } from './settings-form.tsx'

/** What can be changed about the device, here and at its network. */
export default function SettingsTab({ device }: { device: DeviceRecord }) {
  return (
    <Stack gap="md">
      <div className={classes.grid}>
        <SettingsCard key={device.id} device={device} />
        <IdentityCard device={device} />
        <ComparisonCard device={device} />
        <MoveCard device={device} />
      </div>
    </Stack>
  )
}
