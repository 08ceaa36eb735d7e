import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { LastHeard } from '../device-header.tsx'
import type { DeviceRecord } from '../use-device.ts'

/** The state that the device itself reported, and when. */
export function StateCard({ device }: { device: DeviceRecord }) {
  const { status_times: times } = device
  return (
    <Card title="State">
      <Facts
        rows={[
          ['Last heard', <LastHeard key="heard" device={device} />],
          ['Case', told(flag(device.tamper, 'Open: tampered', 'Closed'), times.tamper)],
          [
            'Tampered since reset',
            told(flag(device.tamper_since_reset, 'Yes', 'No'), times.tamper_detect_since_reset),
          ],
          [
            'Last configuration',
            told(
              flag(device.config_error, 'Refused by the sensor', 'Accepted'),
              times.config_error,
            ),
          ],
          [
            'Rate limit',
            told(
              flag(device.rate_limited, 'Reached: sends less', 'Not reached'),
              times.rate_limit_status,
            ),
          ],
          ['Firmware', versions(device)],
          ['Uplinks', countOf(device.uplink_count, 'uplink')],
        ]}
      />
    </Card>
  )
}

function flag(value: boolean | null, bad: string, good: string): ReactNode {
  if (value === null) return null
  return <State kind={value ? 'warn' : 'good'}>{value ? bad : good}</State>
}

/** A value with the time at which it was reported. */
function told(value: ReactNode, time: string | undefined): ReactNode {
  if (!value)
    return (
      <Text span inherit c="dimmed">
        not reported yet
      </Text>
    )
  return (
    <>
      {value}{' '}
      {time && (
        <Text span size="xs" c="dimmed">
          <Time value={time} />
        </Text>
      )}
    </>
  )
}

function versions({ firmware_version, hardware_version }: DeviceRecord): ReactNode {
  if (!firmware_version && !hardware_version) return null
  const parts = [firmware_version, hardware_version && `hardware ${hardware_version}`]
  return parts.filter(Boolean).join(', ')
}
