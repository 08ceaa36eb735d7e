import { Group, Text } from '@mantine/core'
import { Condition } from '../../condition/condition.tsx'
import { Eui } from '../../ui/eui.tsx'
import { readingText } from '../../ui/formats.ts'
import { Time } from '../../ui/time.tsx'
import classes from './device.module.css'
import type { DeviceRecord } from './use-device.ts'

/** What one wants to know of a device before anything else: its reading, and its state in one line. */
export function DeviceHeader({ device }: { device: DeviceRecord }) {
  const { reading } = device
  return (
    <>
      {reading && (
        <p className={classes.reading}>
          <strong>{readingText(reading)}</strong> <Time value={reading.time} />
        </p>
      )}
      <Facts device={device} />
    </>
  )
}

function Facts({ device }: { device: DeviceRecord }) {
  return (
    <Group gap="xs" mt={4}>
      <Eui value={device.device_id} label="DevEUI" />
      <Text span size="sm">
        {device.device_type.name} · {device.network.name}
      </Text>
      <Condition verdict={device.verdict} />
      <LastHeard device={device} />
    </Group>
  )
}

export function LastHeard({ device: { last_seen } }: { device: DeviceRecord }) {
  if (!last_seen) return <Text span>Never heard</Text>
  return (
    <Text span>
      Heard <Time value={last_seen} />
    </Text>
  )
}
