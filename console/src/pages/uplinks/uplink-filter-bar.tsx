import { CloseButton, Select } from '@mantine/core'
import { SearchField } from '../../ui/search-field.tsx'
import { noFilters, type UplinkFilters, type UplinkSearch } from './uplink-search.ts'
import classes from './uplinks.module.css'
import { type Choice, useChoices } from './use-choices.ts'

interface FilterBarProps {
  filters: UplinkFilters
  onChange: (changes: UplinkSearch, replace?: boolean) => void
}

/** The filters, each of which works at once. */
export function UplinkFilterBar({ filters, onChange }: FilterBarProps) {
  const choices = useChoices()
  return (
    <>
      <SearchField
        aria-label="Search uplinks"
        placeholder="Name, DevEUI or text"
        size="xs"
        className={classes.search}
        value={filters.search ?? ''}
        onSearch={(search) => onChange({ search: search || undefined }, true)}
      />
      <Choose
        label="Group"
        value={filters.group?.toString()}
        data={choices.groups}
        onChange={(group) => onChange({ group: group ? Number(group) : undefined })}
      />
      <Choose
        label="Type"
        value={filters.type?.toString()}
        data={choices.types}
        onChange={(type) => onChange({ type: type ? Number(type) : undefined })}
      />
      <Choose
        label="Network"
        value={filters.network}
        data={choices.networks}
        onChange={(network) => onChange({ network })}
      />
      <Chip
        text={filters.device && `Device: ${filters.device}`}
        onRemove={() => onChange({ device: noFilters.device })}
      />
      <Chip
        text={filters.event_type && `Event: ${filters.event_type}`}
        onRemove={() => onChange({ event_type: noFilters.event_type })}
      />
    </>
  )
}

function Chip({ text, onRemove }: { text: string | undefined; onRemove: () => void }) {
  if (!text) return null
  return (
    <span className={classes.chip}>
      <span className={classes.chipText}>{text}</span>
      <CloseButton size="sm" aria-label={`Remove the filter ${text}`} onClick={onRemove} />
    </span>
  )
}

interface ChooseProps {
  label: string
  value: string | undefined
  data: readonly Choice[]
  onChange: (value: string | undefined) => void
}

function Choose({ label, value, data, onChange }: ChooseProps) {
  return (
    <Select
      aria-label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      size="xs"
      className={classes.choice}
      value={value ?? null}
      data={[...data]}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable={data.length > 8}
      clearable
      limit={200}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    />
  )
}
