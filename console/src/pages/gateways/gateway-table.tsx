import { Group, Pagination } from '@mantine/core'
import { Condition } from '../../condition/condition.tsx'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { type Column, PlainTable } from '../../ui/plain-table.tsx'
import { Time } from '../../ui/time.tsx'
import {
  type FleetGateway,
  type GatewaySearch,
  type GatewaySort,
  pageSize,
} from './gateway-query.ts'

interface GatewayTableProps {
  gateways: readonly FleetGateway[]
  total: number
  page: number
  search: GatewaySearch
  onChange: (changes: GatewaySearch) => void
}

export function GatewayTable({ gateways, total, page, search, onChange }: GatewayTableProps) {
  const pages = Math.ceil(total / pageSize)
  return (
    <>
      <PlainTable
        caption="Gateways"
        columns={columns}
        rows={gateways}
        keyOf={({ id }) => id}
        sorting={{
          sort: search.sort ?? 'name',
          isDown: search.order === 'desc',
          onSort: (sort, isDown) =>
            onChange({ sort: sort as GatewaySort, order: isDown ? 'desc' : undefined }),
        }}
      />
      {pages > 1 && (
        <Group justify="center">
          <Pagination
            total={pages}
            value={page}
            onChange={(next) => onChange({ page: next === 1 ? undefined : next })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </>
  )
}

const columns: readonly Column<FleetGateway>[] = [
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
