import { Stack } from '@mantine/core'
import { Logbook } from '../../../notes/logbook.tsx'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { AlertsCard } from './alerts-card.tsx'
import { BatteryCard } from './battery-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { PhotosCard } from './photos-card.tsx'
import { PlaceCard } from './place-card.tsx'
import { ReadingCard } from './reading-card.tsx'
import { RegistrationCard } from './registration-card.tsx'
import { SignalCard } from './signal-card.tsx'
import { SilenceCard } from './silence-card.tsx'
import { StateCard } from './state-card.tsx'

/** The state of a device at a glance. */
export function OverviewTab({ device }: { device: DeviceRecord }) {
  return (
    <Stack gap="md">
      <SilenceCard device={device} />
      <div className={classes.grid}>
        <ReadingCard device={device} />
        <StateCard device={device} />
        <BatteryCard device={device} />
        <SignalCard device={device} />
        <AlertsCard device={device} />
        <RegistrationCard device={device} />
        <NotesCard device={device} />
        <Logbook kind="device" id={device.device_id} />
        <PhotosCard device={device} />
        <PlaceCard device={device} />
      </div>
    </Stack>
  )
}
