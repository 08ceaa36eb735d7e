import { Badge, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { keyOfAccount, labelOfAccount } from '../../accounts/account-key.ts'
import { useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { Link } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { TabList, tabClasses } from '../../ui/tabs.tsx'
import { ConnectionTab } from './connection-tab.tsx'
import { DifferencesTab } from './differences-tab.tsx'
import { Guide } from './guide.tsx'
import type { FleetNetwork } from './network-words.ts'
import classes from './networks.module.css'
import { QuarantineTab } from './quarantine-tab.tsx'
import { RadioTab } from './radio-tab.tsx'

const route = getRouteApi('/shell/networks/$key')

/** Milliseconds: "waiting for the first message" ends by itself. */
const interval = 5000

export function NetworkPage() {
  const { key } = route.useParams()
  const { data, error, isPending, refetch } = useApi(
    'GET /fleet/networks',
    {},
    { refetchInterval: interval },
  )
  const network = data?.data.find((each) => each.key === key)
  if (network) return <Network network={network} />
  return (
    <Page title={t('Network')} above={<Link to="/networks">{t('Networks')}</Link>}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isPending && <LoadingLines />}
      {data && (
        <EmptyState title={t('Network not found')}>
          <Link to="/networks">{t('All networks')}</Link>
        </EmptyState>
      )}
    </Page>
  )
}

function Network({ network }: { network: FleetNetwork }) {
  const { method = 'user_account' } = route.useSearch()
  const account = network.accounts.find((each) => keyOfAccount(each) === method)
  return (
    <Page
      title={network.name}
      above={<Link to="/networks">{t('Networks')}</Link>}
      description={
        <>
          {account ? (
            <Condition verdict={account.verdict} of="account" />
          ) : (
            <State kind="off">{t('Not connected')}</State>
          )}
          {method !== 'user_account' && ` · ${labelOfAccount(method)}`}
        </>
      }
    >
      <NetworkTabs network={network} key={method} />
    </Page>
  )
}

function NetworkTabs({ network }: { network: FleetNetwork }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isWide = useMediaQuery('(min-width: 75em)', true)
  const { method = 'user_account' } = search
  const account = network.accounts.find((each) => keyOfAccount(each) === method)
  const mayManage = useMay('manage_account')
  const hasGuide = network.docs !== null
  const isOwn = account?.is_own ?? false
  const wanted = search.tab ?? 'connection'
  const tab = wanted === 'guide' && (isWide || !hasGuide) ? 'connection' : wanted
  const quarantined = account?.counts.quarantined ?? 0
  return (
    <Tabs
      classNames={tabClasses}
      value={tab}
      keepMounted={false}
      onChange={(next) =>
        void navigate({
          search: ({ method: kept }) => ({ method: kept, tab: next as typeof search.tab }),
        })
      }
    >
      <TabList mb="md">
        <Tabs.Tab value="connection">{t('Connection')}</Tabs.Tab>
        <Tabs.Tab value="radio">{t('Radio')}</Tabs.Tab>
        {isOwn && (
          <Tabs.Tab
            value="quarantine"
            rightSection={
              quarantined > 0 && (
                <Badge size="sm" variant="default">
                  {formatCount(quarantined)}
                </Badge>
              )
            }
          >
            {t('Quarantine')}
          </Tabs.Tab>
        )}
        {isOwn && network.capabilities.lists.length > 0 && (
          <Tabs.Tab value="differences">{t('Differences')}</Tabs.Tab>
        )}
        {hasGuide && !isWide && <Tabs.Tab value="guide">{t('Guide')}</Tabs.Tab>}
      </TabList>
      <Tabs.Panel value="connection">
        <div className={hasGuide && isWide ? classes.beside : undefined}>
          <ConnectionTab
            network={network}
            account={account}
            method={method}
            mayManage={mayManage}
          />
          {hasGuide && isWide && <Guide name={network.docs ?? ''} isBeside />}
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="radio">
        <RadioTab network={network.key} />
      </Tabs.Panel>
      <Tabs.Panel value="quarantine">
        <QuarantineTab network={network} method={method} />
      </Tabs.Panel>
      <Tabs.Panel value="differences">
        <DifferencesTab network={network} method={method} />
      </Tabs.Panel>
      {hasGuide && !isWide && (
        <Tabs.Panel value="guide">
          <Guide name={network.docs ?? ''} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
