import type { Answer } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { formatNumber } from '../../../ui/formats.ts'

export type Billing = Answer<'GET /fleet/billing'>['data']
export type Plan = Billing['plans'][number]

/** An amount in the operator's one currency, which the API does not name. */
export function amount(value: number): string {
  return formatNumber(value, 2)
}

/** "every 3 months", "every month". */
export function every(interval: number, unit: string): string {
  return t(
    '{unit, select, day {{count, plural, =1 {every day} one {every # day} other {every # days}}} week {{count, plural, =1 {every week} one {every # week} other {every # weeks}}} year {{count, plural, =1 {every year} one {every # year} other {every # years}}} other {{count, plural, =1 {every month} one {every # month} other {every # months}}}}',
    { count: interval, unit: singular(unit) },
  )
}

/** "a month". */
export function perUnit(unit: string): string {
  return t('{unit, select, day {a day} week {a week} year {a year} other {a month}}', {
    unit: singular(unit),
  })
}

function singular(unit: string): string {
  return unit.replace(/s$/, '')
}
