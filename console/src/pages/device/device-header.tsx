import { Group, Text } from '@mantine/core'
import { Condition } from '../../condition/condition.tsx'
import { rich, t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { readingText } from '../../ui/formats.ts'
import { lengthText } from '../../ui/numbers.ts'
import { Time, useNow } from '../../ui/time.tsx'
import classes from './device.module.css'
import { useDeviceStates, useLastDay } from './measurements/state-bands.tsx'
import type { DeviceRecord } from './use-device.ts'

/** What one wants to know of a device before anything else: its reading, and its state in one line. */
export function DeviceHeader({ device }: { device: DeviceRecord }) {
  const { reading } = device
  return (
    <>
      {reading && (
        <p className={classes.reading}>
          <strong>{readingText(reading)}</strong> <StateSince device={device} />{' '}
          <Time value={reading.time} />
        </p>
      )}
      <Facts device={device} />
    </>
  )
}

const minute = 60_000

/** "for 12 min": how long a device has been in the state of its reading. */
function StateSince({ device: { device_id: eui, reading } }: { device: DeviceRecord }) {
  const range = useLastDay()
  const now = useNow()
  const { data } = useDeviceStates(eui, range)
  const [last] = (data?.data ?? []).flatMap(({ name, intervals }) => {
    const latest = intervals.at(-1)
    const part = reading?.parts.find((one) => one.name === name)
    return latest && part?.value === latest.value ? [latest] : []
  })
  if (!last) return null
  const from = Date.parse(last.from)
  // The age of the reading says as much.
  if (now - from < minute) return null
  // What began before the range is cut off at its beginning.
  const isWhole = from > range.from
  return isWhole
    ? t('for {length},', { length: lengthText((now - from) / 1000) })
    : t('for over 24 h,')
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
  if (!last_seen) return <Text span>{t('Never heard')}</Text>
  return <Text span>{rich('Heard {time}', { time: <Time value={last_seen} /> })}</Text>
}
