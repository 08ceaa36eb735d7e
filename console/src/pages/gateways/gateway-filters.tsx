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
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Registered' },
  { value: 'pending', label: 'Pending' },
  { value: 'register_error', label: 'Registration error' },
]

const silences = [
  { value: '', label: 'Heard or not' },
  { value: '1', label: 'Silent for 1 hour' },
  { value: '24', label: 'Silent for 24 hours' },
  { value: '168', label: 'Silent for a week' },
]

/** The filters of the list; each stands in the address. */
export function GatewayFilters({ search, onChange }: GatewayFiltersProps) {
  const networks = useApi('GET /fleet/networks', {}, { staleTime: 60_000 })
  const choices = (networks.data?.data ?? [])
    .filter((network) => takesGateways(network))
    .map(({ key, name }) => ({ value: key, label: name }))
  const silent = search.silent ? String(search.silent) : ''
  const isOwnSilence = silent !== '' && !silences.some(({ value }) => value === silent)
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
        label="State"
        size="xs"
        value={search.status ?? ''}
        onChange={(event) => onChange({ status: toStatus(event.currentTarget.value) })}
        data={states}
      />
      <NativeSelect
        label="Silence"
        size="xs"
        value={silent}
        onChange={(event) => onChange({ silent: Number(event.currentTarget.value) || undefined })}
        data={isOwnSilence ? [...silences, { value: silent, label: `${silent} hours` }] : silences}
      />
    </Group>
  )
}

/** Whether gateways are registered on the network, or recorded as those of kind `other`. */
export function takesGateways(network: { key: string; capabilities: { gateways: boolean } }) {
  return network.capabilities.gateways || network.key === 'other'
}

function toStatus(value: string): GatewaySearch['status'] {
  return value === 'active' || value === 'pending' || value === 'register_error' ? value : undefined
}
