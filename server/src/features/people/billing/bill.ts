import { findDeviceType, fullName } from '../../../sensors/index.ts'
import type { Plan } from './plans.ts'

/** The bill for one interval of a plan. Amounts have two decimals. */
export interface Bill {
  planTotal: number
  addons: Addon[]
  /** With tax, without the setup fee, which is due once. */
  amount: number
}

/** The devices of one type on the bill. */
export interface Addon {
  code: string
  name: string
  /** For one device and one `interval_unit`. */
  price: number
  quantity: number
  /** Without tax. */
  total: number
}

export interface TypeCount {
  type_id: number
  count: number
}

export function computeBill(plan: Plan, counts: readonly TypeCount[]): Bill {
  const addons = counts.map(({ type_id: typeId, count }): Addon => {
    const addon = addonOf(plan, typeId)
    return {
      ...addon,
      quantity: count,
      total: fromCents(cents(addon.price) * count * plan.interval),
    }
  })
  const net = [plan.price, ...addons.map(({ total }) => total)].reduce(
    (sum, total) => sum + cents(total),
    0,
  )
  return {
    planTotal: plan.price,
    addons,
    amount: fromCents(Math.round(net * (1 + plan.tax_percentage / 100))),
  }
}

/** The add-on of a device type. */
export function addonOf(plan: Plan, typeId: number): Pick<Addon, 'code' | 'name' | 'price'> {
  const type = findDeviceType(typeId)
  const word = type?.partNumber ? type.partNumber.toLowerCase() : `device-type-${typeId}`
  return {
    code: `${word.replace(/[^a-z0-9]+/g, '-')}-monitoring-fee`,
    name: `${type ? fullName(type) : `Device type ${typeId}`} monitoring fee`,
    price: plan.device_prices[typeId] ?? plan.device_price,
  }
}

function cents(amount: number): number {
  return Math.round(amount * 100)
}

function fromCents(amount: number): number {
  return amount / 100
}

/** Days of UTC as `YYYY-MM-DD`. */
type Day = string

const dayMilliseconds = 24 * 60 * 60 * 1000

/**
 * The last billing day up to `today`, and the next one. A plan is billed every interval from
 * `first` on. Months are counted from `first`, so the 31st stays the 31st in every month that has
 * one. `last` is undefined before `first`.
 */
export function billingDays(
  plan: Pick<Plan, 'interval' | 'interval_unit'>,
  first: Day,
  today: Day,
): { last: Day | undefined; next: Day } {
  if (today < first) return { last: undefined, next: first }
  const { months, days } = stepOf(plan)
  const passed =
    months > 0 ? monthsBetween(first, today) / months : daysBetween(first, today) / days
  const dayOf = (count: number) =>
    months > 0 ? addMonths(first, count * months) : addDays(first, count * days)
  // The day of this month may be later than `today`.
  const whole = Math.floor(passed)
  const count = dayOf(whole) > today ? whole - 1 : whole
  return { last: dayOf(count), next: dayOf(count + 1) }
}

function stepOf({ interval, interval_unit: unit }: Pick<Plan, 'interval' | 'interval_unit'>) {
  switch (unit) {
    case 'days':
      return { months: 0, days: interval }
    case 'weeks':
      return { months: 0, days: interval * 7 }
    case 'months':
      return { months: interval, days: 0 }
    case 'years':
      return { months: interval * 12, days: 0 }
  }
}

function daysBetween(first: Day, last: Day): number {
  return (Date.parse(last) - Date.parse(first)) / dayMilliseconds
}

function monthsBetween(first: Day, last: Day): number {
  return monthOf(last) - monthOf(first)
}

/** Months since year 0. */
function monthOf(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

function addDays(day: Day, count: number): Day {
  return isoDay(Date.parse(day) + count * dayMilliseconds)
}

/** The same day of a later month, or that month's last day. */
function addMonths(day: Day, count: number): Day {
  const month = monthOf(day) + count
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12]
  const daysInMonth = new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate()
  const dayOfMonth = Math.min(Number(day.slice(8, 10)), daysInMonth)
  return isoDay(Date.UTC(year, monthOfYear, dayOfMonth))
}

function isoDay(milliseconds: number): Day {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
