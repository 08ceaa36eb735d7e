import type { BitsField, NumberField, Option, SelectField, ToggleField } from './section.ts'

type Given<Kind extends { isInferred: boolean }, Implied extends keyof Kind> = Omit<
  Kind,
  'kind' | 'part' | 'isInferred' | Implied
> & { isInferred?: true }

const inferred =
  'The maker has not published how this is coded; it is inferred. Check that the sensor accepts it.'

/** Says `inferred` of every inferred field that has no note of its own. */
function origin(given: { isInferred?: true; note?: string }) {
  if (!given.isInferred) return { isInferred: false }
  return { isInferred: true, note: given.note ?? inferred }
}

export function select(given: Given<SelectField, never>): SelectField {
  return { ...given, ...origin(given), kind: 'select', part: 'group' }
}

/** Bit choices; `texts` name the bits, lowest first. */
export function bits(given: Given<BitsField, 'options'> & { texts: readonly string[] }): BitsField {
  const { texts, ...field } = given
  const options = texts.map((text, bit) => ({ value: 1 << bit, text }))
  return { ...field, ...origin(given), options, kind: 'bits', part: 'group' }
}

export function toggle(given: Given<ToggleField, never>): ToggleField {
  return { ...given, ...origin(given), kind: 'toggle', part: 'group' }
}

/** A number of `unit`; `scale` is the counts per unit (1 when left out), which gives the step. */
export function number(
  given: Given<NumberField, 'step' | 'scale'> & { scale?: number },
): NumberField {
  const scale = given.scale ?? 1
  return { ...given, ...origin(given), scale, step: 1 / scale, kind: 'number', part: 'main' }
}

/** Counts of the mode byte that most measuring sensors have in common. */
export const modes: readonly Option[] = [
  { value: 0, text: 'Thresholds' },
  { value: 1, text: 'Report on change' },
]

/** Condition of the fields that count in one of the two modes only. */
export const inThresholdMode = { key: 'mode', values: [0] }
export const inChangeMode = { key: 'mode', values: [1] }

/** The mode of a measuring sensor, which stands in its first byte. */
export function modeField(id: number): SelectField {
  return select({
    id,
    key: 'mode',
    label: 'Mode',
    description:
      'Thresholds: an event when the measurement passes a limit. Report on change: an event when it has changed by an amount. Left empty, thresholds.',
    place: { byte: 0 },
    default: 0,
    options: modes,
  })
}
