import { readReference } from '../../fleet/inventory/references.ts'
import * as dashboardQueries from '../../insight/dashboards/dashboard-queries.ts'
import type { Variable, WidgetSource } from '../../insight/dashboards/widget-body.ts'
import { mostDashboards } from '../../insight/dashboards/widget-types.ts'
import { type ArchivedDashboard, archivedDashboard } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import { type Ids, newIdOf, newTypeOf, type Restored, type Restoring } from './restoring.ts'

const dashboardsAtOnce = 50

interface Maps {
  groups: Ids
  types: Ids
  devices: Ids
  plans: Ids
}

/** Makes the dashboards that are missing, by name. What they name has its new ids. */
export async function restoreDashboards(restoring: Restoring, maps: Maps): Promise<Restored> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  for await (const page of readRecords(
    restoring,
    'dashboards',
    archivedDashboard,
    dashboardsAtOnce,
  )) {
    await db.transaction(async (tx) => {
      const { own } = await dashboardQueries.countLocked(tx, organizationId)
      const reader = { organizationId, userId }
      const stored = await dashboardQueries.list(tx, reader, { isDeleted: false })
      const missing = page.filter(({ name }) => !stored.some((one) => one.name === name))
      restored.added += missing.length
      restored.known += page.length - missing.length
      if (own + missing.length > mostDashboards) {
        throw new Error(`An organization has up to ${mostDashboards} dashboards.`)
      }
      if (isDryRun) return
      for (const dashboard of missing) {
        const values = { ...withNewIds(dashboard, maps), is_private: false, userId, now }
        await dashboardQueries.insert(tx, organizationId, values)
      }
    })
  }
  return restored
}

function withNewIds({ id: _, ...dashboard }: ArchivedDashboard, maps: Maps) {
  const { variable, widgets } = dashboard
  return {
    ...dashboard,
    variable: variable && variableWithNewIds(variable, maps),
    widgets: widgets.map(({ source, ...widget }) => ({
      ...widget,
      ...(source && { source: sourceWithNewIds(source, maps) }),
    })),
  }
}

function variableWithNewIds({ kind, group, device }: Variable, maps: Maps): Variable {
  return {
    kind,
    ...(group && { group: newIdOf(group, maps.groups) }),
    ...(device && { device: newDevice(device, maps) }),
  }
}

function sourceWithNewIds(source: WidgetSource, maps: Maps): WidgetSource {
  const { devices, group, device_type: type, plan, more, ...rest } = source
  return {
    ...rest,
    ...(more && { more: more.map((further) => sourceWithNewIds(further, maps)) }),
    ...(devices && { devices: devices.map((device) => newDevice(device, maps)) }),
    ...(group !== undefined && { group: newIdOf(group, maps.groups) }),
    ...(plan !== undefined && { plan: newIdOf(plan, maps.plans) }),
    ...(type !== undefined && {
      device_type: newTypeOf(type, maps.types),
    }),
  }
}

/** EUIs stay as they are. */
function newDevice(device: string | number, { devices }: Maps): string | number {
  const { id } = readReference(String(device))
  return id === null ? device : newIdOf(id, devices)
}
