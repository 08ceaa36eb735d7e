import { Group, Stack, Text } from '@mantine/core'
import { alertReads, alertState, factsOf } from '../../../alerts/alert-words.ts'
import { MuteMenu } from '../../../alerts/mute-menu.tsx'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

const shown = 5

/** The latest alerts of a device. A mute stops their notifications for a while. */
export function AlertsCard({ device }: { device: DeviceRecord }) {
  const path = { device_id: String(device.id) }
  const { data, error } = useApi('GET /devices/{device_id}/alerts', { path })
  const mute = useAction('POST /devices/{device_id}/alerts/mute', { invalidates: alertReads })
  const until = data?.data.muted_until ?? null
  const menu = (
    <MuteMenu
      what={t('this device')}
      until={until}
      onChoose={(next) => mute.mutate({ path, body: { until: next } })}
    />
  )
  return (
    <Card title={t('Alerts')} actions={menu}>
      {error && !data && <ErrorNotice error={error} />}
      {mute.error && <ErrorNotice error={mute.error} />}
      {!data && !error && <LoadingLines />}
      {until !== null && (
        <Text size="sm">
          {rich('Nobody is told until {time}.', { time: <Time value={until} /> })}
        </Text>
      )}
      {data?.data.alerts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No alert yet.')}
        </Text>
      )}
      <Stack gap="xs">
        {data?.data.alerts.slice(0, shown).map((alert) => {
          const [kind, word] = alertState(alert)
          return (
            <Group key={alert.id} gap="xs">
              <State kind={kind}>{word}</State>
              <Text size="sm">{factsOf(alert)}</Text>
              <Text size="sm" c="dimmed" component="span">
                <Time value={alert.opened_at} />
              </Text>
            </Group>
          )
        })}
      </Stack>
    </Card>
  )
}
