import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { choicesOf, type Field, type Section } from '../../sensors/settings/section.ts'
import type { CodecField } from './form-sections.ts'
import { type CodecForm, conditionOf, formSections, wrapperOf } from './form-sections.ts'

const sectionKey = z.enum(['sensor', 'general', 'advanced'])

/** A field of the configuration form, as data. */
const configurationField = z
  .object(
    withExamples(
      {
        name: z.string().describe('Its member of `config_field`.'),
        wrapper: z
          .enum(['group', 'main'])
          .nullable()
          .describe('The member of an object that the value goes into; null: the value itself.'),
        key: z.string().describe('The name of the setting, the same whatever the sensor.'),
        label: z.string(),
        type: z
          .enum(['select', 'bits', 'toggle', 'number', 'json'])
          .describe(
            '`bits`: the value is the sum of the options chosen. `json`: an object, or its JSON as text.',
          ),
        unit: z.string().nullable(),
        minimum: z.number().nullable(),
        maximum: z.number().nullable(),
        step: z.number().nullable().describe('Numbers between two steps are refused.'),
        default: z
          .number()
          .nullable()
          .describe('Sent when the field is left empty; null: it follows from other fields.'),
        options: z.array(z.object({ value: z.int(), text: z.string() })),
        only_when: z
          .object({ name: z.string(), values: z.array(z.int()) })
          .nullable()
          .describe('The field counts only while the one of this name has one of these values.'),
        inferred: z.boolean().describe('How it is sent is inferred, not published by the maker.'),
        help: z.string(),
      },
      {
        name: '302',
        wrapper: 'main',
        key: 'open_hold_time',
        label: 'Hold time of opened',
        type: 'number',
        unit: 's',
        minimum: 0,
        maximum: 16383.75,
        step: 0.25,
        default: 0,
        options: [],
        only_when: null,
        inferred: false,
        help: 'How long it must stay open before the event. Left empty or 0, at once.',
      },
    ),
  )
  .meta({ id: 'ConfigurationField' })

/** A section of the configuration form, as data. One message carries one section. */
export const configurationSection = z
  .object({
    key: sectionKey.describe('The `config_type` that sends it.'),
    ...withExamples(
      { label: z.string(), note: z.string().nullable().describe('Why there are no fields.') },
      { label: 'Sensor configuration', note: null },
    ),
    fields: z.array(configurationField),
  })
  .meta({ id: 'ConfigurationSection' })

/** All three sections of the form for this type of device. */
export function toConfigurationSections(
  typeId: number,
  codec?: CodecForm,
): z.infer<typeof configurationSection>[] {
  return formSections(typeId, codec).map(({ name, label, section, codecFields, note }) => ({
    key: name,
    label,
    note: note ?? null,
    fields:
      section?.fields.map((field) => toField(field, section)) ?? codecFields.map(toCodecField),
  }))
}

function toCodecField(field: CodecField): z.infer<typeof configurationField> {
  return {
    ...field,
    wrapper: null,
    key: field.name,
    unit: null,
    step: field.type === 'number' ? 1 : null,
    default: null,
    options: [],
    only_when: null,
    inferred: false,
  }
}

function toField(field: Field, section: Section): z.infer<typeof configurationField> {
  const condition = conditionOf(field, section)
  const isNumber = field.kind === 'number'
  return {
    name: String(field.id),
    wrapper: wrapperOf(field, section.name) ?? null,
    key: field.key,
    label: field.label,
    type: field.kind,
    unit: isNumber && field.unit !== '' ? field.unit : null,
    minimum: isNumber ? field.min : null,
    maximum: isNumber ? field.max : null,
    step: isNumber ? field.step : null,
    default: field.default ?? null,
    options: optionsOf(field),
    only_when: condition
      ? { name: String(condition.field.id), values: [...condition.values] }
      : null,
    inferred: field.isInferred,
    help: [field.description, field.note].filter(Boolean).join(' '),
  }
}

function optionsOf(field: Field) {
  if (field.kind === 'number') return []
  return field.kind === 'bits' ? [...field.options] : [...choicesOf(field)]
}
