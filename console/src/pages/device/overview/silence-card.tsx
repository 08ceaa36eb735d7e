import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconEarOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { Condition } from '../../../condition/condition.tsx'
import { rich, t } from '../../../languages/text.ts'
import { Facts } from '../../../ui/facts.tsx'
import { formatNumber, formatValue } from '../../../ui/formats.ts'
import { Link } from '../../../ui/link.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { lengthText } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { CompareButton } from '../compare-button.tsx'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'

type Silence = Answer<'GET /fleet/devices/{device_id}/silence'>['data']
type Cause = Silence['causes'][number]

/** Why nothing comes from a device: what the service knows, the most likely cause, and what to ask. */
export function SilenceCard({ device }: { device: DeviceRecord }) {
  const isSilent = device.verdict.state === 'silent'
  if (!isSilent && device.last_seen !== null) return null
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconEarOff aria-hidden />}
      title={isSilent && device.last_seen !== null ? t('Why is it silent?') : t('Not heard yet')}
    >
      <Explanation device={device} />
    </Alert>
  )
}

function Explanation({ device }: { device: DeviceRecord }) {
  const { data, error, refetch } = useApi(
    'GET /fleet/devices/{device_id}/silence',
    { path: { device_id: device.device_id } },
    { staleTime: 30_000, refetchInterval: 60_000 },
  )
  const silence = data?.data
  if (error && !silence) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!silence) return <LoadingLines count={4} />
  const [first, ...more] = silence.causes
  return (
    <Stack gap="sm">
      <Facts rows={factsOf(device, silence)} />
      {first && (
        <Text size="sm">
          <strong>{t('Most likely:')}</strong> <CauseWords cause={first} device={device} />
        </Text>
      )}
      {more.length > 0 && (
        <Text size="sm" component="div">
          {t('Also possible:')}
          <ul className={classes.list}>
            {more.map((cause) => (
              <li key={cause.code}>
                <CauseWords cause={cause} device={device} />
              </li>
            ))}
          </ul>
        </Text>
      )}
      {first && isAtDevice.has(first.code) && <Questions device={device} />}
    </Stack>
  )
}

function factsOf(device: DeviceRecord, silence: Silence): [string, ReactNode][] {
  const { account, battery, status_times: times } = device
  const { last_seen, usual_seconds: usual, gateways } = silence
  const rows: [string, ReactNode | false][] = [
    [t('Last heard'), last_seen !== null && <LastHeard key="heard" time={last_seen} />],
    [t('Usually'), usual !== null && t('every {length}', { length: lengthText(usual) })],
    [t('Heard last by'), gateways.length > 0 && <Gateways key="gateways" gateways={gateways} />],
    [t('Signal before'), signalOf(silence)],
    [
      t('Battery'),
      battery !== null && (
        <>
          {formatValue(battery, 'V', 1)}, <Time value={times.battery} />
        </>
      ),
    ],
    [t('Account'), account !== null && <Condition verdict={account.verdict} of="account" />],
  ]
  return rows.filter((row): row is [string, ReactNode] => row[1] !== false)
}

function LastHeard({ time }: { time: string }) {
  return (
    <>
      <Time value={time} exact /> (<Time value={time} />)
    </>
  )
}

function Gateways({ gateways }: Pick<Silence, 'gateways'>) {
  return (
    <ul className={classes.plainList}>
      {gateways.map(({ gateway_eui, id, name, verdict, last_heard, rssi, snr }) => (
        <li key={gateway_eui}>
          {id === null ? (
            gateway_eui
          ) : (
            <Link to="/gateways/$gatewayId" params={{ gatewayId: String(id) }}>
              {name}
            </Link>
          )}{' '}
          {verdict ? <Condition verdict={verdict} /> : t('(not registered here)')}{' '}
          <Text span inherit c="dimmed">
            {rich('heard it {time}', { time: <Time value={last_heard} /> })}
            {rssi !== null && t(', {rssi} dBm', { rssi })}
            {snr !== null && t(', {snr} dB', { snr: formatNumber(snr) })}
          </Text>
        </li>
      ))}
    </ul>
  )
}

/** "RSSI -97 to -116 dBm, SNR 7 to -12 dB over its last 20 uplinks". */
function signalOf({ rssi, snr, uplinks, last_seen }: Silence): ReactNode | false {
  const words = [
    rssi && t('RSSI {rssi} dBm', { rssi: trendOf(rssi) }),
    snr && t('SNR {snr} dB', { snr: trendOf(snr) }),
  ].filter(Boolean)
  if (words.length === 0) return false
  return (
    <>
      {rich('{join} over its last {uplinks} uplinks, until {time}', {
        join: words.join(', '),
        uplinks,
        time: <Time value={last_seen} />,
      })}
    </>
  )
}

function trendOf({ before, last }: NonNullable<Silence['rssi']>): string {
  return before === last
    ? t('steady at {last}', { last })
    : t('from {before} to {last}', { before, last })
}

const networks = new Set(['quarantined', 'account', 'no_account'])
const settings = new Set(['differs', 'not_joined'])
const gatewayCauses = new Set(['gateways_silent', 'gateway_silent'])

function CauseWords({ cause, device }: { cause: Cause; device: DeviceRecord }) {
  const { code, message, action } = cause
  return (
    <>
      {message} {action}{' '}
      {networks.has(code) && (
        <Link to="/networks" underline="always">
          {t('Networks')}
        </Link>
      )}
      {gatewayCauses.has(code) && (
        <Link to="/gateways" underline="always">
          {t('Gateways')}
        </Link>
      )}
      {settings.has(code) && <SettingsLink eui={device.device_id}>{t('Settings')}</SettingsLink>}
    </>
  )
}

function SettingsLink({ eui, children }: { eui: string; children: ReactNode }) {
  return (
    <Link to="/devices/$eui" params={{ eui }} search={{ tab: 'settings' }} underline="always">
      {children}
    </Link>
  )
}

/** Causes at the place of the device, of which the service knows nothing more. */
const isAtDevice = new Set(['device', 'not_joined', 'low_battery', 'signal_fell', 'weak_signal'])

/** What only people on site know. */
function Questions({ device }: { device: DeviceRecord }) {
  const { account, network, last_seen } = device
  return (
    <Text size="sm" component="div">
      {t('What only you can see:')}
      <ul className={classes.list}>
        <li>
          {t('Does it have power? Take the battery out for ten seconds: it then joins again.')}
        </li>
        <li>{t('Trigger it (open the door, press the button): most sensors send at once.')}</li>
        {last_seen === null ? (
          <li>
            {rich(
              'Are DevEUI, JoinEUI and key those on its label? A wrong key lets no device join. See its <link>settings</link>.',
              { link: (text) => <SettingsLink eui={device.device_id}>{text}</SettingsLink> },
            )}
          </li>
        ) : (
          <li>{t('Was it moved, covered, or built into metal?')}</li>
        )}
      </ul>
      {last_seen === null && account && (
        <Group gap="xs" mt="xs">
          <span>
            {t('Does {name} have the same key and JoinEUI? ', { name: network.name })}
            {account.compared_at
              ? rich('They agreed {time}.', { time: <Time value={account.compared_at} /> })
              : t('That was not compared yet.')}
          </span>
          <CompareButton device={device} />
        </Group>
      )}
    </Text>
  )
}
