import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { listUsedTypes } from './automatic-queries.ts'
import { measuredBy, numbersOf } from './measured-by.ts'

const measured = z
  .object(
    withExamples(
      {
        quantity: z.string().nullable(),
        measurement: z.string().nullable().describe('The name, of what has no quantity.'),
        label: z.string(),
        unit: z.string().nullable().describe('The base unit.'),
        devices: z.int().describe('Devices whose type measures it.'),
      },
      {
        quantity: 'air.temperature',
        measurement: null,
        label: 'Temperature',
        unit: '°C',
        devices: 40,
      },
    ),
  )
  .meta({ id: 'Measured' })

export const listMeasured = endpoint({
  summary: 'What the devices measure, by their types',
  description:
    'What most devices measure comes first. A source of a widget, or `POST /measurements/query`, takes the `quantity` or the `measurement`.',
  answer: z.object({ data: z.array(measured) }),
  async handle({ caller }, { db }) {
    const types = await listUsedTypes(db, caller)
    const data = measuredBy(types, numbersOf).map(({ what, ...rest }) => ({
      quantity: 'quantity' in what ? what.quantity : null,
      measurement: 'measurement' in what ? what.measurement : null,
      ...rest,
    }))
    return { data }
  },
})
