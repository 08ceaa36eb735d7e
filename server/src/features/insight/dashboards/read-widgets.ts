import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { queryTime } from '../../../http/fields.ts'
import { toRange } from '../../../uplinks/read/steps.ts'
import { endpoint } from '../../core-services.ts'
import { dashboardFields, variable, versionsField, zoneFields } from './widget-body.ts'
import { type DashboardServices, readWidgetData, widgetData } from './widget-data.ts'

export const readWidgets = endpoint({
  isWide: ({ widgets }) => widgets.length,
  summary: 'What widgets show',
  description: `One answer for each widget, in their order. \`series\` have points, \`devices\` their latest readings, and
\`states\` intervals. Several devices are summed up where a type says so. A widget that cannot be read
says why in \`error\`, and the others are not concerned. Members and API keys that are limited to a group get what is in it.

With \`range\` in place of \`from\` and \`to\` it ends now, and may be up to 10 seconds old, a minute where none of its
devices has sent: those who look at the same share it.`,
  body: z.object({
    widgets: dashboardFields.widgets,
    variable: variable.nullish().describe('What is chosen.'),
    range: dashboardFields.range.optional().describe('Up to now, in place of the times.'),
    from: queryTime('from').optional().describe('24 hours before the end unless it is sent.'),
    to: queryTime('to').optional(),
    versions: versionsField,
    ...zoneFields,
  }),
  bodyLimit: bodyLimits.callback,
  answer: z.object({ data: z.array(widgetData) }),
  changesNothing: true,
  isLarge: true,
  async handle({ body, caller }, services: DashboardServices) {
    const { widgets, variable: chosen, versions } = body
    const time = body.range ?? toRange(body, services.now())
    const zone = { timeZone: body.time_zone, weekStart: body.week_start }
    const asked = { widgets, variable: chosen, time, zone, versions }
    return { data: await readWidgetData(services, caller, asked) }
  },
})
