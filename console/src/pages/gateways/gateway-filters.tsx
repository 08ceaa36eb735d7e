import { Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/hooks.ts'
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
      <SearchBox value={search.search ?? ''} onChange={(text) => onChange({ search: text })} />
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

/** Searches when the typing pauses. */
function SearchBox({ value, onChange }: { value: string; onChange: (text?: string) => void }) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler changes at every render
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text || undefined), 250)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <TextInput
      label="Search"
      className={classes.search}
      size="xs"
      type="search"
      placeholder="Name or EUI"
      maxLength={255}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}
