import { Select } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'

const hour = 60 * 60 * 1000

interface TypeSelectProps {
  label: string
  /** In a row of a table: small, and only screen readers get its label. */
  isInRow?: boolean
  placeholder?: string
  value: number | undefined
  error?: string | undefined
  onChange: (typeId: number | undefined) => void
}

/** A choice among the device types, found by name. */
export function TypeSelect(props: TypeSelectProps) {
  const { label, isInRow, placeholder, value, error, onChange } = props
  const { data } = useApi(
    'GET /get-device-types',
    { query: { itemsPerPage: 1000 } },
    { staleTime: hour },
  )
  const types = data?.data ?? []
  return (
    <Select
      {...(isInRow ? { 'aria-label': label, size: 'xs' } : { label })}
      placeholder={placeholder}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Choose no type') }}
      nothingFoundMessage={t('No such type')}
      data={types.map(({ id, full_name }) => ({ value: String(id), label: full_name }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      limit={200}
    />
  )
}
