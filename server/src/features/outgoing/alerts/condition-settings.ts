import { z } from 'zod'
import { largestInteger } from '../../../http/fields.ts'

/** The settings of rules with conditions. */

export const minutesOfMonth = 31 * 24 * 60

export function integer(
  label: string,
  { min, max, usual }: { min: number; max: number; usual: number },
) {
  const error = `The ${label} must be an integer from ${min} to ${max}.`
  return z.int({ error }).min(min, error).max(max, error).default(usual)
}

function optionalId(label: string) {
  const error = `The ${label} must be an id, or null.`
  return z.int({ error }).min(1, error).max(largestInteger, error).nullable()
}

const nameMessage = 'The measurement must be the name of a value of decoded_object, or null.'
const quantityMessage = 'The quantity must be the name of one, such as air.temperature, or null.'
const limitMessage = 'The value must be a number, a text of up to 100 characters, or true or false.'

/** What a condition asks of a value; the last five compare it with what was said before or elsewhere. */
export const comparisons = [
  ...(['above', 'below', 'equal', 'not_equal'] as const),
  ...(['rises', 'falls', 'higher', 'lower', 'differs'] as const),
] as const

const isMessage = `The is must be one of: ${comparisons.join(', ')}.`

/** Longer ones would read too much of the past with each message. */
const minutesOfDay = 24 * 60

const condition = z.strictObject({
  measurement: z
    .string({ error: nameMessage })
    .regex(/^[\p{L}\p{N}_.-]{1,100}$/u, nameMessage)
    .nullable()
    .default(null),
  quantity: z
    .string({ error: quantityMessage })
    .regex(/^[A-Za-z0-9.]{1,60}$/, quantityMessage)
    .nullable()
    .default(null)
    .describe('In place of the measurement, whatever it is called.'),
  is: z.enum(comparisons, { error: isMessage }),
  value: z.union([z.number().min(-1e15).max(1e15), z.string().max(100), z.boolean()], {
    error: limitMessage,
  }),
  than: z
    .strictObject(
      { device: optionalId('device').default(null), group: optionalId('group').default(null) },
      { error: 'The than must be a device or a group.' },
    )
    .nullable()
    .default(null)
    .describe('Of `higher`, `lower` and `differs`: another device, or the average of a group.'),
  within_minutes: integer('within_minutes', { min: 1, max: minutesOfDay, usual: 60 }).describe(
    'Of `rises` and `falls`: in this time. Of the others with `than`: no older value counts.',
  ),
})

export type Condition = z.infer<typeof condition>

const mostTimes = 500
const timesMessage = `The times must be an integer from 1 to ${mostTimes}, or null.`

const timeMessage = 'The from and to must be times of day such as 08:00.'
const timeOfDay = z.string({ error: timeMessage }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeMessage)
const daysMessage = 'The days must be numbers from 1 (Monday) to 7.'

const schedule = z.strictObject({
  days: z
    .array(z.int({ error: daysMessage }).min(1, daysMessage).max(7, daysMessage))
    .min(1, daysMessage)
    .max(7, daysMessage),
  from: timeOfDay,
  to: timeOfDay,
})

export const conditionSettings = z.strictObject({
  match: z
    .enum(['all', 'any'], { error: 'The match must be all or any.' })
    .default('all')
    .describe('Of the conditions.'),
  conditions: z
    .array(condition)
    .min(1, 'Set one condition or more.')
    .max(5, 'A rule has up to 5 conditions.'),
  minutes: integer('minutes', { min: 0, max: minutesOfMonth, usual: 0 }).describe(
    'Only when it lasts so long.',
  ),
  times: z
    .int({ error: timesMessage })
    .min(1, timesMessage)
    .max(mostTimes, timesMessage)
    .nullable()
    .default(null)
    .describe('Only when it happens more often than this within `times_minutes`.'),
  times_minutes: integer('times_minutes', { min: 1, max: minutesOfDay, usual: 60 }),
  counts: z
    .enum(['beginnings', 'messages'], { error: 'The counts must be beginnings or messages.' })
    .default('beginnings')
    .describe(
      'What `times` counts: how often it begins, or each message (a button that is pressed again).',
    ),
  outside: schedule
    .nullable()
    .default(null)
    .describe('Only outside of these hours, in the time zone of the organization.'),
})

export type ConditionSettings = z.infer<typeof conditionSettings>

/** What is wrong beyond single fields, by field. */
export function findConditionFault(settings: ConditionSettings): [string, string] | undefined {
  for (const [at, condition] of settings.conditions.entries()) {
    const { measurement, quantity, is, value, than } = condition
    const field = `conditions.${at}`
    if ((measurement === null) === (quantity === null)) {
      return [`${field}.measurement`, 'Set either the measurement or the quantity.']
    }
    if (needsNumber(condition) && typeof value !== 'number') {
      return [`${field}.value`, 'The value must be a number.']
    }
    if (isRelative(condition) && Number(value) < 0) {
      return [`${field}.value`, 'The value may not be negative.']
    }
    const compared = [than?.device, than?.group].filter((one) => (one ?? null) !== null).length
    if (compared !== (['higher', 'lower', 'differs'].includes(is) ? 1 : 0)) {
      return [
        `${field}.than`,
        'Set a device or a group to compare with, for higher, lower and differs.',
      ]
    }
  }
  if (settings.times !== null && settings.minutes > 0) {
    return ['minutes', 'Set minutes or times, not both.']
  }
  return undefined
}

/** Whether it is about a difference, not about the value itself. */
export function isRelative({ is }: Pick<Condition, 'is'>): boolean {
  return ['rises', 'falls', 'higher', 'lower', 'differs'].includes(is)
}

export function needsNumber(condition: Pick<Condition, 'is'>): boolean {
  return condition.is === 'above' || condition.is === 'below' || isRelative(condition)
}
