import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keyOfAccount, labelOfAccount } from '../../accounts/account-key.ts'
import { useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { type AccountState, abilities, type FleetNetwork, latest } from './network-words.ts'

/** Milliseconds: the page shows by itself when a network is heard. */
const interval = 10_000

export function NetworksPage() {
  const { data, error, isPending, refetch } = useApi(
    'GET /fleet/networks',
    {},
    { refetchInterval: interval },
  )
  const networks = data?.data ?? []
  const rows = networks.flatMap((network) =>
    network.accounts.map((account) => ({ network, account })),
  )
  const others = networks.filter(({ accounts }) => accounts.length === 0)
  const connected = networks.length - others.length
  return (
    <Page
      title={t('Networks')}
      guide="networks/index.html"
      description={
        connected > 0 &&
        t(
          '{count, plural, one {# account} other {# accounts}} at {connected, plural, one {# network} other {# networks}}',
          { count: rows.length, connected },
        )
      }
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines count={8} />}
      {rows.length > 0 && <Accounts rows={rows} />}
      {others.length > 0 && <Others networks={others} isFirst={rows.length === 0} />}
    </Page>
  )
}

interface Row {
  network: FleetNetwork
  account: AccountState
}

const columns: readonly Column<Row>[] = [
  { title: t('Network'), cell: (row) => <Name {...row} /> },
  { title: t('State'), cell: ({ account }) => <AccountVerdict account={account} /> },
  { title: t('Last heard'), cell: ({ account }) => <Heard account={account} /> },
  {
    title: t('Devices'),
    isNumber: true,
    cell: ({ network, account }) => (
      <Link to="/devices" search={{ network: network.key }} fz="sm">
        {formatCount(account.counts.devices)}
      </Link>
    ),
  },
  {
    title: t('Pending calls'),
    isNumber: true,
    isExtra: true,
    cell: ({ account }) => formatCount(account.counts.waiting_calls),
  },
  {
    title: t('Queued downlinks'),
    isNumber: true,
    isExtra: true,
    cell: ({ account }) => formatCount(account.counts.waiting_downlinks),
  },
  {
    title: t('Quarantined'),
    isNumber: true,
    isExtra: true,
    cell: ({ network, account }) =>
      account.counts.quarantined === 0 ? (
        '0'
      ) : (
        <Link
          to="/networks/$key"
          params={{ key: network.key }}
          search={{ tab: 'quarantine', method: keyOfAccount(account) }}
          fz="sm"
        >
          {formatCount(account.counts.quarantined)}
        </Link>
      ),
  },
]

function Accounts({ rows }: { rows: readonly Row[] }) {
  return (
    <List
      caption={t('Accounts at networks')}
      columns={columns}
      rows={rows}
      keyOf={({ network, account }) => `${network.key} ${keyOfAccount(account)}`}
    />
  )
}

function Name({ network, account }: Row) {
  const { is_own } = account
  const key = keyOfAccount(account)
  return (
    <>
      <Link
        to="/networks/$key"
        params={{ key: network.key }}
        search={key === 'user_account' ? {} : { method: key }}
        fw={600}
        fz="sm"
      >
        {network.name}
      </Link>
      {key !== 'user_account' && (
        <Text size="xs" c="dimmed">
          {is_own ? labelOfAccount(key) : t("The operator's, for everybody")}
        </Text>
      )}
    </>
  )
}

function AccountVerdict({ account }: { account: AccountState }) {
  const message = account.verdict.reasons[0]?.message
  return (
    <Stack gap={0} maw={420}>
      <Condition verdict={account.verdict} of="account" />
      {message && (
        <Text size="xs" c="dimmed" lineClamp={2} title={message}>
          {message}
        </Text>
      )}
    </Stack>
  )
}

function Heard({ account }: { account: AccountState }) {
  if (!account.is_own) return <>–</>
  return <Time value={latest(account.callback.heard_at, account.mqtt?.heard_at)} />
}

function Others({ networks, isFirst }: { networks: readonly FleetNetwork[]; isFirst: boolean }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {isFirst ? t('Connect the first network') : t('Not connected')}
      </Title>
      {isFirst && (
        <Text c="dimmed">
          {t(
            'Choose the network that your gateways belong to. Its page goes through it step by step.',
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="xs">
        {networks.map((network) => (
          <Card key={network.key}>
            <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
              <Stack gap={2} miw={0}>
                <Link to="/networks/$key" params={{ key: network.key }} fw={600} fz="sm">
                  {network.name}
                </Link>
                <Text size="xs" c="dimmed">
                  {abilities(network).join(' · ') || t('takes uplinks by HTTP or MQTT')}
                </Text>
              </Stack>
            </Group>
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
