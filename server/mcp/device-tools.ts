import { z } from 'zod'
import type { Schemas } from '../../clients/typescript/src/operations.ts'
import { answerWith } from './answer.ts'
import { briefAlert, briefDevice } from './fleet-tools.ts'
import type { Ask } from './service.ts'
import { explainSilence } from './silence.ts'
import { device, instant, limit, section, type Tool, tool } from './tool.ts'

const day = 24 * 3600 * 1000

/** What is known of a device and of its radio in the week before its last frame. */
async function examine(ask: Ask, reference: string) {
  const { data: page } = await ask('getFleetDevice', { device_id: reference })
  const until = new Date(page.last_seen === null ? Date.now() : Date.parse(page.last_seen) + 1)
  const range = {
    since: new Date(until.getTime() - 7 * day).toISOString(),
    until: until.toISOString(),
  }
  const [alerts, radio, battery] = await Promise.all([
    ask('getDeviceAlerts', { device_id: page.id }),
    ask('getDeviceRadio', { device_id: page.id, ...range, points: 7 }),
    ask('getDeviceBattery', { device_id: page.id }),
  ])
  return { page, alerts: alerts.data, radio: radio.data, battery: battery.data }
}

const detail = tool({
  name: 'get_device',
  title: 'A device and its health',
  description:
    'One device: its registration, how often it sends, last contact, signal, losses in the week before its last frame, battery with its trend, and its open alerts.',
  input: z.object({ device }),
  async run(ask, { device: reference }) {
    const { page, alerts, radio, battery } = await examine(ask, reference)
    const { received, lost, loss, gateways } = radio
    return answerWith({
      ...briefDevice(page),
      region: page.region,
      notes: page.extra_notes,
      gateway: page.gateway,
      hardware: page.hardware_version,
      firmware: page.firmware_version,
      account: page.account,
      waiting_call: page.waiting_call,
      quarantined: page.quarantined,
      waiting_downlinks: page.waiting_downlinks,
      usual_interval_seconds: alerts.interval_seconds,
      alerts_muted_until: alerts.muted_until,
      battery_trend: { latest: battery.latest, unit: battery.unit, ...battery.trend },
      week_before_last_frame: { received, lost, loss },
      gateways,
      alerts: alerts.alerts.map(briefAlert),
    })
  },
})

const whySilent = tool({
  name: 'why_silent',
  title: 'Why is this device silent',
  description:
    'Whether a device is silent by its own usual interval, and what is known that may explain it: registration, account, quarantine, battery, losses before, and whether its gateways are silent too.',
  input: z.object({ device }),
  async run(ask, { device: reference }) {
    const known = await examine(ask, reference)
    const sorting = { sort: 'last_seen', order: 'desc', limit: 1000 } as const
    const { data: gateways } = await ask('listFleetGateways', sorting)
    const lastHeard = new Map(gateways.map((one) => [one.gateway_eui, one.last_seen]))
    const explained = explainSilence(known, lastHeard, Date.now())
    return answerWith({ device: briefDevice(known.page), ...explained })
  },
})

const uplinks = tool({
  name: 'list_uplinks',
  title: 'Uplinks of a device',
  description: 'What a device has sent, newest first, decoded and as bytes.',
  input: z.object({
    device,
    since: instant.optional(),
    until: instant.optional(),
    event_type: z.string().max(64).optional().describe('Such as DOOR_SENSOR'),
    limit: limit(100, 20),
  }),
  async run(ask, input) {
    const { data, total, after } = await ask('listFleetUplinks', input)
    const found = data.map(({ event_type: event, decoded_object: decoded, ...one }) => ({
      time: one.event_time,
      event,
      reading: one.reading?.text ?? null,
      text: one.text,
      decoded,
      bytes: one.data,
      f_port: one.f_port,
      f_cnt: one.f_cnt,
      rssi: one.rssi,
      snr: one.snr,
    }))
    return answerWith({ uplinks: found }, after === null ? {} : { uplinks: total })
  },
})

const measurements = tool({
  name: 'get_measurements',
  title: 'Measurements of a device',
  description:
    'Readings over time: the latest value, and lowest, highest and average in equal parts of the range (the last 24 hours by default).',
  input: z.object({
    device,
    keys: z
      .array(z.string().max(100))
      .max(20)
      .optional()
      .describe('Names of readings; all by default'),
    from: instant.optional(),
    to: instant.optional(),
    points: z.int().min(1).max(200).default(24),
  }),
  async run(ask, { device: reference, keys, ...range }) {
    const input = { ...range, device_id: reference, keys: keys?.join(',') }
    const { data } = await ask('getDeviceMeasurements', input)
    return answerWith({ measurements: data })
  },
})

const downlinks = tool({
  name: 'list_downlinks',
  title: 'Downlinks of a device',
  description: 'Configuration messages to a device, newest first, and how far each has come.',
  input: z.object({ device, limit: limit(50, 10) }),
  async run(ask, { device: reference, limit: most }) {
    const { data, total } = await ask('listDownlinks', { device_id: reference, limit: most })
    const found = data.map(({ id, state, lines, steps, hindrance, last_error: error }) => ({
      id,
      state,
      settings: lines,
      steps,
      hindrance,
      error,
    }))
    return answerWith({ total, downlinks: found }, { downlinks: total })
  },
})

const settings = tool({
  name: 'get_settings_form',
  title: 'Settings of a device',
  description:
    'What a downlink can change: the sections, or the fields of one section with the values that they take; for queue_downlink.',
  input: z.object({ device, section: section.optional() }),
  async run(ask, { device: reference, section: wanted }) {
    const { data } = await ask('getConfigurationFields', { device_id: reference })
    const found = data.sections.find(({ key }) => key === wanted)
    if (found)
      return answerWith({ section: found.key, note: found.note, fields: found.fields.map(brief) })
    const sections = data.sections.map(({ key, label, fields }) => ({
      section: key,
      label,
      fields: fields.map((field) => field.label),
    }))
    return answerWith({ sections })
  },
})

/** What is set of a field. */
function brief(field: Schemas['ConfigurationField']) {
  const { key: _, wrapper: __, ...told } = field
  const isTold = (value: unknown) => value !== null && value !== '' && value !== false
  const members = Object.entries(told).filter(([, value]) => isTold(value))
  return Object.fromEntries(
    members.filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )
}

export const deviceTools: readonly Tool[] = [
  detail,
  whySilent,
  uplinks,
  measurements,
  downlinks,
  settings,
]
