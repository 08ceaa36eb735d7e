import { Group, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useAction, useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { Logbook } from '../../notes/logbook.tsx'
import { TagEditor } from '../../tags/tag-editor.tsx'
import { Eui } from '../../ui/eui.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { TabList, tabClasses } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { CoverageTab } from './coverage-tab.tsx'
import { GatewayActions } from './gateway-actions.tsx'
import { GatewayAdvice } from './gateway-advice.tsx'
import { GatewayPlace } from './gateway-place.tsx'
import type { GatewayDetails } from './gateway-query.ts'
import { GatewaySetup } from './gateway-setup.tsx'
import { GatewayTraffic } from './gateway-traffic.tsx'
import { HeardDevices } from './heard-devices.tsx'
import { HeardUplinks } from './heard-uplinks.tsx'
import { UptimeTab } from './uptime-tab.tsx'
import { percentText } from './uptime-text.ts'

const route = getRouteApi('/shell/gateways/$gatewayId')

export function GatewayPage() {
  const { gatewayId } = route.useParams()
  const { data, error, refetch } = useApi(
    'GET /fleet/gateways/{gateway_id}',
    { path: { gateway_id: gatewayId } },
    { refetchInterval: 30_000 },
  )
  const above = <Link to="/gateways">{t('Gateways')}</Link>
  if (!data) {
    return (
      <Page title={t('Gateway')} above={above}>
        {error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <LoadingLines />}
      </Page>
    )
  }
  const gateway = data.data
  return (
    <Page
      title={gateway.name}
      above={above}
      description={
        <Group gap="md">
          <Eui value={gateway.gateway_eui} label={t('gateway EUI')} />
          <Condition verdict={gateway.verdict} />
        </Group>
      }
      actions={<GatewayActions gateway={gateway} />}
    >
      <GatewayAdvice gateway={gateway} />
      <Facts rows={factsOf(gateway)} />
      <GatewayTabs gateway={gateway} />
    </Page>
  )
}

function factsOf(gateway: GatewayDetails) {
  const rows: [string, React.ReactNode | null][] = [
    [t('Network'), gateway.network.name],
    [t('Last heard'), <Time key="last" value={gateway.last_seen} />],
    [t('First heard'), gateway.first_seen && <Time key="first" value={gateway.first_seen} />],
    [
      t('Uptime'),
      gateway.uptime_30_days === null
        ? null
        : t('{uptime7days} in 7 days, {uptime30days} in 30', {
            uptime7days: percentText(gateway.uptime_7_days),
            uptime30days: percentText(gateway.uptime_30_days),
          }),
    ],
    [t('Uplinks'), formatCount(gateway.uplink_count)],
    [t('Downlinks'), formatCount(gateway.downlink_count)],
    [t('Region'), gateway.region],
    [t('IP address'), gateway.ip],
    [t('Registered'), <Time key="created" value={gateway.created_at} />],
    [t('Description'), gateway.description || null],
    [t('Tags'), <GatewayTags key="tags" gateway={gateway} />],
  ]
  return rows.filter(([, value]) => value !== null)
}

function GatewayTags({ gateway: { id, tags } }: { gateway: GatewayDetails }) {
  const change = useAction('PATCH /gateways/{gateway_id}', {
    invalidates: ['GET /fleet/gateways', 'GET /fleet/gateways/{gateway_id}', 'GET /fleet/tags'],
  })
  const path = { gateway_id: String(id) }
  return (
    <TagEditor
      of={`gateway ${id}`}
      tags={tags}
      needs="manage_gateways"
      to="/gateways"
      onSave={(next) => change.mutateAsync({ path, body: { tags: next } })}
    />
  )
}

const tabs = [
  ['traffic', t('Traffic')],
  ['uptime', t('Uptime')],
  ['coverage', t('Coverage')],
  ['devices', t('Devices it hears')],
  ['uplinks', t('Uplinks')],
  ['place', t('Place')],
  ['logbook', t('Logbook')],
  ['setup', t('Installation')],
] as const

function GatewayTabs({ gateway }: { gateway: GatewayDetails }) {
  const { tab = 'traffic' } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (value: string | null) => {
    const next = tabs.find(([key]) => key === value)?.[0]
    void navigate({ search: (present) => ({ ...present, tab: next }), replace: true })
  }
  return (
    <Tabs classNames={tabClasses} value={tab} onChange={open} keepMounted={false}>
      <TabList mb="md">
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value="traffic">
        <GatewayTraffic hours={gateway.hours} />
      </Tabs.Panel>
      <Tabs.Panel value="uptime">
        <UptimeTab gatewayId={gateway.id} />
      </Tabs.Panel>
      <Tabs.Panel value="coverage">
        <CoverageTab gateway={gateway} />
      </Tabs.Panel>
      <Tabs.Panel value="devices">
        <HeardDevices gatewayId={gateway.id} />
      </Tabs.Panel>
      <Tabs.Panel value="uplinks">
        <HeardUplinks gatewayId={gateway.id} />
      </Tabs.Panel>
      <Tabs.Panel value="place">
        <GatewayPlace gateway={gateway} />
      </Tabs.Panel>
      <Tabs.Panel value="logbook">
        <Logbook kind="gateway" id={String(gateway.id)} />
      </Tabs.Panel>
      <Tabs.Panel value="setup">
        <GatewaySetup gateway={gateway} />
      </Tabs.Panel>
    </Tabs>
  )
}
