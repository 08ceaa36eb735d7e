import { Group, Text } from '@mantine/core'
import { Eui } from '../../ui/eui.tsx'
import { RegistrationState, State } from '../../ui/state.tsx'
import { Time, useNow } from '../../ui/time.tsx'
import type { DeviceRecord } from './use-device.ts'

/** A device that was heard within so many milliseconds counts as heard. */
export const silentAfter = 48 * 3_600_000

/** What one wants to know of a device before anything else, in one line. */
export function DeviceHeader({ device }: { device: DeviceRecord }) {
  return (
    <Group gap="xs" mt={4}>
      <Eui value={device.device_id} label="DevEUI" />
      <Text span size="sm">
        {device.device_type.name} · {device.network.name}
      </Text>
      <HeardState device={device} />
      {device.device_register_status !== 'active' && (
        <RegistrationState status={device.device_register_status} />
      )}
      {device.low_battery && <State kind="bad">Battery low</State>}
      {device.tamper && <State kind="bad">Tampered</State>}
      {!device.is_active && <State kind="off">Inactive</State>}
    </Group>
  )
}

export function HeardState({ device }: { device: DeviceRecord }) {
  const now = useNow()
  const { last_seen } = device
  if (!last_seen) return <State kind="off">Never heard</State>
  const isSilent = now - Date.parse(last_seen) > silentAfter
  return (
    <State kind={isSilent ? 'warn' : 'good'}>
      {isSilent ? 'Silent, last heard ' : 'Heard '}
      <Time value={last_seen} />
    </State>
  )
}
