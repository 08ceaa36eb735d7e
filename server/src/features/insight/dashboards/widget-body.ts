import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import {
  isStorable,
  largestInteger,
  optionalText,
  queryChoice,
  requiredInteger,
  requiredText,
  timeZoneName,
} from '../../../http/fields.ts'
import { formatChoices } from '../../../lora/formats.ts'
import { longestName } from '../../../uplinks/rollups/rollup-queries.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import { integer, optionFields, options } from './widget-options.ts'
import {
  columnCount,
  factsOfType,
  mostDevices,
  mostWidgets,
  type WidgetOption,
  widgetRanges,
  widgetTypes,
} from './widget-types.ts'

/** The schemas of dashboards and their widgets. */

/** Characters of all widgets of a dashboard together. */
const longestWidgets = 240 * 1024
const mostRows = 1000
const tallest = 40

const devicesMessage = `The devices must be 1 to ${mostDevices} DevEUIs or ids.`
const deviceMessage = 'Each device must be a DevEUI or an id.'

const deviceReference = z.union(
  [z.string().max(64, deviceMessage).refine(isStorable, deviceMessage), z.int()],
  { error: deviceMessage },
)

function id(label: string) {
  const error = `The ${label} must be an id.`
  return z.int({ error }).min(1, error).max(largestInteger, error)
}

/** As the selectors of `POST /measurements/query`; all devices without one of the first five. */
const sourceFields = {
  devices: z
    .array(deviceReference, { error: devicesMessage })
    .min(1, devicesMessage)
    .max(mostDevices, devicesMessage)
    .optional()
    .meta({ examples: [['00AA000000000001']] }),
  group: id('group').optional().describe('The devices in a group and in the groups below it.'),
  device_type: id('device type').optional(),
  tag: tagChoice
    .refine((text) => text !== '', 'The tag field is required.')
    .optional()
    .describe('The devices with all of these tags, such as `floor:2,critical`.'),
  variable: z
    .literal(true, { error: 'The variable must be true, or left out.' })
    .optional()
    .describe('The group or the device that is chosen while the dashboard is looked at.'),
  plan: id('floor plan').optional().describe('The id of a floor plan.'),
  measurement: requiredText('measurement', longestName).optional(),
  quantity: requiredText('quantity', longestName)
    .optional()
    .describe('What is measured, whatever the sensor calls it, such as `air.temperature`.'),
}

function count(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length
}

const plainSource = z.strictObject(sourceFields)
type PlainSource = z.infer<typeof plainSource>

const isOneChoice = ({ devices, group, device_type, tag, variable, plan }: PlainSource) =>
  count([devices, group, device_type, tag, variable, plan]) <= 1
const oneChoice =
  'The source can have only one of: devices, group, device_type, tag, variable, plan.'

const isOneMeasure = ({ measurement, quantity }: PlainSource) => count([measurement, quantity]) <= 1
const oneMeasure = 'The source can have only one of: measurement, quantity.'

const mostFurther = 7
const furtherMessage = `The more must be a list of up to ${mostFurther} sources.`

const furtherSource = plainSource
  .refine(isOneChoice, oneChoice)
  .refine(isOneMeasure, oneMeasure)
  .meta({ id: 'FurtherSource' })

const source = z
  .strictObject({
    ...sourceFields,
    more: z
      .array(furtherSource, { error: furtherMessage })
      .max(mostFurther, furtherMessage)
      .optional()
      .describe('Further sources of the same chart.')
      .meta({ examples: [[]] }),
  })
  .refine(isOneChoice, oneChoice)
  .refine(isOneMeasure, oneMeasure)
  .meta({ id: 'WidgetSource' })

export type WidgetSource = z.infer<typeof source>

export const widgetFields = {
  ...withExamples(
    {
      type: z.enum(widgetTypes, {
        error: `The type must be one of: ${widgetTypes.join(', ')}.`,
      }),
      title: optionalText('title', 100),
      x: integer('x', 0, columnCount - 1).describe(`Of ${columnCount} columns, the first is 0.`),
      y: integer('y', 0, mostRows),
      w: integer('w', 1, columnCount),
      h: integer('h', 1, tallest),
    },
    { type: 'chart', title: 'Cold rooms', x: 0, y: 0, w: 6, h: 4 },
  ),
  source: source.optional().meta({
    examples: [{ group: 12, quantity: 'air.temperature' }],
  }),
  options: options.optional().meta({ examples: [{ range: '7d', show: 'lines' }] }),
}

/** What an object of any type can have; which of it a type has is checked by `factsOfType`. */
export const widget = z
  .strictObject(widgetFields)
  .superRefine((value, context) => {
    for (const [path, message] of faultsOf(value)) {
      context.addIssue({ code: 'custom', path, message })
    }
  })
  .meta({ id: 'Widget' })

export type Widget = z.infer<typeof widget>

type Fault = [path: string[], message: string]

function faultsOf({ type, x, w, source: about, options: chosen = {} }: Widget): Fault[] {
  const facts = factsOfType[type]
  const faults: Fault[] = []
  if (x + w > columnCount) {
    faults.push([['w'], `The x and the w may be ${columnCount} together at most.`])
  }
  if (facts.source === 'none' && about) faults.push([['source'], `A widget ${type} has no source.`])
  if (facts.source === 'measured' && !about?.measurement && !about?.quantity) {
    faults.push([['source'], `A widget ${type} needs a source with a measurement or a quantity.`])
  }
  if (facts.source === 'devices' && about?.measurement) {
    faults.push([['source', 'measurement'], `A widget ${type} takes a quantity, no measurement.`])
  }
  if (facts.source === 'plan' && !(about?.plan || about?.group || about?.variable)) {
    faults.push([['source'], `A widget ${type} needs a source with a plan, a group or a variable.`])
  }
  if (facts.source !== 'plan' && about?.plan) {
    faults.push([['source', 'plan'], `A widget ${type} takes no floor plan.`])
  }
  if (facts.source === 'some' && !hasDevices(about)) {
    faults.push([['source'], `A widget ${type} needs a source with devices.`])
  }
  for (const [at, further] of (about?.more ?? []).entries()) {
    const path = ['source', 'more', String(at)]
    if (type !== 'chart') faults.push([path, `A widget ${type} has one source.`])
    else if (!further.measurement && !further.quantity) {
      faults.push([path, 'The source needs a measurement or a quantity.'])
    } else if (further.plan) faults.push([[...path, 'plan'], 'A widget chart takes no floor plan.'])
  }
  for (const name of Object.keys(chosen) as WidgetOption[]) {
    if (!facts.options.includes(name)) {
      faults.push([['options', name], `A widget ${type} has no option ${name}.`])
    }
  }
  const { min, max, low, high } = chosen
  if (min !== undefined && max !== undefined && min >= max) {
    faults.push([['options', 'min'], 'The min must be below the max.'])
  }
  if (low !== undefined && high !== undefined && low >= high) {
    faults.push([['options', 'low'], 'The low must be below the high.'])
  }
  for (const name of facts.needs ?? []) {
    if (!chosen[name]) faults.push([['options', name], `The ${name} field is required.`])
  }
  return faults
}

function hasDevices({ devices, group, device_type, tag, variable }: WidgetSource = {}): boolean {
  return count([devices, group, device_type, tag, variable]) > 0
}

export const variable = z
  .strictObject({
    kind: queryChoice('kind', ['group', 'device']),
    group: id('group').nullish(),
    device: deviceReference.nullish(),
  })
  .refine(({ kind, group, device }) => (kind === 'group' ? !device : !group), {
    error: 'The variable must be of its kind.',
  })
  .meta({ id: 'DashboardVariable', examples: [{ kind: 'group', group: 12 }] })

export type Variable = z.infer<typeof variable>

/** How those who look count time. */
export const zoneFields = {
  time_zone: timeZoneName.default('UTC'),
  week_start: queryChoice('week start', formatChoices.week_start).default('monday'),
}

const versionsMessage = `The versions must be a list of up to ${mostWidgets} texts or nulls.`

export const versionsField = z
  .array(z.string({ error: versionsMessage }).max(64, versionsMessage).nullable(), {
    error: versionsMessage,
  })
  .max(mostWidgets, versionsMessage)
  .default([])
  .describe('The `version` of each widget that the client has: what is unchanged is not repeated.')

const widgetsMessage = `The widgets must be a list of up to ${mostWidgets}.`

/** What POST takes; PATCH takes any part of it. */
export const dashboardFields = withExamples(
  {
    name: requiredText('name', 100),
    description: optionalText('description', 500),
    shared: queryChoice('shared', ['organization', 'private']).describe(
      'Private: only whoever has made it sees it.',
    ),
    variable: variable
      .nullish()
      .describe('What is chosen while it is looked at, and the choice at first.'),
    range: queryChoice('range', widgetRanges),
    widgets: z
      .array(widget, { error: widgetsMessage })
      .max(mostWidgets, widgetsMessage)
      .refine((list) => JSON.stringify(list).length <= longestWidgets, {
        error: `The widgets may have ${longestWidgets / 1024} kB together at most.`,
      }),
  },
  {
    name: 'Cold chain',
    description: null,
    shared: 'organization',
    variable: null,
    range: '24h',
  },
)

export const newDashboard = z.object({
  ...dashboardFields,
  shared: dashboardFields.shared.default('organization'),
  range: dashboardFields.range.default('24h'),
  widgets: dashboardFields.widgets,
})

export const changedDashboard = z.object({
  ...z.object(dashboardFields).partial().shape,
  revision: requiredInteger('revision')
    .optional()
    .describe('That of the dashboard that was changed: 409 where somebody else was faster.')
    .meta({ examples: [1] }),
})

/** The JSON schema of what POST takes: for editors and programs that write dashboards. */
export function dashboardSchema(): Record<string, unknown> {
  const widgets = widgetTypes.map((type) => {
    const facts = factsOfType[type]
    const { needs = [] } = facts
    const own = Object.fromEntries(
      facts.options.map((name) => {
        const field: z.ZodType = optionFields[name]
        return [name, needs.includes(name) ? field : field.optional()]
      }),
    )
    const chosen = z.strictObject(own)
    return z.strictObject({
      ...widgetFields,
      type: z.literal(type),
      source:
        facts.source === 'none'
          ? z.undefined().optional()
          : facts.source === 'devices'
            ? source.optional()
            : source,
      options: needs.length > 0 ? chosen : chosen.optional(),
    })
  })
  return z.toJSONSchema(z.object({ ...newDashboard.shape, widgets: z.array(z.union(widgets)) }), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.id
    },
  })
}
