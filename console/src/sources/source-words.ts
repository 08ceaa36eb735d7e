import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useGroupChoices, useTypeChoices } from './choices.ts'
import type { Source } from './source-fields.tsx'

/** Says in words what a source is about: "Temperature: House A". */
export function useSourceWords(): (source: Source) => string {
  const measured = useApi('GET /dashboards/measured', {}).data?.data ?? []
  const groups = useGroupChoices()
  const types = useTypeChoices()
  const labelOf = (all: readonly { value: string; label: string }[], id: number) =>
    all.find(({ value }) => value === String(id))?.label ?? String(id)
  const placeOf = ({ devices, group, device_type: type, tag, variable }: Source) => {
    if (devices)
      return devices.length === 1
        ? String(devices[0])
        : t('{count, plural, one {# device} other {# devices}}', { count: devices.length })
    if (group !== undefined) return labelOf(groups, group)
    if (type !== undefined) return labelOf(types, type)
    if (tag !== undefined) return tag
    return variable ? t('What is chosen') : t('All devices')
  }
  return (source) => {
    const { quantity, measurement } = source
    const found = measured.find(
      (one) =>
        (quantity !== undefined && one.quantity === quantity) ||
        (measurement !== undefined && one.measurement === measurement),
    )
    return `${found?.label ?? quantity ?? measurement ?? ''}: ${placeOf(source)}`
  }
}
