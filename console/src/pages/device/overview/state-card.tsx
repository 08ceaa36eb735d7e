import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { LastHeard } from '../device-header.tsx'
import type { DeviceRecord } from '../use-device.ts'

/** The state that the device itself reported, and when. */
export function StateCard({ device }: { device: DeviceRecord }) {
  const { status_times: times } = device
  return (
    <Card title={t('State')}>
      <Facts
        rows={[
          [t('Last heard'), <LastHeard key="heard" device={device} />],
          [t('Case'), told(flag(device.tamper, t('Open: tampered'), t('Closed')), times.tamper)],
          [
            t('Tampered since reset'),
            told(
              flag(device.tamper_since_reset, t('Yes'), t('No')),
              times.tamper_detect_since_reset,
            ),
          ],
          [
            t('Last configuration'),
            told(
              flag(device.config_error, t('Refused by the sensor'), t('Accepted')),
              times.config_error,
            ),
          ],
          [
            t('Rate limit'),
            told(
              flag(device.rate_limited, t('Reached: sends less'), t('Not reached')),
              times.rate_limit_status,
            ),
          ],
          [t('Firmware'), versions(device)],
          [
            t('Uplinks'),
            t('{uplinkcount, plural, one {# uplink} other {# uplinks}}', {
              uplinkcount: device.uplink_count,
            }),
          ],
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
        {t('not reported yet')}
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
  const parts = [
    firmware_version,
    hardware_version && t('hardware {version}', { version: hardware_version }),
  ]
  return parts.filter(Boolean).join(', ')
}
