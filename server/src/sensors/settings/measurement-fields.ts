import { otherPeriods, periods } from './periods.ts'
import {
  capitalize,
  type Field,
  type NumberField,
  number,
  type Option,
  type Section,
  type SelectField,
  select,
  sensorSection,
} from './section.ts'

/*
 * The common fields of sensors that send an event when a measurement passes a threshold, or has
 * changed by an amount. The two modes use the same bytes:
 *
 * | bytes      | thresholds      | report on change |
 * |------------|-----------------|------------------|
 * | the first  | lower threshold | increase; 0 off  |
 * | the second | upper threshold | decrease; 0 off  |
 */

/** Values of the mode byte of measuring sensors. */
export const modes: readonly Option[] = [
  { value: 0, text: 'Thresholds' },
  { value: 1, text: 'Report on change' },
]

/** For `onlyWhen`: the field counts in one of the two modes. */
export const inThresholdMode = { key: 'mode', values: [0] }
export const inChangeMode = { key: 'mode', values: [1] }

/** The mode of a measuring sensor, in its first byte. */
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

/** The periodic report of a measuring sensor, in its second byte. */
export function periodicReportField(id: number): SelectField {
  return select({
    id,
    key: 'periodic_report',
    label: 'Periodic report',
    description:
      'Sends the measurement at this interval, whatever it is. Short intervals cost battery. Left empty, off.',
    place: { byte: 1 },
    default: 0,
    options: periods,
    alsoRead: otherPeriods,
  })
}

/** A quantity that a sensor measures. */
export interface Quantity {
  /** As in "when the current falls below it". */
  name: string
  unit: string
  /** Counts on the wire per unit; 1 when left out. */
  scale?: number
  /** Bytes of a threshold and of a change; 1 when left out. */
  length?: 1 | 2
  /** Whether a threshold is a two's complement; a change is not. */
  isSigned?: true
  /** The ends of the range of a threshold. */
  lowest: number
  highest: number
  largestChange: number
  /** Set for sensors of several quantities: keys and labels of the fields name the quantity. */
  isOneOfSeveral?: true
}

interface Cell {
  id: number
  /** The first byte. */
  byte: number
}

interface ThresholdCell extends Cell {
  default: number
  /** A further statement about the threshold. */
  remark?: string
  /** The effect of the default, as in "no event". */
  outcome?: string
}

/** The settings of a sensor of one quantity, with ids and bytes in the usual order. */
export function measurementSettings(
  quantity: Quantity,
  given: {
    command: number
    /** The id of the mode. The other six fields have the following ids. */
    firstId: number
    /** The field in byte 2, with the third id, that keeps the sensor from sending too many events. */
    damping: Field
    lower: Omit<ThresholdCell, keyof Cell>
    upper: Omit<ThresholdCell, keyof Cell>
  },
): Section {
  const { command, firstId, damping, lower, upper } = given
  const [first, second] = [3, 3 + (quantity.length ?? 1)]
  return sensorSection({
    command,
    fields: [
      modeField(firstId),
      periodicReportField(firstId + 1),
      damping,
      lowerThreshold(quantity, { id: firstId + 3, byte: first, ...lower }),
      upperThreshold(quantity, { id: firstId + 4, byte: second, ...upper }),
      increase(quantity, { id: firstId + 5, byte: first }),
      decrease(quantity, { id: firstId + 6, byte: second }),
    ],
    ordered: [['lower_threshold', 'upper_threshold']],
  })
}

export function lowerThreshold(quantity: Quantity, cell: ThresholdCell): NumberField {
  return threshold(quantity, cell, ['lower', 'falls below'])
}

export function upperThreshold(quantity: Quantity, cell: ThresholdCell): NumberField {
  return threshold(quantity, cell, ['upper', 'rises above'])
}

export function increase(quantity: Quantity, cell: Cell): NumberField {
  return change(quantity, cell, ['increase', 'risen'])
}

export function decrease(quantity: Quantity, cell: Cell): NumberField {
  return change(quantity, cell, ['decrease', 'fallen'])
}

/** The way back past a threshold before the next event; `bits` when it is a part of the byte. */
export function restoralMargin(
  { name, unit, scale, isOneOfSeveral }: Quantity,
  margin: {
    id: number
    byte: number
    bits?: { lowest: number; count: number }
    default: number
    note?: string
    isInferred?: true
  },
): NumberField {
  const { byte, bits, ...field } = margin
  const counts = scale ?? 1
  const empty = margin.default === 0 ? 'Left empty or 0, off.' : leftEmpty(margin.default, unit)
  return number({
    ...field,
    key: isOneOfSeveral ? `${name}_margin` : 'restoral_margin',
    label: isOneOfSeveral ? `Restoral margin of the ${name}` : 'Restoral margin',
    description: `How far the ${name} must come back past a threshold before the next event. ${empty}`,
    place: bits ? { byte, bits } : { byte },
    onlyWhen: inThresholdMode,
    min: 0,
    max: (2 ** (bits?.count ?? 8) - 1) / counts,
    unit,
    scale: counts,
  })
}

function threshold(
  quantity: Quantity,
  cell: ThresholdCell,
  [side, passes]: [side: string, passes: string],
): NumberField {
  const { name, unit, lowest, highest, isOneOfSeveral } = quantity
  const remark = cell.remark === undefined ? '' : `; ${cell.remark}`
  return number({
    id: cell.id,
    key: isOneOfSeveral ? `${side}_${name}` : `${side}_threshold`,
    label: capitalize(isOneOfSeveral ? `${side} ${name} threshold` : `${side} threshold`),
    description: `An event when the ${name} ${passes} it${remark}. ${leftEmpty(cell.default, unit, cell.outcome)}`,
    place: { ...placeOf(quantity, cell), ...(quantity.isSigned ? { coding: 'signed' } : {}) },
    default: cell.default,
    onlyWhen: inThresholdMode,
    min: lowest,
    max: highest,
    unit,
    scale: quantity.scale ?? 1,
  })
}

function change(
  quantity: Quantity,
  cell: Cell,
  [direction, changed]: [direction: string, changed: string],
): NumberField {
  const { name, isOneOfSeveral } = quantity
  return number({
    id: cell.id,
    key: isOneOfSeveral ? `${name}_${direction}` : direction,
    label: capitalize(isOneOfSeveral ? `${name} ${direction}` : direction),
    description: `An event when the ${name} has ${changed} by this. Left empty or 0, off.`,
    place: placeOf(quantity, cell),
    default: 0,
    onlyWhen: inChangeMode,
    min: 0,
    max: quantity.largestChange,
    unit: quantity.unit,
    scale: quantity.scale ?? 1,
  })
}

function placeOf({ length }: Quantity, { byte }: Cell) {
  return length === undefined ? { byte } : { byte, length }
}

function leftEmpty(value: number, unit: string, outcome?: string): string {
  const measured = unit === '' ? String(value) : `${value} ${unit}`
  return `Left empty, ${measured}${outcome === undefined ? '' : `: ${outcome}`}.`
}
