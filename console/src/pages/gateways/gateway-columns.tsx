import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { textsOf } from '../../tags/tag-text.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/list/list.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import type { FleetGateway } from './gateway-query.ts'
import { percentText } from './uptime-text.ts'

/** Every column that can be chosen, in their usual order. */
export const gatewayColumns: readonly (Column<FleetGateway> & { id: string })[] = [
  {
    id: 'name',
    title: t('Name'),
    sort: 'name',
    phone: 'title',
    cell: ({ id, name }) => (
      <Link to="/gateways/$gatewayId" params={{ gatewayId: String(id) }} fw={500}>
        {name}
      </Link>
    ),
  },
  {
    id: 'eui',
    title: 'EUI',
    isOneLine: true,
    cell: ({ gateway_eui }) => <Eui value={gateway_eui} label={t('gateway EUI')} />,
  },
  {
    id: 'network',
    title: t('Network'),
    sort: 'network',
    isExtra: true,
    cell: ({ network }) => network.name,
  },
  {
    id: 'tags',
    title: t('Tags'),
    isExtra: true,
    cell: ({ tags }) => textsOf(tags).join(', ') || '–',
  },
  {
    id: 'condition',
    title: t('Condition'),
    sort: 'status',
    phone: 'side',
    cell: ({ verdict }) => <Condition verdict={verdict} />,
  },
  {
    id: 'last_seen',
    title: t('Last heard'),
    sort: 'last_seen',
    isNumber: true,
    cell: ({ last_seen }) => <Time value={last_seen} />,
  },
  {
    id: 'uptime',
    title: t('Uptime, 30 days'),
    sort: 'uptime',
    isNumber: true,
    isExtra: true,
    isOneLine: true,
    cell: ({ uptime_30_days }) => percentText(uptime_30_days),
  },
  {
    id: 'uplinks',
    title: t('Uplinks'),
    sort: 'uplink_count',
    isNumber: true,
    isExtra: true,
    isOneLine: true,
    cell: ({ uplink_count }) => formatCount(uplink_count),
  },
  {
    id: 'downlinks',
    title: t('Downlinks'),
    isNumber: true,
    isExtra: true,
    isOneLine: true,
    cell: ({ downlink_count }) => formatCount(downlink_count),
  },
  {
    id: 'account',
    title: t('Account'),
    isExtra: true,
    cell: ({ account_name }) => account_name ?? '–',
  },
  {
    id: 'first_seen',
    title: t('First heard'),
    sort: 'first_seen',
    isExtra: true,
    isNumber: true,
    cell: ({ first_seen }) => <Time value={first_seen} />,
  },
  {
    id: 'created_at',
    title: t('Registered'),
    sort: 'created_at',
    isExtra: true,
    isNumber: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'description',
    title: t('Description'),
    isExtra: true,
    cell: ({ description }) => description || '–',
  },
]

export const usualColumns: readonly string[] = [
  'name',
  'eui',
  'network',
  'tags',
  'condition',
  'last_seen',
  'uptime',
  'uplinks',
  'downlinks',
]
