import { Group, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useAction, useApi } from '../../api/hooks.ts'
import { Condition } from '../../condition/condition.tsx'
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
  const above = <Link to="/gateways">Gateways</Link>
  if (!data) {
    return (
      <Page title="Gateway" above={above}>
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
          <Eui value={gateway.gateway_eui} label="gateway EUI" />
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
    ['Network', gateway.network.name],
    ['Last heard', <Time key="last" value={gateway.last_seen} />],
    ['First heard', gateway.first_seen && <Time key="first" value={gateway.first_seen} />],
    [
      'Uptime',
      gateway.uptime_30_days === null
        ? null
        : `${percentText(gateway.uptime_7_days)} in 7 days, ${percentText(gateway.uptime_30_days)} in 30`,
    ],
    ['Uplinks', formatCount(gateway.uplink_count)],
    ['Downlinks', formatCount(gateway.downlink_count)],
    ['Region', gateway.region],
    ['IP address', gateway.ip],
    ['Registered', <Time key="created" value={gateway.created_at} />],
    ['Description', gateway.description || null],
    ['Tags', <GatewayTags key="tags" gateway={gateway} />],
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
  ['traffic', 'Traffic'],
  ['uptime', 'Uptime'],
  ['coverage', 'Coverage'],
  ['devices', 'Devices it hears'],
  ['uplinks', 'Uplinks'],
  ['place', 'Place'],
  ['logbook', 'Logbook'],
  ['setup', 'Installation'],
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
