import { z } from 'zod'
import type { Schemas } from '../../clients/typescript/src/operations.ts'
import { answerWith } from './answer.ts'
import { device, section, type Tool, tool } from './tool.ts'

const queueDownlink = tool({
  name: 'queue_downlink',
  title: 'Send settings to a device',
  description:
    'Queues a configuration message, which the device gets after its next uplink. get_settings_form gives the sections, and the names of the fields with the values that they take. Ask the user before you use it.',
  input: z.object({
    device,
    section,
    fields: z.record(z.string().max(100), z.json()).describe('Values by `name` of the field'),
  }),
  changes: 'manage_devices',
  async run(ask, { device: reference, section: chosen, fields }) {
    const { data } = await ask('getConfigurationFields', { device_id: reference })
    const known = data.sections.find(({ key }) => key === chosen)?.fields ?? []
    const values = Object.entries(fields).map(([name, value]) => {
      const wrapper = known.find((field) => field.name === name)?.wrapper
      return [name, wrapper ? { [wrapper]: value } : value]
    })
    const field = { islorawan: 1, config_type: chosen, ...Object.fromEntries(values) }
    const body = { config_field: field } as Schemas['ConfigureDeviceRequest']
    const sent = await ask('configureDevice', { device_id: reference, body })
    const { message, downlink_id: id, warnings } = sent
    return answerWith({ message, downlink: id, warnings })
  },
})

const acknowledge = tool({
  name: 'acknowledge_alert',
  title: 'Acknowledge an alert',
  description: 'Says that somebody looks after an alert. Ask the user before you use it.',
  input: z.object({
    alert: z.int().min(1).describe('Id, as list_alerts gives it'),
    note: z.string().max(500).optional(),
  }),
  changes: 'manage_devices',
  isIdempotent: true,
  async run(ask, { alert, note }) {
    const { data } = await ask('acknowledgeAlert', { alert_id: alert, body: { note } })
    const { id, state, acknowledged_at: at, acknowledged_by: by } = data
    return answerWith({ alert: id, state, acknowledged_at: at, acknowledged_by: by?.name ?? null })
  },
})

const rename = tool({
  name: 'rename_device',
  title: 'Rename a device',
  description:
    'Gives a device another name, here and at its network. Ask the user before you use it.',
  input: z.object({ device, name: z.string().min(1).max(255) }),
  changes: 'manage_devices',
  isIdempotent: true,
  async run(ask, { device: reference, name }) {
    const input = { device_id: reference, body: { device_name: name } }
    const { data, warnings } = await ask('updateDevice', input)
    return answerWith({ id: data.id, name, warnings })
  },
})

const setTags = tool({
  name: 'set_device_tags',
  title: 'Set the tags of a device',
  description:
    'Gives a device these tags in place of all that it has; get_device tells them. Ask the user before you use it.',
  input: z.object({ device, tags: z.record(z.string().max(64), z.string().max(256)) }),
  changes: 'manage_devices',
  isIdempotent: true,
  async run(ask, { device: reference, tags }) {
    const { data } = await ask('updateDevice', { device_id: reference, body: { tags } })
    return answerWith({ id: data.id, tags })
  },
})

const setPlace = tool({
  name: 'set_device_place',
  title: 'Set where a device is',
  description:
    'Sets the coordinates of a device, in degrees; null for both goes back to what its sensor or network tells. Ask the user before you use it.',
  input: z.object({
    device,
    latitude: z.number().min(-90).max(90).nullable(),
    longitude: z.number().min(-180).max(180).nullable(),
  }),
  changes: 'manage_devices',
  isIdempotent: true,
  async run(ask, { device: reference, ...place }) {
    const { data } = await ask('updateDevice', { device_id: reference, body: place })
    return answerWith({ id: data.id, ...place })
  },
})

export const writingTools: readonly Tool[] = [
  ...[queueDownlink, acknowledge, rename, setTags, setPlace],
]
