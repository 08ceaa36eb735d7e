import { Condition } from '../../condition/condition.tsx'
import { textsOf } from '../../tags/tag-text.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/list/list.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import type { FleetGateway } from './gateway-query.ts'

export const gatewayColumns: readonly Column<FleetGateway>[] = [
  {
    title: 'Name',
    sort: 'name',
    phone: 'title',
    cell: ({ id, name }) => (
      <Link to="/gateways/$gatewayId" params={{ gatewayId: String(id) }} fw={500}>
        {name}
      </Link>
    ),
  },
  {
    title: 'EUI',
    isOneLine: true,
    cell: ({ gateway_eui }) => <Eui value={gateway_eui} label="gateway EUI" />,
  },
  { title: 'Network', sort: 'network', isExtra: true, cell: ({ network }) => network.name },
  { title: 'Tags', isExtra: true, cell: ({ tags }) => textsOf(tags).join(', ') || '–' },
  {
    title: 'Condition',
    sort: 'status',
    phone: 'side',
    cell: ({ verdict }) => <Condition verdict={verdict} />,
  },
  {
    title: 'Last heard',
    sort: 'last_seen',
    isNumber: true,
    cell: ({ last_seen }) => <Time value={last_seen} />,
  },
  {
    title: 'Uplinks',
    sort: 'uplink_count',
    isNumber: true,
    isExtra: true,
    isOneLine: true,
    cell: ({ uplink_count }) => formatCount(uplink_count),
  },
  {
    title: 'Downlinks',
    isNumber: true,
    isExtra: true,
    isOneLine: true,
    cell: ({ downlink_count }) => formatCount(downlink_count),
  },
]
