import { Alert, Stack, Text } from '@mantine/core'
import { Condition } from '../../condition/condition.tsx'
import { accountConditions } from '../../condition/conditions.ts'
import { rich, t } from '../../languages/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { AccountState, FleetNetwork } from './network-words.ts'

interface AccountFactsProps {
  network: FleetNetwork
  account: AccountState
}

/** How the account does: its API, what waits for it, and what is registered by it. */
export function AccountFacts({ network, account }: AccountFactsProps) {
  const { api, counts, verdict } = account
  const [reason] = verdict.reasons
  const { kind, word } = accountConditions(verdict)[0] ?? { kind: 'good', word: t('Connected') }
  return (
    <Stack gap="sm">
      {reason && kind !== 'good' && (
        <Alert color={kind === 'bad' ? 'red' : 'yellow'} variant="outline" title={word}>
          {reason.message} {reason.action}
          {verdict.since && (
            <Text size="sm" c="dimmed">
              {rich('Since {time}', { time: <Time value={verdict.since} /> })}
            </Text>
          )}
        </Alert>
      )}
      <Facts
        rows={[
          [t('State'), <Condition key="state" verdict={verdict} of="account" />],
          [t('Added'), <Time key="since" value={account.connected_at} />],
          ...(api.failures > 0
            ? [
                [
                  t('Failed calls'),
                  t('{failures, plural, one {# call} other {# calls}} in a row', {
                    failures: api.failures,
                  }),
                ] as const,
              ]
            : []),
          ...(api.paused_until
            ? [[t('Tried again'), <Time key="paused" value={api.paused_until} />] as const]
            : []),
          [
            t('Devices'),
            <Link key="devices" to="/devices" search={{ network: network.key }} fz="sm">
              {formatCount(counts.devices)}
            </Link>,
          ],
          [
            t('Refused by the network'),
            <Refused key="refused" network={network} account={account} />,
          ],
          [t('Pending calls'), formatCount(counts.waiting_calls)],
          [
            t('Queued downlinks'),
            <Link
              key="downlinks"
              to="/devices"
              search={{ network: network.key, waiting: 'yes' as const }}
              fz="sm"
            >
              {formatCount(counts.waiting_downlinks)}
            </Link>,
          ],
        ]}
      />
    </Stack>
  )
}

function Refused({ network, account }: AccountFactsProps) {
  const count = account.counts.register_errors
  if (count === 0) return <>0</>
  return (
    <Link
      to="/devices"
      search={{ network: network.key, status: 'register_error' as const }}
      fz="sm"
    >
      {t('{count, plural, one {# device} other {# devices}}', { count })}
    </Link>
  )
}

/** The broker of the account, and when it last sent an uplink. */
export function BrokerFacts({ mqtt }: { mqtt: NonNullable<AccountState['mqtt']> }) {
  return (
    <Stack gap="xs" role="status">
      {mqtt.state === 'followed' && <State kind="good">{t('Connected')}</State>}
      {mqtt.state === 'unknown' && <State kind="waiting">{t('Connecting')}</State>}
      {mqtt.state === 'failed' && <State kind="bad">{t('Not connected')}</State>}
      {mqtt.message && <Text size="sm">{mqtt.message}</Text>}
      <Text size="sm" c="dimmed">
        {rich('Last uplink by MQTT: {time}', {
          time: <Time value={mqtt.heard_at} none={t('none yet')} />,
        })}
      </Text>
    </Stack>
  )
}
