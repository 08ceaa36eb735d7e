import { type AlertKind, gatewayKinds, type Severity } from '../../alerts/alert-words.ts'
import { shownIn } from '../../ui/formats.ts'
import { actionsOf, bodyOfActions, type TypedAction } from './action-values.ts'
import { type ConditionValues, conditionsOf, settingsOfConditions } from './condition-values.ts'
import {
  type AlertRule,
  type SettingField,
  settingFields,
  unitOfKey,
  usualSeverity,
} from './rule-words.ts'

/** What the form of a rule holds, and the body that it sends. */

export interface Values {
  name: string
  kind: AlertKind
  /** What the form says of the kind: a scenario of conditions has a name of its own. */
  look: string
  severity: Severity
  /** Numbers; the name of a measurement is `key`. */
  settings: Record<string, number | string>
  conditions: ConditionValues
  device: number | undefined
  group: string | null
  type: string | null
  network: string | null
  /** Empty for none. */
  tag: string
  actions: TypedAction[]
  perHour: number | ''
  recipients: string[]
  tells_back: boolean
  is_active: boolean
}

export function initialOf(rule: AlertRule | undefined): Values {
  const kind = rule?.kind ?? 'device_silent'
  return {
    name: rule?.name ?? '',
    kind,
    look: kind,
    severity: rule?.severity ?? usualSeverity[kind],
    settings: rule ? shownOf(rule) : usualOf(kind),
    conditions: conditionsOf(kind === 'condition' ? rule?.settings : undefined),
    device: rule?.device ?? undefined,
    group: textOf(rule?.group),
    type: textOf(rule?.type),
    network: rule?.network ?? null,
    tag: rule?.tag ?? '',
    actions: actionsOf(rule),
    perHour: rule?.actions_per_hour ?? 10,
    recipients: (rule?.recipients ?? []).map(String),
    tells_back: rule?.tells_back ?? true,
    is_active: rule?.is_active ?? true,
  }
}

export function usualOf(kind: AlertKind): Values['settings'] {
  const numbers = settingFields[kind].map(({ name, usual }) => [name, usual ?? ''] as const)
  return { ...(kind === 'threshold' ? { key: 'temperature' } : {}), ...Object.fromEntries(numbers) }
}

function shownOf({ kind, settings, type }: AlertRule): Values['settings'] {
  const names = new Set(settingFields[kind].map(({ name }) => name)).add('key')
  const plain = Object.entries(settings).filter(([name]) => names.has(name))
  const shown = plain.map(([name, value]) => {
    return [name, typeof value === 'number' || typeof value === 'string' ? value : ''] as const
  })
  return convert({ kind, settings: Object.fromEntries(shown), type }, 'shown')
}

/** The limits and the margin have the unit of the measurement, as the user reads it. */
export function isMeasured({ unit }: SettingField): boolean {
  return unit === 'measured' || unit === 'span'
}

/** The limits of a measurement, from its base unit to the one that the user reads, or back. */
function convert(
  { kind, settings, type }: Pick<Values, 'kind' | 'settings'> & { type: unknown },
  to: 'shown' | 'base',
): Values['settings'] {
  const conversion = shownIn(unitOfKey(settings.key, type))
  if (!conversion) return settings
  const { factor } = conversion
  const span = (value: number) =>
    Number((to === 'shown' ? value * factor : value / factor).toPrecision(12))
  const changed = settingFields[kind].filter(isMeasured).flatMap(({ name, unit }) => {
    const value = settings[name]
    if (value === '' || value === undefined) return []
    const limit = to === 'shown' ? conversion.convert : conversion.revert
    return [[name, unit === 'span' ? span(Number(value)) : limit(Number(value))] as const]
  })
  return { ...settings, ...Object.fromEntries(changed) }
}

/** The body of a request; an empty number is none. */
export function bodyOf(typed: Values) {
  const { settings, conditions, device, group, type, recipients, kind, look: _, ...rest } = typed
  const { actions, perHour, ...values } = rest
  const sent = Object.entries(convert({ kind, settings, type }, 'base')).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ])
  const isOfGateways = gatewayKinds.includes(kind)
  return {
    ...values,
    settings: {
      ...(Object.fromEntries(sent) as Record<string, unknown>),
      ...(kind === 'condition' ? settingsOfConditions(conditions) : {}),
    },
    device: isOfGateways ? null : (device ?? null),
    group: isOfGateways ? null : numberOf(group),
    type: isOfGateways ? null : numberOf(type),
    recipients: recipients.map(Number),
    actions: bodyOfActions(actions),
    actions_per_hour: perHour as number,
  }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

function textOf(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}
