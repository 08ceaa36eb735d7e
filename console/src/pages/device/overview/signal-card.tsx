import type { ReactNode } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { signalQuality } from '../../../radio/signal.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatNumber } from '../../../ui/formats.ts'
import { Link } from '../../../ui/link.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { State, type StateKind } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

/** How well the device is heard: its last uplink, and the last seven days. */
export function SignalCard({ device }: { device: DeviceRecord }) {
  const { device_id: eui, rssi, snr } = device
  const { data } = useApi(
    'GET /devices/{device_id}/radio',
    { path: { device_id: eui }, query: { points: 1 } },
    { staleTime: 60_000 },
  )
  const radio = data?.data
  const week = radio && radio.received + radio.lost > 0 ? radio : undefined
  return (
    <Card
      title={t('Signal')}
      actions={
        <Link to="/devices/$eui" params={{ eui }} search={{ tab: 'radio' }} size="sm">
          {t('Radio')}
        </Link>
      }
    >
      <Facts
        rows={[
          [t('Last uplink'), lastSignal(device)],
          ['RSSI', rssi === null ? null : t('{rssi} dBm', { rssi })],
          ['SNR', snr === null ? null : t('{snr} dB', { snr: formatNumber(snr) })],
          [t('Lost, 7 days'), week ? lossWords(week) : t('nothing was sent')],
          [
            t('Heard by'),
            week
              ? t('{count, plural, one {# gateway} other {# gateways}}', {
                  count: week.gateways.length,
                })
              : null,
          ],
        ]}
      />
    </Card>
  )
}

function lossWords({
  lost,
  received,
  loss,
}: {
  lost: number
  received: number
  loss: number | null
}) {
  const part = `${formatNumber((loss ?? 0) * 100, 1)} %`
  const kind: StateKind = (loss ?? 0) > 0.1 ? 'warn' : 'good'
  return (
    <>
      {rich('{state}: {lost} of {lost2}', {
        state: <State kind={kind}>{part}</State>,
        lost: formatCount(lost),
        lost2: formatCount(lost + received),
      })}
    </>
  )
}

/** A signal without its age would look as if it were so now. */
function lastSignal({ rssi, snr, last_seen }: DeviceRecord): ReactNode {
  const signal = signalQuality(rssi, snr)
  return (
    signal && (
      <>
        <State kind={signal.kind}>{signal.word}</State>, <Time value={last_seen} />
      </>
    )
  )
}
