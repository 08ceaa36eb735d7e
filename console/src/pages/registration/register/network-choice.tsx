import { Stack, Text, Title } from '@mantine/core'
import { useApi } from '../../../api/hooks.ts'
import { Condition } from '../../../condition/condition.tsx'
import { t } from '../../../languages/text.ts'
import { Link, LinkButton } from '../../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { findPair, isConnected, type NetworkPair } from './network-variant.ts'
import classes from './register.module.css'

/** The first step: at which of the connected networks the device is registered. */
export function NetworkChoice() {
  const { data, error, isPending, refetch } = useApi('GET /fleet/networks', {})
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (isPending || !data) return <LoadingLines />
  const pairs = data.data
    .filter(({ id }) => id !== null)
    .map((network) => findPair(data.data, network))
  const connected = pairs.filter(isConnected)
  const others = pairs.filter((pair) => !isConnected(pair))
  return (
    <Stack gap="lg">
      {connected.length === 0 ? (
        <EmptyState
          title={t('No network is connected yet')}
          actions={<LinkButton to="/networks">{t('Connect a network')}</LinkButton>}
        >
          {t(
            'A device is registered at the network that its gateways belong to. Connect yours first; it takes the address and a key of your account there.',
          )}
        </EmptyState>
      ) : (
        <section aria-labelledby="connected-networks">
          <Title order={2} size="h4" mb="xs" id="connected-networks">
            {t('Which network hears the device?')}
          </Title>
          <ul className={classes.networks}>
            {connected.map((pair) => (
              <li key={pair.network.key}>
                <ConnectedNetwork {...pair} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section aria-labelledby="other-networks">
          <Title order={2} size="h5" mb="xs" id="other-networks">
            {t('Not connected')}
          </Title>
          <ul className={classes.networks}>
            {others.map(({ network: { key, name } }) => (
              <li key={key}>
                <Link to="/networks/$key" params={{ key }} className={classes.network}>
                  <span>{name}</span>
                  <Text size="xs" c="dimmed" span>
                    {t('Connect it first')}
                  </Text>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  )
}

function ConnectedNetwork({ network: { key, name, accounts: own }, variant }: NetworkPair) {
  const ofVariant = variant?.accounts ?? []
  const accounts = [...own, ...ofVariant]
  const worst = accounts.find(({ verdict }) => verdict.state === 'attention') ?? accounts[0]
  const counts = [
    devicesOf(own),
    ...(variant
      ? [t('{ofVariant} at {name}', { ofVariant: devicesOf(ofVariant), name: variant.name })]
      : []),
  ]
  return (
    <Link to="/register" search={{ network: key }} className={classes.network}>
      <Text span fw={600}>
        {name}
      </Text>
      {worst && <Condition verdict={worst.verdict} of="account" />}
      <Text size="xs" c="dimmed" span>
        {counts.join(', ')}
      </Text>
    </Link>
  )
}

function devicesOf(accounts: NetworkPair['network']['accounts']): string {
  return t('{reduce, plural, one {# device} other {# devices}}', {
    reduce: accounts.reduce((sum, { counts }) => sum + counts.devices, 0),
  })
}
