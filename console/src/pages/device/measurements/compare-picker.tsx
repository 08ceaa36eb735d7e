import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import type { DeviceRecord } from '../use-device.ts'
import { type Compared, mostOthers } from './comparison.ts'

const mostFound = 20
/** The first id of a type that an organization made. */
const firstOwnType = 100_000

interface ComparePickerProps {
  device: DeviceRecord
  /** What they have to measure, too. */
  measurements: readonly Compared[]
  others: readonly string[]
  /** By DevEUI, of those that are shown. */
  names: ReadonlyMap<string, string>
  onChange: (others: string[]) => void
}

/** Chooses devices that measure the same, for the same charts. */
export function ComparePicker(props: ComparePickerProps) {
  const { device, measurements, others, names, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const { data } = useApi(
    'GET /fleet/devices',
    { query: { ...sameAs(device, measurements), search, sort: 'name', limit: mostFound } },
    { enabled: isOpen, keepsPrevious: true },
  )
  const found = (data?.data ?? []).map(({ device_id, device_name }) => [device_id, device_name])
  const all = new Map([...others.map((eui) => [eui, names.get(eui) ?? eui]), ...found] as [
    string,
    string,
  ][])
  all.delete(device.device_id)
  return (
    <MultiSelect
      size="xs"
      aria-label={t('Compare with other devices')}
      placeholder={others.length === 0 ? t('Compare with …') : undefined}
      data={[...all].map(([value, label]) => ({ value, label }))}
      value={[...others]}
      onChange={onChange}
      onDropdownOpen={() => setOpen(true)}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The service searches: in names and DevEUIs.
      filter={({ options }) => options}
      maxValues={mostOthers}
      hidePickedOptions
      nothingFoundMessage={data ? t('No other device measures the same') : t('Loading')}
    />
  )
}

/** Own types need not say what they measure: devices of the same type do measure it. */
function sameAs({ device_type }: DeviceRecord, measurements: readonly Compared[]) {
  const quantities = measurements.flatMap(({ quantity }) => quantity ?? [])
  if (device_type.id >= firstOwnType && quantities.length === 0) return { type: device_type.id }
  return { measures: measurements.map(({ quantity, name }) => quantity ?? name).join(',') }
}
