import type { WidgetData } from '../dashboards/widget-data.ts'
import type { WidgetType } from '../dashboards/widget-types.ts'

/**
 * What a widget shows, for whoever has a link: names and values that are to be seen, and no ids, people,
 * notes or causes. Devices are numbered within the answer, floor plans within the dashboard (`place` is that
 * of the widget).
 */
export function toSharedData(type: WidgetType, data: WidgetData, place = 0): WidgetData {
  const numbers = new Map<string, string>()
  const numberOf = (eui: string) => {
    const number = numbers.get(eui) ?? String(numbers.size + 1)
    numbers.set(eui, number)
    return number
  }
  const ofSeries = (series: WidgetData['series']) =>
    series?.map((one) => ({
      ...one,
      device_id: one.device_id === null ? null : numberOf(one.device_id),
    }))
  const { series, previous, devices, states, alerts, plans, notes: _, ...rest } = data
  return {
    ...rest,
    ...(series && { series: ofSeries(series) }),
    ...(previous && { previous: ofSeries(previous) }),
    ...(devices && {
      devices: devices.map((device) => toSharedDevice(type, device, numberOf(device.device_id))),
    }),
    ...(states && {
      states: states.map((state) => ({ ...state, device_id: numberOf(state.device_id) })),
    }),
    ...(alerts && { alerts: alerts.map(toSharedAlert) }),
    ...(plans && {
      plans: plans.map((plan, at) => toSharedPlan(plan, numberOfPlan({ place, at }), numberOf)),
    }),
  }
}

type Device = NonNullable<WidgetData['devices']>[number]
type Alert = NonNullable<WidgetData['alerts']>[number]
type Plan = NonNullable<WidgetData['plans']>[number]

function toSharedDevice(type: WidgetType, device: Device, number: string): Device {
  const { device_name, last_seen, battery, low_battery, latitude, longitude, reading } = device
  const hasReading = type === 'table' || type === 'map'
  return {
    device_id: number,
    device_name,
    device_type: '',
    last_seen: type === 'table' || type === 'battery' ? last_seen : null,
    battery: type === 'battery' ? battery : null,
    low_battery: type === 'battery' ? low_battery : null,
    latitude: type === 'map' ? latitude : null,
    longitude: type === 'map' ? longitude : null,
    reading: hasReading ? reading : null,
    verdict: toSharedVerdict(device.verdict),
  }
}

function toSharedVerdict({ state, since, reasons }: Device['verdict']): Device['verdict'] {
  // Their messages may be those of the network.
  return {
    state,
    since,
    reasons: reasons.map(({ code }) => ({ code, message: '', action: '' })),
  }
}

/** A dashboard has up to 60 widgets, and a widget some plans. */
const plansOfWidget = 100

function numberOfPlan({ place, at }: { place: number; at: number }): number {
  return place * plansOfWidget + at
}

/** The place of a plan's widget, and of the plan in it. */
export function placeOfPlan(number: number): { place: number; at: number } {
  return { place: Math.floor(number / plansOfWidget), at: number % plansOfWidget }
}

function toSharedPlan(plan: Plan, id: number, numberOf: (eui: string) => string): Plan {
  const { name, width, height, revision, positions } = plan
  return {
    ...{ id, name, width, height, revision },
    positions: positions.map(({ device_id, device_name, x, y, last_seen, reading, verdict }) => ({
      id: Number(numberOf(device_id)),
      device_id: numberOf(device_id),
      ...{ device_name, x, y, last_seen, reading },
      verdict: toSharedVerdict(verdict),
    })),
  }
}

function toSharedAlert(alert: Alert, index: number): Alert {
  const { device, gateway } = alert
  return {
    ...alert,
    id: index + 1,
    rule_id: 0,
    rule_name: '',
    // Without the name of what a value was compared with: it may be no part of the dashboard.
    message: alert.kind === 'condition' ? withoutCompared(alert.message) : null,
    note: null,
    notes: [],
    device: device && { id: 0, eui: '', name: device.name },
    gateway: gateway && { id: 0, eui: '', name: gateway.name },
    cause: null,
    acknowledged_by: null,
    assigned_to: null,
    closed_by: null,
    groups: [],
    actions: [],
  }
}

function withoutCompared(message: string | null): string | null {
  return message?.replace(/ (above|below) .*/s, ' $1 another') ?? null
}
