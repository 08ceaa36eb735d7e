import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isStorable, requiredText } from '../../../http/fields.ts'
import { measurementKinds } from '../../../sensors/measurement.ts'
import type { OwnDeclaration } from '../../../sensors/own-measurements.ts'

export const mostMeasurements = 30

function bound(label: string) {
  const error = `The ${label} must be a number.`
  return z.number({ error }).min(-1e15, error).max(1e15, error).optional()
}

/** What the owner of a type says of one of its measurements. */
export const ownMeasurement = z
  .object(
    withExamples(
      {
        name: z
          .string({ error: 'The name must be the path of a value, such as air.value.' })
          .min(1, 'The name field is required.')
          .max(120, 'The name may not be greater than 120 characters.')
          .refine(isStorable, 'The name contains a character that is not allowed.')
          .describe('The key of `decoded_object`, or the path within it.'),
        label: requiredText('label', 60).optional(),
        quantity: requiredText('quantity', 60)
          .optional()
          .describe('What it measures, as `air.temperature`: the same for sensors of all makers.'),
        unit: requiredText('unit', 20).optional(),
        kind: z
          .enum(measurementKinds, `The kind must be one of: ${measurementKinds.join(', ')}.`)
          .optional()
          .describe(
            'With `number`, a number that the codec sends as text counts in readings and alert rules.',
          ),
        decimals: z
          .int('The decimals must be from 0 to 6.')
          .min(0, 'The decimals must be from 0 to 6.')
          .max(6, 'The decimals must be from 0 to 6.')
          .optional(),
        min: bound('min').describe(
          'The lowest value that it can have. Of a battery: where the sensor stops.',
        ),
        max: bound('max').describe('The highest value that it can have.'),
        is_headline: z
          .boolean('The is headline must be true or false.')
          .optional()
          .describe('The reading of a device shows it.'),
        is_hidden: z.boolean('The is hidden must be true or false.').optional(),
      },
      {
        name: 'temperature',
        label: 'Freezer',
        quantity: 'air.temperature',
        unit: '°C',
        kind: 'number',
        decimals: 1,
        min: -40,
        max: 85,
        is_headline: true,
        is_hidden: false,
      },
    ),
  )
  .meta({ id: 'OwnMeasurement' })

export const ownMeasurements = z
  .array(ownMeasurement, { error: 'The measurements must be an array.' })
  .max(mostMeasurements, `The measurements may not have more than ${mostMeasurements} items.`)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    'The measurements may not name one twice.',
  )

export function toDeclaration(sent: z.infer<typeof ownMeasurement>): OwnDeclaration {
  const { name, is_headline: isHeadline, is_hidden: isHidden, ...rest } = sent
  const said = Object.entries({ ...rest, isHeadline, isHidden })
  return { name, ...Object.fromEntries(said.filter(([, value]) => value !== undefined)) }
}

export function toOwnMeasurement(declared: OwnDeclaration): z.infer<typeof ownMeasurement> {
  const { name, label, quantity, unit, kind, decimals, min, max, isHeadline, isHidden } = declared
  const all = {
    label,
    quantity,
    unit,
    kind,
    decimals,
    min,
    max,
    is_headline: isHeadline,
    is_hidden: isHidden,
  }
  return { name, ...Object.fromEntries(Object.entries(all).filter(([, value]) => value != null)) }
}
