import { z } from 'zod'
import type { Schemas } from '../../clients/typescript/src/operations.ts'
import { answerWith } from './answer.ts'
import { instant, limit, type Tool, tag, tool } from './tool.ts'

const hours = z.int().min(1).max(100_000)

const summary = tool({
  name: 'fleet_summary',
  title: 'The fleet in numbers',
  description:
    'How many devices and gateways there are, how many are silent, low on battery or not registered, uplinks by hour, and how the network accounts are. A good first question.',
  input: z.object({}),
  async run(ask) {
    const { data } = await ask('getFleetSummary', {})
    return answerWith({ ...data, problems: undefined, ...data.problems })
  },
})

const findDevices = tool({
  name: 'find_devices',
  title: 'Find devices',
  description:
    'Devices by name, EUI, group, tag, network, type or state, with last contact, battery and signal.',
  input: z.object({
    search: z.string().max(255).optional().describe('Part of a name or EUI'),
    network: z.string().max(40).optional().describe('Key of a network, such as chirpstack'),
    group: z.int().optional().describe('Id of a group; includes the groups below it'),
    type: z.int().optional().describe('Id of a device type'),
    tag,
    status: z.enum(['pending', 'active', 'register_error']).optional(),
    verdict: z.enum(['ok', 'new', 'silent', 'attention', 'inactive']).optional(),
    silent_hours: hours.optional().describe('Not heard for so many hours, or never'),
    low_battery: z.boolean().optional(),
    tamper: z.boolean().optional(),
    sort: z.enum(['name', 'last_seen', 'battery', 'created_at']).default('last_seen'),
    order: z.enum(['asc', 'desc']).default('asc'),
    limit: limit(100, 25),
  }),
  async run(ask, { silent_hours: silent, low_battery, tamper, ...filter }) {
    const { data, total } = await ask('listFleetDevices', {
      ...filter,
      silent,
      low_battery: low_battery ? 'yes' : undefined,
      tamper: tamper ? 'yes' : undefined,
    })
    return answerWith({ total, devices: data.map(briefDevice) }, { devices: total })
  },
})

function placeOf({
  latitude,
  longitude,
  altitude,
  place_source: source,
}: Pick<Schemas['FleetDevice'], 'latitude' | 'longitude' | 'altitude' | 'place_source'>) {
  return latitude === null ? null : { latitude, longitude, altitude, source }
}

/** What a list shows of a device. */
export function briefDevice(one: Schemas['FleetDevice']) {
  const { id, device_id: eui, device_name: name, device_type: type, network, groups } = one
  return {
    id,
    eui,
    name,
    type: type.name,
    network: network.key,
    verdict: one.verdict,
    groups: groups.map((group) => ({ id: group.id, name: group.name })),
    tags: one.tags,
    place: placeOf(one),
    last_seen: one.last_seen,
    battery: one.battery,
    low_battery: one.low_battery,
    tamper: one.tamper,
    rssi: one.rssi,
    snr: one.snr,
    reading: one.reading && { text: one.reading.text, time: one.reading.time },
    state: one.sensor_state,
    status: one.device_register_status,
    error: one.api_error,
    is_active: one.is_active,
  }
}

const openAlerts = tool({
  name: 'list_alerts',
  title: 'Alerts',
  description: 'Alerts that are open, newest first, or those that are over.',
  input: z.object({
    state: z.enum(['open', 'closed']).default('open'),
    kind: z
      .enum([
        ...(['device_silent', 'gateway_silent', 'gateway_uptime'] as const),
        ...(['low_battery', 'tamper', 'threshold'] as const),
        ...(['condition', 'registration_error'] as const),
      ])
      .optional(),
    severity: z.enum(['info', 'warning', 'critical']).optional(),
    acknowledged: z.boolean().optional(),
    limit: limit(100, 25),
  }),
  async run(ask, { acknowledged, ...filter }) {
    const known = acknowledged === undefined ? undefined : acknowledged ? 'yes' : 'no'
    const { data, open, unacknowledged, after } = await ask('listAlerts', {
      ...filter,
      acknowledged: known,
    })
    const alerts = data.map(briefAlert)
    return answerWith({ open, unacknowledged, alerts }, after === null ? {} : { alerts: null })
  },
})

export function briefAlert(alert: Schemas['Alert']) {
  const { id, kind, state, device, gateway, cause, acknowledged_by: by } = alert
  return {
    id,
    kind,
    severity: alert.severity,
    state,
    rule: alert.rule_name,
    device,
    gateway,
    caused_by: cause,
    began_at: alert.began_at,
    closed_at: alert.closed_at,
    message: alert.message,
    key: alert.key,
    value: alert.value,
    value_text: alert.value_text,
    bound: alert.bound,
    unit: alert.unit,
    battery_empty_at: alert.empty_at,
    note: alert.note,
    acknowledged_by: by?.name ?? null,
    assigned_to: alert.assigned_to?.name ?? null,
    snoozed_until: alert.snoozed_until,
  }
}

const gateways = tool({
  name: 'list_gateways',
  title: 'Gateways',
  description:
    'Gateways with their last contact, traffic and uptime in percent, those longest silent or with the least uptime first.',
  input: z.object({
    search: z.string().max(255).optional().describe('Part of a name or EUI'),
    network: z.string().max(40).optional(),
    tag,
    verdict: z.enum(['ok', 'new', 'silent', 'attention']).optional(),
    silent_hours: hours.optional(),
    sort: z.enum(['last_seen', 'uptime']).default('last_seen'),
    limit: limit(100, 25),
  }),
  async run(ask, { silent_hours: silent, sort, ...filter }) {
    const sorting = { sort, order: 'asc' } as const
    const { data, total } = await ask('listFleetGateways', { ...filter, ...sorting, silent })
    const found = data.map(({ id, gateway_eui: eui, name, network, status, error, ...one }) => ({
      id,
      eui,
      name,
      network: network.key,
      verdict: one.verdict,
      status,
      error,
      last_seen: one.last_seen,
      uplinks: one.uplink_count,
      uptime_7_days: one.uptime_7_days,
      uptime_30_days: one.uptime_30_days,
      tags: one.tags,
      place: placeOf(one),
    }))
    return answerWith({ total, gateways: found }, { gateways: total })
  },
})

const coverage = tool({
  name: 'coverage',
  title: 'Coverage',
  description:
    'How the frames of a network, a group, a tag or all devices arrive: losses, airtime, and the devices that depend on a single gateway.',
  input: z.object({
    network: z.string().max(40).optional(),
    group: z.int().optional(),
    tag,
    since: instant.optional().describe('The last 7 days by default'),
    until: instant.optional(),
    limit: limit(100, 25),
  }),
  async run(ask, { since, until, limit: most, ...scope }) {
    const { data } = await ask('getCoverage', { ...scope, since, until, points: 10 })
    const alone = await ask('listCoveredDevices', { ...scope, gateways: 1, limit: most })
    const dependent = alone.data.map(({ id, device_eui: eui, name, network, ...one }) => ({
      id,
      eui,
      name,
      network,
      last_heard: one.last_heard,
      gateway: one.main_gateway,
    }))
    const totals = { devices_on_one_gateway: alone.total }
    return answerWith({ ...data, devices_on_one_gateway: dependent }, totals)
  },
})

export const fleetTools: readonly Tool[] = [summary, findDevices, openAlerts, gateways, coverage]
