import type { Answer } from '../../../api/client.ts'

export type Billing = Answer<'GET /fleet/billing'>['data']
export type Plan = Billing['plans'][number]

const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An amount in the operator's one currency, which the API does not name. */
export function amount(value: number): string {
  return format.format(value)
}

/** "every 3 months", "every month". */
export function every(interval: number, unit: string): string {
  return interval === 1 ? `every ${unit.replace(/s$/, '')}` : `every ${interval} ${unit}`
}

/** "a month". */
export function perUnit(unit: string): string {
  return `a ${unit.replace(/s$/, '')}`
}
