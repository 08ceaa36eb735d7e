import { z } from 'zod'
import { optionalLines, queryChoice } from '../../../http/fields.ts'
import { aggregates } from '../../../uplinks/read/points-queries.ts'
import { steps } from '../../../uplinks/read/steps.ts'
import { readPicture } from '../../fleet/pictures/picture.ts'
import { mostDevices, type WidgetOption, widgetRanges } from './widget-types.ts'

/** The options of widgets; which of them a type has is in `factsOfType`. */

const longestText = 10_000
/** Of a picture, as base64: the console makes photos smaller before. */
const longestImage = 120_000

export function integer(label: string, min: number, max: number) {
  const error = `The ${label} must be an integer from ${min} to ${max}.`
  return z.int({ error }).min(min, error).max(max, error)
}

function number(label: string) {
  return z.number({ error: `The ${label} must be a number.` })
}

const imageStart = /^data:image\/(?:png|jpeg);base64,/
const notImage =
  'The image must be a PNG or JPEG file as a data address (`data:image/png;base64,...`).'
const tooLarge = `The image may not have more than ${longestImage.toLocaleString('en-US')} characters.`

function pictureOf(text: string) {
  return readPicture(Buffer.from(text.replace(imageStart, ''), 'base64'))
}

/** Nothing but what draws it is kept: no place, no notes. */
const image = z
  .string({ error: notImage })
  .max(longestImage, { error: tooLarge, abort: true })
  .regex(imageStart, { error: notImage, abort: true })
  .superRefine((text, context) => {
    const picture = pictureOf(text)
    if ('fault' in picture) context.addIssue({ code: 'custom', message: picture.fault })
    else if (picture.type === 'image/svg+xml') {
      context.addIssue({ code: 'custom', message: notImage })
    }
  })
  .overwrite((text) => {
    const picture = pictureOf(text)
    return 'fault' in picture
      ? text
      : `data:${picture.type};base64,${picture.bytes.toString('base64')}`
  })
  .describe(
    `A PNG or JPEG file as a data address, up to ${longestImage.toLocaleString('en-US')} characters. Only what draws it is kept.`,
  )

const portMessage = 'The fPort must be an integer from 1 to 223.'
const payloadMessage = 'The payload must be 1 to 242 bytes in hexadecimal.'

export const optionFields = {
  range: queryChoice('range', widgetRanges).describe('In place of the range of the dashboard.'),
  step: queryChoice('step', ['auto', ...steps]),
  aggregate: queryChoice('aggregate', aggregates),
  show: queryChoice('show', ['auto', 'lines', 'average']).describe(
    'Of a chart: a line for each device, or their average between the lowest and the highest; `auto` takes lines for up to eight.',
  ),
  compare: z
    .boolean({ error: 'The compare must be true or false.' })
    .describe('With the period before.'),
  low: number('low').describe('Values below it are marked; in the base unit.'),
  high: number('high').describe('Values above it are marked.'),
  min: number('min').describe('Where the scale begins.'),
  max: number('max'),
  decimals: integer('decimals', 0, 6),
  order: queryChoice('order', ['name', 'highest', 'lowest']),
  most: integer('most', 1, mostDevices).describe('So many devices or alerts.'),
  text: optionalLines('text', longestText).unwrap().unwrap().describe('Markdown, without HTML.'),
  image,
  f_port: z.int(portMessage).min(1, portMessage).max(223, portMessage),
  payload: z
    .string(payloadMessage)
    .regex(/^([0-9a-fA-F]{2}){1,242}$/, payloadMessage)
    .describe('What the button sends to each of its devices, after a confirmation.'),
  confirmed: z.boolean({ error: 'The confirmed must be true or false.' }),
} satisfies Record<WidgetOption, z.ZodType>

export const options = z.strictObject(optionFields).partial().meta({ id: 'WidgetOptions' })

export type WidgetOptions = z.infer<typeof options>
