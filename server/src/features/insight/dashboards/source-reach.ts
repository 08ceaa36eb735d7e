import type { Queryable } from '../../../db/connect.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import { findDevices, findGroups, findPlans, findTypes, type Looker } from './source-queries.ts'
import type { Variable, Widget, WidgetSource } from './widget-body.ts'

/**
 * What sources name must be there, and for a limited caller within the group or the tag. A source that
 * names nothing (all devices, a type, a tag, a quantity) shows to each caller what there is for them.
 */

type Sources = readonly (WidgetSource | undefined)[]

/** Those of the named things that the caller may look at. */
export interface Known {
  groups: ReadonlySet<number>
  /** Ids by id and by EUI. */
  devices: ReadonlyMap<string | number, number>
  types: ReadonlySet<number>
  plans: ReadonlySet<number>
}

export async function findKnown(db: Queryable, looker: Looker, sources: Sources): Promise<Known> {
  const named = sources.flatMap((source) => (source ? [source, ...(source.more ?? [])] : []))
  const groups = named.flatMap(({ group }) => group ?? [])
  const devices = named.flatMap((source) => source.devices ?? [])
  const types = named.flatMap(({ device_type: type }) => type ?? [])
  const plans = named.flatMap(({ plan }) => plan ?? [])
  const [knownGroups, knownDevices, knownTypes, knownPlans] = await Promise.all([
    groups.length === 0 ? [] : findGroups(db, looker, groups),
    devices.length === 0 ? [] : findDevices(db, looker, devices),
    types.length === 0 ? [] : findTypes(db, looker, types),
    plans.length === 0 ? [] : findPlans(db, looker),
  ])
  return {
    groups: new Set(knownGroups.map(({ id }) => id)),
    devices: new Map(
      knownDevices.flatMap(({ id, eui }): [string | number, number][] => [
        [id, id],
        [eui, id],
      ]),
    ),
    types: new Set(knownTypes),
    plans: new Set(knownPlans),
  }
}

/** The faults of a source, by the path within it. */
export function faultsOf(source: WidgetSource | undefined, known: Known): FieldErrors {
  const { devices = [], group, device_type: type, plan } = source ?? {}
  const errors: FieldErrors = {}
  for (const [index, device] of devices.entries()) {
    if (idOf(device, known) === undefined) {
      errors[`devices.${index}`] = ['The selected device is invalid.']
    }
  }
  if (group !== undefined && !known.groups.has(group)) {
    errors.group = ['The selected group is invalid.']
  }
  if (type !== undefined && !known.types.has(type)) {
    errors.device_type = ['The selected device type is invalid.']
  }
  if (plan !== undefined && !known.plans.has(plan)) {
    errors.plan = ['The selected floor plan is invalid.']
  }
  for (const [at, further] of (source?.more ?? []).entries()) {
    for (const [path, messages] of Object.entries(faultsOf(further, known))) {
      errors[`more.${at}.${path}`] = messages
    }
  }
  return errors
}

/** Of a device as a source names it. */
export function idOf(device: string | number, { devices }: Known): number | undefined {
  const { id, eui } = readReference(String(device))
  return devices.get(eui ?? id ?? '')
}

export function isWithin(sources: Sources, known: Known): boolean {
  return sources.every((source) => Object.keys(faultsOf(source, known)).length === 0)
}

/** A variable as the source that it stands for; undefined where nothing is chosen. */
export function sourceOfVariable(variable: Variable | null | undefined): WidgetSource | undefined {
  if (variable?.group) return { group: variable.group }
  return variable?.device ? { devices: [variable.device] } : undefined
}

interface Sent {
  widgets?: readonly Widget[] | undefined
  variable?: Variable | null | undefined
}

/**
 * What is wrong with the sources of a request. What is stored already stays allowed: the group of one
 * widget may be gone when another one is moved.
 */
export async function findFaults(
  db: Queryable,
  looker: Looker,
  { widgets = [], variable }: Sent,
  stored: Sent = {},
): Promise<FieldErrors> {
  const kept = new Set((stored.widgets ?? []).map(({ source }) => keyOf(source)))
  const checked = widgets.map(({ source }) => (kept.has(keyOf(source)) ? undefined : source))
  const ofVariable = sourceOfVariable(variable)
  const known = await findKnown(db, looker, [...checked, ofVariable])
  const errors: FieldErrors = {}
  for (const [index, source] of checked.entries()) {
    for (const [path, messages] of Object.entries(faultsOf(source, known))) {
      errors[`widgets.${index}.source.${path}`] = messages
    }
  }
  for (const [path, messages] of Object.entries(faultsOf(ofVariable, known))) {
    errors[`variable.${path.startsWith('devices') ? 'device' : path}`] = messages
  }
  const hasVariable = variable === undefined ? stored.variable : variable
  const using = widgets.findIndex(({ source }) => usesVariable(source))
  if (!hasVariable && using >= 0) {
    errors[`widgets.${using}.source.variable`] = ['The dashboard has no variable.']
  }
  return errors
}

function usesVariable(source: WidgetSource | undefined): boolean {
  return source?.variable === true || (source?.more ?? []).some(({ variable }) => variable)
}

/** The database orders the members of what it stores. */
function keyOf(source: WidgetSource | undefined): string {
  return JSON.stringify(Object.entries(source ?? {}).sort())
}
