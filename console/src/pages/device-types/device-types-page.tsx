import { Group, SegmentedControl, Switch, Text } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from '../../api/generated.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './device-types.module.css'
import { TypeTable } from './type-table.tsx'

export type ListedType = Schemas['ListedCatalogueType']

interface Filter {
  search?: string | undefined
  kind?: 'own' | 'built_in' | undefined
  configurable?: 'yes' | undefined
}

/** The catalogue: every type of device, by maker and model. */
export function DeviceTypesPage() {
  const filter: Filter = useSearch({ from: '/shell/device-types' })
  const catalogue = useApi('GET /catalogue', {}, { staleTime: 60_000 })
  const types = catalogue.data?.data
  const shown = types?.filter((type) => matches(type, filter)) ?? []
  return (
    <Page
      title={t('Device types')}
      guide="sensors.html"
      description={t('What each kind of device sends, byte by byte, and how it can be configured.')}
      actions={
        <>
          <LinkButton to="/device-types/catalogues" variant="default">
            {t('Catalogues')}
          </LinkButton>
          <Actions />
        </>
      }
    >
      <Filters filter={filter} />
      {catalogue.error && (
        <ErrorNotice error={catalogue.error} retry={() => void catalogue.refetch()} />
      )}
      {catalogue.isPending && <LoadingLines count={8} />}
      {types && (
        <>
          <Text size="sm" c="dimmed" role="status">
            {t('{count, plural, one {# type} other {# types}}', { count: shown.length })}
          </Text>
          {shown.length === 0 ? <NoneFound filter={filter} /> : <TypeTable types={shown} />}
        </>
      )}
    </Page>
  )
}

function Actions() {
  const may = useMay('manage_devices')
  if (!may) return null
  return (
    <>
      <LinkButton
        to="/device-types/import"
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
      >
        {t('Import')}
      </LinkButton>
      <LinkButton to="/device-types/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {t('New type')}
      </LinkButton>
    </>
  )
}

function Filters({ filter }: { filter: Filter }) {
  const navigate = useNavigate()
  const change = (changes: Filter) =>
    void navigate({
      to: '/device-types',
      search: (before) => ({ ...before, ...changes }),
      replace: true,
    })
  return (
    <Group gap="sm">
      <SearchField
        aria-label={t('Search types')}
        placeholder={t('Maker, model or measurement')}
        className={classes.search}
        value={filter.search ?? ''}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <SegmentedControl
        aria-label={t('Types to show')}
        value={filter.kind ?? 'all'}
        onChange={(kind) => change({ kind: kind === 'all' ? undefined : (kind as Filter['kind']) })}
        data={[
          { value: 'all', label: t('All') },
          { value: 'own', label: t('Your own') },
          { value: 'built_in', label: t('Built in') },
        ]}
      />
      <Switch
        label={t('Can be configured')}
        checked={filter.configurable === 'yes'}
        onChange={(event) =>
          change({ configurable: event.currentTarget.checked ? 'yes' : undefined })
        }
      />
    </Group>
  )
}

function matches(type: ListedType, { search = '', kind, configurable }: Filter): boolean {
  if (kind === 'own' && !type.is_own) return false
  if (kind === 'built_in' && type.is_own) return false
  if (configurable === 'yes' && !type.has_settings) return false
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = [
    type.maker ?? '',
    type.type_name,
    type.part_number,
    ...type.other_part_numbers,
    ...type.events,
    ...type.measures.map(({ key, label }) => `${key} ${label}`),
  ]
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

function NoneFound({ filter }: { filter: Filter }) {
  if (filter.kind === 'own' && !filter.search) {
    return (
      <EmptyState title={t('You have no types of your own yet')} actions={<Actions />}>
        {t(
          'Write a codec for a device that is not built in, or import one from the public device repositories.',
        )}
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('No matching types')} actions={<Actions />}>
      {t('Try a shorter search, or create a type of your own.')}
    </EmptyState>
  )
}
