import { Group, NativeSelect } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { SearchField } from '../../ui/search-field.tsx'
import type { GatewaySearch } from './gateway-query.ts'
import classes from './gateways.module.css'

interface GatewayFiltersProps {
  search: GatewaySearch
  onChange: (changes: GatewaySearch) => void
}

const states = [
  { value: '', label: 'Any' },
  { value: 'active', label: 'Registered' },
  { value: 'pending', label: 'Pending' },
  { value: 'register_error', label: 'Registration error' },
]

const verdicts = [
  { value: '', label: 'Any condition' },
  { value: 'ok', label: 'OK' },
  { value: 'new', label: 'New' },
  { value: 'silent', label: 'Silent' },
  { value: 'attention', label: 'Needs attention' },
] as const

/** The filters of the list; each stands in the address. */
export function GatewayFilters({ search, onChange }: GatewayFiltersProps) {
  const networks = useApi('GET /fleet/networks', {}, { staleTime: 60_000 })
  const choices = (networks.data?.data ?? [])
    .filter((network) => takesGateways(network))
    .map(({ key, name }) => ({ value: key, label: name }))
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Gateways" maw="100%">
      <SearchField
        label="Search"
        size="xs"
        className={classes.search}
        placeholder="Name or EUI"
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <NativeSelect
        label="Network"
        size="xs"
        value={search.network ?? ''}
        onChange={(event) => onChange({ network: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'Any network' }, ...choices]}
      />
      <NativeSelect
        label="Registration"
        size="xs"
        value={search.status ?? ''}
        onChange={(event) => onChange({ status: toStatus(event.currentTarget.value) })}
        data={states}
      />
      <NativeSelect
        label="Condition"
        size="xs"
        value={search.verdict ?? ''}
        onChange={(event) => onChange({ verdict: toVerdict(event.currentTarget.value) })}
        data={verdicts}
      />
    </Group>
  )
}

/** Whether gateways are registered on the network, or recorded as those of kind `other`. */
export function takesGateways(network: { key: string; capabilities: { gateways: boolean } }) {
  return network.capabilities.gateways || network.key === 'other'
}

function toVerdict(value: string): GatewaySearch['verdict'] {
  return (
    verdicts.map((verdict) => verdict.value).find((known) => known && known === value) || undefined
  )
}

function toStatus(value: string): GatewaySearch['status'] {
  return value === 'active' || value === 'pending' || value === 'register_error' ? value : undefined
}
