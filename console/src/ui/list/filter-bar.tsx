import {
  Button,
  Checkbox,
  Group,
  Indicator,
  MultiSelect,
  Popover,
  Select,
  Stack,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { joinTags, splitTags } from '../../../../server/src/lora/tag-filter.ts'
import { t } from '../../languages/text.ts'
import { type Address, useAddress } from '../../router/use-address.ts'
import { SearchField } from '../search-field.tsx'
import classes from './filter-bar.module.css'

export interface Choice {
  value: string
  label: string
}

/** A filter of a list. Its value is in the address, by its name. */
export interface Filter {
  name: string
  label: string
  /** What it can be; without them it is a box, whose value is `yes`. */
  choices?: readonly Choice[]
  /** It can be several of them, which stand in the address by commas. */
  isMany?: boolean
  /** Set only by links to the list: it is shown where it applies. */
  isLinked?: boolean
}

interface FilterBarProps {
  filters: readonly Filter[]
  /** What the field of the search is called, and what it looks in. */
  search?: { label: string; placeholder: string }
  /** What stands beside the filters. */
  children?: ReactNode
}

/** More filters, and those on a phone, open from a button. */
const mostInline = 4

/** The filters of a list, each of which works at once, and those that apply. */
export function FilterBar({ filters, search, children }: FilterBarProps) {
  const address = useAddress()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const change = useFilterChange()
  const fields = filters.filter(({ isLinked }) => !isLinked)
  const isMenu = isPhone || fields.length > mostInline
  const textOf = ({ name }: Filter) => address.search[name]?.toString()
  const controls = fields.map((filter) => (
    <FilterField
      key={filter.name}
      filter={filter}
      value={textOf(filter)}
      isInMenu={isMenu}
      onChange={(value) => change({ [filter.name]: value })}
    />
  ))
  const chips = filters
    .filter((filter) => isMenu || filter.isLinked)
    .flatMap((filter) => chipsOf(filter, textOf(filter)))
  if (isMenu && address.search.search) {
    chips.push({ text: `“${address.search.search}”`, without: { search: undefined } })
  }
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" role="search" aria-label={t('Filters')}>
        {search && (
          <SearchField
            aria-label={search.label}
            placeholder={search.placeholder}
            w={{ base: '100%', xs: 260 }}
            value={address.search.search?.toString() ?? ''}
            onSearch={(text) => change({ search: text || undefined }, true)}
          />
        )}
        {isMenu && fields.length > 0 ? (
          <FilterMenu count={fields.filter(textOf).length}>{controls}</FilterMenu>
        ) : (
          controls
        )}
        {children}
      </Group>
      <Chips chips={chips} onRemove={change} />
    </Stack>
  )
}

/** Changes filters, which begins a list again at its first page. */
export function useFilterChange() {
  const { change } = useAddress()
  return (changes: Parameters<typeof change>[0], isTyped = false) =>
    change({ after: undefined, page: undefined, ...changes }, isTyped)
}

function FilterMenu({ count, children }: { count: number; children: ReactNode }) {
  return (
    <Popover position="bottom-start" width={320} trapFocus returnFocus>
      <Indicator label={count} size={16} disabled={count === 0}>
        <Popover.Target>
          <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
            {t('Filters')}
          </Button>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <Stack gap="xs">{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface FilterFieldProps {
  filter: Filter
  value: string | undefined
  isInMenu: boolean
  onChange: (value: string | undefined) => void
}

function FilterField({ filter, value, isInMenu, onChange }: FilterFieldProps) {
  const { label, choices, isMany = false } = filter
  if (!choices) {
    return (
      <Checkbox
        label={label}
        checked={value === 'yes'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : undefined)}
      />
    )
  }
  const common = {
    label,
    data: [...choices],
    w: isInMenu ? undefined : 180,
    searchable: isMany || choices.length > 8,
    clearable: true,
    limit: 200,
    nothingFoundMessage: t('Nothing found'),
    comboboxProps: { withinPortal: !isInMenu },
    clearButtonProps: { 'aria-label': t('Clear {label}', { label }) },
  }
  const values = isMany ? (splitTags(value ?? '') ?? []) : []
  return isMany ? (
    <MultiSelect
      {...common}
      placeholder={values.length === 0 ? t('Any') : undefined}
      value={values}
      onChange={(chosen) => onChange(joinTags(chosen) || undefined)}
    />
  ) : (
    <Select
      {...common}
      placeholder={t('Any')}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

interface Chip {
  text: string
  /** What changes in the address when it is taken away. */
  without: Address
}

/** The filter in words, where it applies: each of several values by itself. */
function chipsOf({ name, label, choices, isMany }: Filter, value: string | undefined): Chip[] {
  if (value === undefined) return []
  if (!choices && value === 'yes') return [{ text: label, without: { [name]: undefined } }]
  const values = isMany ? (splitTags(value) ?? []) : [value]
  return values.map((each) => ({
    text: `${label}: ${choices?.find((choice) => choice.value === each)?.label ?? each}`,
    without: { [name]: joinTags(values.filter((other) => other !== each)) || undefined },
  }))
}

interface ChipsProps {
  chips: readonly Chip[]
  onRemove: (without: Address) => void
}

/** The filters that apply, each of which a click takes away. */
function Chips({ chips, onRemove }: ChipsProps) {
  if (chips.length === 0) return null
  const names = chips.flatMap(({ without }) => Object.keys(without))
  return (
    <Group gap={6} role="group" aria-label={t('Filters that apply')}>
      {chips.map(({ text, without }) => (
        <button
          key={text}
          type="button"
          className={classes.chip}
          aria-label={t('Remove the filter {text}', { text })}
          onClick={() => onRemove(without)}
        >
          {text}
          <IconX size={14} aria-hidden />
        </button>
      ))}
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={() => onRemove(Object.fromEntries(names.map((name) => [name, undefined])))}
      >
        {t('Clear all')}
      </Button>
    </Group>
  )
}
