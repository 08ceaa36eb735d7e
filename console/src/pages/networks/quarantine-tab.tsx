import { Button, Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State } from '../../ui/state.tsx'
import { Clock } from '../../ui/time.tsx'
import type { FleetNetwork } from './network-words.ts'
import classes from './networks.module.css'
import { QuarantineActions } from './quarantine-actions.tsx'
import { QuarantinedMessages } from './quarantined-messages.tsx'

const route = getRouteApi('/shell/networks/$key')

/** Milliseconds. */
const interval = 10_000

export type QuarantinedEui = Answer<'GET /network-accounts/{network}/quarantine'>['data'][number]

interface QuarantineTabProps {
  network: FleetNetwork
  method: AccountKey
}

export function QuarantineTab({ network, method }: QuarantineTabProps) {
  const { search = '', eui, after } = route.useSearch()
  const navigate = route.useNavigate()
  const query = { ...accountInQuery(method), search, after }
  const answer = useApi(
    'GET /network-accounts/{network}/quarantine',
    { path: { network: network.key }, query },
    { refetchInterval: interval, keepsPrevious: true },
  )
  const show = (next: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, eui: next }) })
  const { data } = answer
  return (
    <Stack>
      {data && (data.total > 0 || search) && <Head total={data.total} messages={data.messages} />}
      <List
        caption={t('Quarantined messages of {name}, by EUI', { name: network.name })}
        answer={answer}
        columns={columnsOf(network, method, show)}
        keyOf={(row) => row.eui}
        empty={<Empty network={network} isSearch={search !== ''} />}
      />
      <QuarantinedMessages
        network={network}
        method={method}
        eui={eui}
        onClose={() => show(undefined)}
      />
    </Stack>
  )
}

interface HeadProps {
  total: number
  messages: number
}

function Head({ total, messages }: HeadProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {t(
          '{messages, plural, one {# message} other {# messages}} of {total, plural, one {# unknown EUI} other {# unknown EUIs}}. They are kept for 30 days, and stored as uplinks once their device is registered.',
          { messages, total },
        )}
      </Text>
      <FilterBar filters={[]} search={{ label: t('Find an EUI'), placeholder: t('Find an EUI') }} />
    </Group>
  )
}

function Empty({ network, isSearch }: { network: FleetNetwork; isSearch: boolean }) {
  if (isSearch)
    return (
      <EmptyState title={t('No matching EUI')}>{t('Search for another part of it.')}</EmptyState>
    )
  return (
    <EmptyState title={t('Quarantine is empty')}>
      {t(
        'When {name} sends messages of a device that is not registered here, they wait here for it.',
        { name: network.name },
      )}
    </EmptyState>
  )
}

function columnsOf(
  network: FleetNetwork,
  method: AccountKey,
  show: (eui: string) => void,
): readonly Column<QuarantinedEui>[] {
  return [
    {
      title: 'EUI',
      cell: ({ eui }) => (
        <div className={classes.eui}>
          {eui === '--' ? t('names no device') : <Eui value={eui} />}
        </div>
      ),
    },
    {
      title: t('Messages'),
      isNumber: true,
      cell: ({ eui, count }) => (
        <Button size="compact-sm" variant="subtle" onClick={() => show(eui)}>
          {formatCount(count)}
          <span className="visually-hidden">{t(' of {eui}, look at them', { eui })}</span>
        </Button>
      ),
    },
    { title: t('Last'), isExtra: true, cell: ({ last_received_at: at }) => <Clock value={at} /> },
    { title: t('First'), isExtra: true, cell: ({ first_received_at: at }) => <Clock value={at} /> },
    { title: t('Port'), isNumber: true, isExtra: true, cell: ({ f_port: port }) => port ?? '–' },
    {
      title: 'RSSI',
      isNumber: true,
      isExtra: true,
      cell: ({ rssi }) => (rssi === null ? '–' : t('{rssi} dBm', { rssi })),
    },
    { title: t('Why'), isExtra: true, cell: (row) => <Reason row={row} /> },
    {
      title: t('Actions'),
      cell: (row) => <QuarantineActions network={network} method={method} row={row} />,
    },
  ]
}

function Reason({ row }: { row: QuarantinedEui }) {
  if (row.is_registered && row.reason === 'unknown_device') {
    return <State kind="waiting">{t('Registered; messages are being stored')}</State>
  }
  return <span title={row.detail}>{row.detail}</span>
}
