import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { decodeFrame } from '../../../sensors/decode.ts'
import { deviceTypes, findDeviceType, fullName, layouts, sensors } from '../../../sensors/index.ts'
import { measurement, measurementKinds } from '../../../sensors/measurement.ts'
import { findMeasurement, unitOf } from '../../../sensors/measurements.ts'
import type {
  DeviceType,
  FrameExample,
  Message,
  PayloadField,
  Sensor,
} from '../../../sensors/sensor.ts'
import { endpoint } from '../../core-services.ts'
import { findCodecForm } from '../../downlinks/codec-configuration.ts'
import {
  configurationSection,
  toConfigurationSections,
} from '../../downlinks/configuration-fields-record.ts'
import {
  explainedFrame,
  payloadFormats,
  toExplainedFrame,
} from '../../insight/frames/explained-frame.ts'
import {
  countByType,
  find,
  listAll,
  type TypeSummary,
} from '../device-types/device-type-queries.ts'
import { deviceTypeNotFound } from '../device-types/device-type-record.ts'

const layoutField = z
  .object(
    withExamples(
      {
        label: z.string(),
        start: z.int().describe('Its first byte in the frame, whose header has two.'),
        length: z.int().nullable().describe('In bytes; null: up to the end.'),
        bits: z.object({ lowest: z.int(), count: z.int() }).nullable(),
        key: z.string().nullable(),
        unit: z.string().nullable(),
        coding: z.string().nullable(),
        values: z.array(z.object({ value: z.int(), text: z.string() })),
        when: z.string().nullable().describe('Set when it is not in every frame.'),
      },
      {
        label: 'State',
        start: 2,
        length: 1,
        bits: null,
        key: 'state',
        unit: null,
        coding: null,
        values: [
          { value: 0, text: 'Door Closed' },
          { value: 1, text: 'Door Opened' },
        ],
        when: null,
      },
    ),
  )
  .meta({ id: 'LayoutField' })

const frameExample = z
  .object({
    ...withExamples({ about: z.string() }, { about: 'opened' }),
    frame: explainedFrame,
  })
  .meta({ id: 'FrameExample' })

/** A kind of message: its layout as a table, and frames that show it. */
const catalogueMessage = z
  .object({
    ...withExamples(
      {
        event_code: z.int(),
        event_type: z.string(),
        is_common: z.boolean().describe('All sensors send it.'),
        minimum_length: z.int().describe('Of the whole frame, in bytes.'),
      },
      { event_code: 3, event_type: 'DOOR_SENSOR', is_common: false, minimum_length: 3 },
    ),
    fields: z.array(layoutField),
    examples: z.array(frameExample),
  })
  .meta({ id: 'CatalogueMessage' })

/** A device type in the list of the catalogue. */
const catalogueType = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        maker: z.string().nullable().describe('Null for your own types.'),
        type_name: z.string(),
        part_number: z.string(),
        other_part_numbers: z.array(z.string()),
        full_name: z.string(),
        format: z.enum(payloadFormats),
        is_own: z.boolean(),
        events: z.array(z.string()).describe('The kinds of messages of its own.'),
        measures: z.array(
          z.object({
            key: z.string(),
            label: z.string(),
            kind: z.enum(measurementKinds),
            unit: z.string().nullable(),
          }),
        ),
        has_settings: z.boolean().describe('It has settings of its own that can be sent.'),
      },
      {
        id: 16,
        maker: 'Radio Bridge',
        type_name: 'LoRa Door/Window',
        part_number: 'RBS301-DWS',
        other_part_numbers: ['RBS306-DWS'],
        full_name: 'RBS301-DWS - LoRa Door/Window',
        format: 'built_in',
        is_own: false,
        events: ['DOOR_SENSOR'],
        measures: [{ key: 'state', label: 'Door', kind: 'state', unit: null }],
        has_settings: true,
      },
    ),
    example: frameExample.nullable().describe('A frame of its own; null for your own types.'),
  })
  .meta({ id: 'CatalogueType' })

type CatalogueType = z.infer<typeof catalogueType>

function toCatalogueType(type: DeviceType): CatalogueType {
  const sensor = sensorOf(type)
  const [example] = sensor.examples
  return {
    id: type.typeId,
    maker: 'Radio Bridge',
    type_name: type.typeName,
    part_number: type.partNumber,
    other_part_numbers: [...(type.otherPartNumbers ?? [])],
    full_name: fullName(type),
    format: 'built_in',
    is_own: false,
    events: [...new Set(messagesOf(type).map(({ event }) => event))],
    measures: measuresOf(type.typeId, sensor),
    has_settings: type.settings !== undefined,
    example: example ? toExample(type.typeId, example) : null,
  }
}

function toOwnCatalogueType(type: TypeSummary): CatalogueType {
  const { id, type_name, part_number, payload_format } = type
  return {
    id,
    maker: null,
    type_name,
    part_number,
    other_part_numbers: [],
    full_name: fullName({ partNumber: part_number, typeName: type_name }),
    format: payload_format,
    is_own: true,
    events: [],
    measures: [],
    has_settings: payload_format === 'ts013',
    example: null,
  }
}

/** All kinds of messages of a built-in type: its own first, then those of all sensors. */
function toCatalogueMessages(type: DeviceType): z.infer<typeof catalogueMessage>[] {
  const common = layouts.filter((layout) => !sensors.some((sensor) => sensor === layout))
  return [
    ...messagesOf(type).map((message) => toMessage(type.typeId, message, false)),
    ...common
      .flatMap(({ messages }) => messages)
      .map((message) => toMessage(type.typeId, message, true)),
  ]
}

function sensorOf(type: DeviceType): Sensor {
  const sensor = sensors.find(({ deviceTypes }) => deviceTypes.includes(type))
  if (!sensor) throw new Error(`no sensor has the device type ${type.typeId}`)
  return sensor
}

function messagesOf(type: DeviceType): Message[] {
  const others = sensors.flatMap(({ messages }) => messages)
  const codes = type.alsoSends ?? []
  return [
    ...sensorOf(type).messages,
    ...others.filter(({ eventCode }) => codes.includes(eventCode)),
  ]
}

/** What the decoded examples of a sensor have, in the order of their first appearance. */
function measuresOf(typeId: number, { examples }: Sensor): CatalogueType['measures'] {
  const values = examples.map(({ hex }) => decode(hex).values)
  const keys = new Set(values.flatMap((one) => Object.keys(one)))
  return [...keys].map((key) => {
    const { label, kind, unit } = findMeasurement(typeId, key) ?? measurement(key, 'text')
    return { key, label, kind, unit: unit ?? unitOf(key) ?? null }
  })
}

function decode(hex: string) {
  return decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
}

function toMessage(typeId: number, message: Message, isCommon: boolean) {
  const examples = layouts
    .flatMap((layout) => layout.examples)
    .filter(({ hex }) => Uint8Array.fromHex(hex)[1] === message.eventCode)
  return {
    event_code: message.eventCode,
    event_type: message.event,
    is_common: isCommon,
    minimum_length: message.minimumLength + 2,
    fields: message.fields.map(toField),
    examples: examples.map((example) => toExample(typeId, example)),
  }
}

function toField(field: PayloadField): z.infer<typeof layoutField> {
  const [key] = field.keys ?? []
  return {
    label: field.label,
    start: field.at + 2,
    length: field.length === 'rest' ? null : (field.length ?? 1),
    bits: field.bits ?? null,
    key: key ?? null,
    unit: key === undefined ? null : (unitOf(key) ?? null),
    coding: field.coding ?? null,
    values: (field.texts ?? []).map((text, value) => ({ value, text })),
    when: field.only?.when ?? null,
  }
}

function toExample(typeId: number, { about, hex }: FrameExample): z.infer<typeof frameExample> {
  const bytes = Uint8Array.fromHex(hex)
  return { about, frame: toExplainedFrame({ bytes, typeId, format: 'built_in' }, decode(hex)) }
}

const listedType = z
  .object({ ...catalogueType.shape, ...withExamples({ devices: z.int() }, { devices: 12 }) })
  .meta({ id: 'ListedCatalogueType' })

/** The built-in part does not change while the service runs. */
const builtIn = deviceTypes.map(toCatalogueType)

export const listCatalogue = endpoint({
  summary: 'All device types, built in and your own, with what they send',
  answer: z.object({
    data: z.array(listedType),
    ...withExamples({ total: z.int() }, { total: 1 }),
  }),
  async handle({ caller }, { db }) {
    const [own, counts] = await Promise.all([
      listAll(db, caller.organizationId),
      countByType(db, caller.organizationId),
    ])
    const data = [...own.map(toOwnCatalogueType), ...builtIn].map((type) => ({
      ...type,
      devices: counts.get(type.id) ?? 0,
    }))
    return { data, total: data.length }
  },
})

const fullCatalogueType = z
  .object({
    ...catalogueType.shape,
    messages: z.array(catalogueMessage).describe('Empty for your own types.'),
    settings: z.array(configurationSection),
  })
  .meta({ id: 'FullCatalogueType' })

export const showCatalogueType = endpoint({
  summary: 'A device type with the layout of its messages, examples and settings',
  params: z.object({ id: pathId('16') }),
  answer: z.object({ data: fullCatalogueType }),
  failures: [404],
  async handle({ params: { id }, caller: { organizationId } }, services) {
    const builtIn = findDeviceType(id)
    if (builtIn) {
      const messages = toCatalogueMessages(builtIn)
      const settings = toConfigurationSections(id)
      return { data: { ...toCatalogueType(builtIn), messages, settings } }
    }
    const own = await find(services.db, organizationId, id)
    if (!own) throw deviceTypeNotFound()
    const codec = await findCodecForm(services, organizationId, id)
    const settings = toConfigurationSections(id, codec)
    return { data: { ...toOwnCatalogueType(own), messages: [], settings } }
  },
})
