import type { Database } from '../../../db/connect.ts'
import { invalid } from '../../../http/errors.ts'
import type { TimeRange } from '../../../uplinks/read/steps.ts'
import { findAutomatic } from '../../insight/dashboards/automatic.ts'
import * as dashboardQueries from '../../insight/dashboards/dashboard-queries.ts'
import {
  type DashboardRecord,
  toDashboardRecord,
  toStoredId,
} from '../../insight/dashboards/dashboard-record.ts'
import type { Widget } from '../../insight/dashboards/widget-body.ts'
import {
  type DashboardServices,
  readWidgetData,
  type WidgetData,
} from '../../insight/dashboards/widget-data.ts'
import type { Calendar } from './report-period.ts'

/** A widget, and what it shows of the period. */
export interface ReportedWidget {
  widget: Widget
  data: WidgetData
}

/**
 * A dashboard of the organization, also one that is made by itself. A private one is for nobody else.
 * @throws HttpError 422
 */
export async function findReported(
  db: Database,
  organizationId: number,
  id: string,
): Promise<Pick<DashboardRecord, 'name' | 'variable' | 'widgets'>> {
  const looker = { organizationId, groupId: undefined, tag: undefined }
  const automatic = await findAutomatic(db, looker, id)
  if (automatic) return automatic
  const reader = { organizationId, userId: 0 }
  const stored = await dashboardQueries.find(db, reader, { id: toStoredId(id) })
  if (!stored) throw invalid({ dashboard: ['The selected dashboard is invalid.'] })
  return toDashboardRecord(stored)
}

/** What cannot be printed, or is pressed. */
const leftOut: readonly Widget['type'][] = ['map', 'plan', 'downlink']

/** All widgets of a dashboard over the period, as people read them. */
export async function readDashboard(
  services: Pick<DashboardServices, 'db' | 'now' | 'keptAnswers'>,
  organizationId: number,
  id: string,
  { range, calendar }: { range: TimeRange; calendar: Calendar },
): Promise<ReportedWidget[]> {
  const { widgets, variable } = await findReported(services.db, organizationId, id)
  const shown = widgets
    .filter(({ type }) => !leftOut.includes(type))
    .sort((one, other) => one.y - other.y || one.x - other.x)
  const looker = { organizationId, groupId: undefined, tag: undefined }
  const data = await readWidgetData(services, looker, {
    ...{ widgets: shown, variable, time: range, zone: calendar, versions: [] },
  })
  return shown.map((widget, at) => ({ widget, data: data[at] ?? { from: '', to: '' } }))
}
