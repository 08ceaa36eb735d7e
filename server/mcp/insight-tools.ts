import { z } from 'zod'
import { answerWith } from './answer.ts'
import { device, instant, limit, type Tool, tag, tool } from './tool.ts'

const hour = 3600_000

const id = z.int().min(1)

const comparison = tool({
  name: 'compare_measurements',
  title: 'Measurements of many devices',
  description:
    'History of one measurement of many devices side by side, such as the temperature of all devices in a group by day. Give devices, group, device_type or tag; and quantity (the same for sensors of any maker, such as air.temperature, air.relativeHumidity, battery) or measurement (the name that one type gives it).',
  input: z.object({
    devices: z.array(device).min(1).max(50).optional(),
    group: id.optional().describe('The id of a group; its groups below count'),
    device_type: id.optional(),
    tag,
    quantity: z.string().max(255).optional(),
    measurement: z.string().max(255).optional(),
    from: instant.optional().describe('24 hours before the end by default'),
    to: instant.optional().describe('Now by default'),
    step: z.enum(['auto', '1h', '1d', '1w']).default('auto'),
    aggregate: z.array(z.enum(['min', 'avg', 'max'])).default(['avg']),
    time_zone: z.string().max(64).default('UTC').describe('Where days begin'),
  }),
  async run(ask, { from, to, step, aggregate, time_zone, ...selector }) {
    const end = to ?? new Date().toISOString()
    const begin = from ?? new Date(Date.parse(end) - 24 * hour).toISOString()
    const range = { from: begin, to: end, step, aggregate, time_zone }
    const { data } = await ask('queryMeasurements', { body: { ...range, series: [selector] } })
    return answerWith({ from: begin, to: end, series: data })
  },
})

const dashboards = tool({
  name: 'list_dashboards',
  title: 'Dashboards',
  description:
    'The dashboards that people look at, and those that each group and device type has by itself; for read_dashboard.',
  input: z.object({ limit: limit(200, 50) }),
  async run(ask, { limit: most }) {
    const { data } = await ask('listDashboards', {})
    const found = data.map(({ id: dashboard, name, description, made_for: madeFor }) => ({
      dashboard,
      name,
      description,
      made_for: madeFor,
    }))
    return answerWith({ dashboards: found.slice(0, most) }, { dashboards: found.length })
  },
})

const dashboard = tool({
  name: 'read_dashboard',
  title: 'What a dashboard shows',
  description:
    'Each widget of a dashboard with what it shows now. A dashboard with a choice shows the group or device that is chosen.',
  input: z.object({
    dashboard: z.string().min(1).max(64).describe('The id from list_dashboards'),
    group: id.optional().describe('Chosen in place of the usual one'),
    device: device.optional(),
    from: instant.optional(),
    to: instant.optional(),
  }),
  async run(ask, { dashboard: chosen, group, device: one, ...range }) {
    const { data: stored } = await ask('getDashboard', { dashboard_id: chosen })
    const kind = group === undefined ? ('device' as const) : ('group' as const)
    const isChosen = group !== undefined || one !== undefined
    const variable = isChosen ? { kind, group, device: one } : stored.variable
    const { widgets } = stored
    const time = range.from || range.to ? range : { range: stored.range }
    const { data } = await ask('readDashboardData', { body: { widgets, variable, ...time } })
    const shown = widgets.map(({ type, title, source }, place) => ({
      ...{ type, title, source },
      shows: data[place],
    }))
    return answerWith({ name: stored.name, ...time, widgets: shown })
  },
})

export const insightTools: readonly Tool[] = [comparison, dashboards, dashboard]
