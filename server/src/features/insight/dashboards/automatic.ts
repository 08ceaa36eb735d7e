import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { statesOf } from '../../../sensors/measurements.ts'
import { typeName } from '../../fleet/inventory/references.ts'
import { listGroups, listUsedTypes, type UsedType } from './automatic-queries.ts'
import type { DashboardRecord, ListedRecord, MadeFor } from './dashboard-record.ts'
import { hasQuantity, measuredBy, shownOf } from './measured-by.ts'
import type { Looker } from './source-queries.ts'
import type { Widget, WidgetSource } from './widget-body.ts'
import type { WidgetType } from './widget-types.ts'

/**
 * A dashboard for each group and each device type, made from what its sensors measure whenever it is
 * read: nobody has to build one to see something.
 */

export async function listAutomatic(db: Queryable, caller: Caller): Promise<ListedRecord[]> {
  const [types, groups] = await Promise.all([
    listUsedTypes(db, caller),
    caller.tag === undefined ? listGroups(db, caller) : [],
  ])
  return [
    ...groups.map(({ id, name }) => toListed(`group-${id}`, name, { group: id })),
    ...types.map((type) =>
      toListed(`type-${type.type_id}`, typeName(type), { device_type: type.type_id }),
    ),
  ]
}

function toListed(id: string, name: string, made: Partial<MadeFor>): ListedRecord {
  return { ...toFields(id, name, made), widget_count: null }
}

function toFields(id: string, name: string, made: Partial<MadeFor>) {
  return {
    id,
    name,
    description: null,
    shared: 'organization' as const,
    range: '24h' as const,
    variable: null,
    revision: null,
    made_for: { group: null, device_type: null, ...made },
    made_by: null,
    created_at: null,
    updated_at: null,
    deleted_at: null,
  }
}

/** The dashboard with an id such as `group-12`; undefined where there is none for the caller. */
export async function findAutomatic(
  db: Queryable,
  caller: Looker,
  dashboardId: string,
): Promise<DashboardRecord | undefined> {
  const [, kind, digits] = /^(group|type)-(\d{1,9})$/.exec(dashboardId) ?? []
  const id = Number(digits)
  if (kind === 'group' && caller.tag === undefined) {
    const group = (await listGroups(db, caller)).find((each) => each.id === id)
    if (!group) return undefined
    const types = await listUsedTypes(db, caller, id)
    const widgets = layOut({ group: id }, types)
    return { ...toFields(dashboardId, group.name, { group: id }), widgets }
  }
  if (kind === 'type') {
    const type = (await listUsedTypes(db, caller)).find(({ type_id }) => type_id === id)
    if (!type) return undefined
    const widgets = layOut({ device_type: id }, [type])
    return { ...toFields(dashboardId, typeName(type), { device_type: id }), widgets }
  }
  return undefined
}

/** Quantities that get charts; what most devices measure comes first. */
const mostCharts = 4
/** So many devices are shown one by one. */
const mostTiles = 12

/** Of a source: how it is, what it measures, which states it has, and what needs somebody. */
function layOut(source: WidgetSource, types: readonly UsedType[]): Widget[] {
  const devices = types.reduce((sum, type) => sum + type.devices, 0)
  const measured = measuredBy(types, shownOf).slice(0, mostCharts)
  const place = createPlaces()
  place('counts', { w: 12, h: 2, source })
  const placeStates = () => {
    if (hasStates(types)) place('states', { w: 12, h: 5, source, options: { most: 10 } })
  }
  // Whether there is water matters more than how well it conducts.
  const isOfStates = !measured.some(hasQuantity)
  if (isOfStates) placeStates()
  for (const { label, what } of measured) {
    const about = { ...source, ...what }
    place('chart', {
      w: measured.length === 1 ? 12 : 6,
      h: 5,
      source: about,
      title: toTitle(label),
    })
  }
  const [first] = measured
  if (first && devices > 1) {
    const { label, what } = first
    const about = { ...source, ...what }
    const isMany = devices > mostTiles
    const title = toTitle(`${isMany ? 'Highest' : 'Latest'} ${lowerFirst(label)}`)
    place(isMany ? 'ranking' : 'tiles', { w: 6, h: 5, source: about, title })
    const hourly = { title: toTitle(`${label} by hour`), options: { range: '7d' as const } }
    place('heatmap', { w: 6, h: 5, source: about, ...hourly })
  }
  if (!isOfStates) placeStates()
  place('table', { w: 12, h: 6, source })
  place('alerts', { w: 6, h: 5, source })
  place('battery', { w: 6, h: 5, source })
  return place.widgets
}

interface Placed extends Pick<Widget, 'w' | 'h' | 'source' | 'options'> {
  title?: string
}

/** Puts widgets one after the other into rows of the same height. */
function createPlaces() {
  const widgets: Widget[] = []
  let [x, y, height] = [0, 0, 0]
  const place = (type: WidgetType, { w, h, ...more }: Placed) => {
    if (x + w > 12) [x, y] = [0, y + height]
    widgets.push({ type, x, y, w, h, ...more })
    x += w
    height = h
  }
  return Object.assign(place, { widgets })
}

function hasStates(types: readonly UsedType[]): boolean {
  return types.some(({ type_id, measurements }) => {
    const own = measurements && { format: 'ts013' as const, measurements }
    return statesOf({ type_id, own_type: own }).length > 0
  })
}

/** As long as a title may be. */
const toTitle = (text: string) => text.slice(0, 100)

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
