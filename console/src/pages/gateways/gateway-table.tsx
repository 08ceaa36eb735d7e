import { Group, Pagination, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Eui } from '../../ui/eui.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import {
  type FleetGateway,
  type GatewaySearch,
  type GatewaySort,
  pageSize,
} from './gateway-query.ts'
import { GatewayState } from './gateway-state.tsx'
import classes from './gateways.module.css'

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
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing={6} highlightOnHover className={classes.table}>
          <caption className="visually-hidden">Gateways</caption>
          <Table.Thead>
            <Table.Tr>
              <SortHeader sort="name" search={search} onChange={onChange}>
                Name
              </SortHeader>
              <Table.Th scope="col">EUI</Table.Th>
              <SortHeader sort="network" search={search} onChange={onChange} isExtra>
                Network
              </SortHeader>
              <SortHeader sort="status" search={search} onChange={onChange}>
                State
              </SortHeader>
              <SortHeader sort="last_seen" search={search} onChange={onChange} isNumber>
                Last heard
              </SortHeader>
              <SortHeader sort="uplink_count" search={search} onChange={onChange} isNumber isExtra>
                Uplinks
              </SortHeader>
              <Table.Th scope="col" data-number data-extra>
                Downlinks
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {gateways.map((gateway) => (
              <GatewayRow key={gateway.id} gateway={gateway} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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

function GatewayRow({ gateway }: { gateway: FleetGateway }) {
  return (
    <Table.Tr>
      <Table.Td className={classes.name}>
        <Link to="/gateways/$gatewayId" params={{ gatewayId: String(gateway.id) }} fw={500}>
          {gateway.name}
        </Link>
      </Table.Td>
      <Table.Td>
        <Eui value={gateway.gateway_eui} label="gateway EUI" />
      </Table.Td>
      <Table.Td data-extra>{gateway.network.name}</Table.Td>
      <Table.Td>
        <GatewayState gateway={gateway} />
      </Table.Td>
      <Table.Td data-number>
        <Time value={gateway.last_seen} />
      </Table.Td>
      <Table.Td data-number data-extra>
        {formatCount(gateway.uplink_count)}
      </Table.Td>
      <Table.Td data-number data-extra>
        {formatCount(gateway.downlink_count)}
      </Table.Td>
    </Table.Tr>
  )
}

interface SortHeaderProps {
  sort: GatewaySort
  search: GatewaySearch
  onChange: (changes: GatewaySearch) => void
  isNumber?: boolean
  isExtra?: boolean
  children: string
}

function SortHeader({ sort, search, onChange, isNumber, isExtra, children }: SortHeaderProps) {
  const isSorted = (search.sort ?? 'name') === sort
  const isDown = search.order === 'desc'
  const Icon = isDown ? IconArrowDown : IconArrowUp
  const next = isSorted && !isDown ? 'desc' : undefined
  return (
    <Table.Th
      scope="col"
      data-number={isNumber || undefined}
      data-extra={isExtra || undefined}
      {...(isSorted && { 'aria-sort': isDown ? 'descending' : 'ascending' })}
    >
      <UnstyledButton className={classes.sort} onClick={() => onChange({ sort, order: next })}>
        {children}
        {isSorted && <Icon size={13} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  )
}
