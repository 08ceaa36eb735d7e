import { createHash } from 'node:crypto'
import { findDeviceType } from '../../sensors/index.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { type Components, componentsOfOwn, componentsOfType } from './discovery-components.ts'
import type { KnownAnnouncement } from './discovery-queries.ts'
import { topicOf } from './mqtt-delivery.ts'
import type { MqttSettings } from './mqtt-settings.ts'

/**
 * What tells Home Assistant of a device: a retained message of its MQTT discovery, one for all
 * components (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
 */
export interface Announcement extends KnownAnnouncement {
  payload: string
}

export interface AnnouncedDevice {
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  network: string
  /** Of the uplink that follows. */
  decoded_object: Record<string, ReadingValue>
}

/** Names of devices are anybody's choice, so topics and ids are made only of numbers. */
export function announcementTopic(prefix: string, organizationId: number, eui: string): string {
  return `${prefix}/device/${idOf(organizationId, eui)}/config`
}

function idOf(organizationId: number, eui: string): string {
  return `lora_${organizationId}_${eui}`
}

/** `before` is what was announced at the same topic, if anything. */
export function makeAnnouncement(
  { topic: template, discovery_prefix: prefix }: Required<MqttSettings>,
  organizationId: number,
  device: AnnouncedDevice,
  before: KnownAnnouncement | undefined,
): Announcement {
  const { device_id, device_eui: eui, device_type_id: type_id } = device
  const announced = before?.type_id === type_id ? before.components : []
  const components = componentsOfType(type_id) ?? componentsOfOwn(device.decoded_object, announced)
  const id = idOf(organizationId, eui)
  const stateTopic = topicOf(template, organizationId, { kind: 'uplink', device })
  const config = {
    device: {
      identifiers: [id],
      name: device.device_name,
      serial_number: eui,
      ...modelOf(type_id),
    },
    origin: { name: 'LoRa fleet console' },
    components: toConfigs(components, { id, stateTopic }),
  }
  const gone = vanished(before?.components ?? [], components)
  // With what is gone in it, it is sent once more without (the manual's advice).
  const isWhole = Object.keys(gone).length === 0
  return {
    topic: announcementTopic(prefix, organizationId, eui),
    device_id,
    type_id,
    components: Object.entries(components).map(([key, { platform }]) => `${platform} ${key}`),
    digest: isWhole ? digestOf(config) : null,
    payload: JSON.stringify({ ...config, components: { ...config.components, ...gone } }),
  }
}

function digestOf(config: object): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('base64url')
}

function modelOf(typeId: number): { model?: string; model_id?: string } {
  const type = findDeviceType(typeId)
  if (!type) return {}
  return { model: type.typeName, ...(type.partNumber ? { model_id: type.partNumber } : {}) }
}

function toConfigs(components: Components, { id, stateTopic }: { id: string; stateTopic: string }) {
  const configs = Object.entries(components).map(([key, component]) => {
    const { platform, json_attributes_template } = component
    const topic = json_attributes_template
      ? { json_attributes_topic: stateTopic }
      : { state_topic: stateTopic }
    return [key, { ...component, platform, unique_id: `${id}_${key}`, ...topic, qos: 1 }]
  })
  return Object.fromEntries(configs)
}

/** A component that has only its platform is removed. */
function vanished(before: readonly string[], components: Components) {
  const gone = before.flatMap((text) => {
    const [platform, key = ''] = text.split(' ')
    return key in components ? [] : [[key, { platform }]]
  })
  return Object.fromEntries(gone)
}
