import { findDeviceType, fullName } from '../../sensors/index.ts'
import type { Plan } from './plans.ts'

/** What is due for one interval of a plan, line by line. Amounts have two decimals. */
export interface Bill {
  planTotal: number
  addons: Addon[]
  /** With tax; the setup fee, which is due once, is not in it. */
  amount: number
}

/** The devices of one type on the bill. */
export interface Addon {
  code: string
  name: string
  /** Of one device for one `interval_unit`. */
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

/** How a device type stands on the bill. */
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
