import { inChangeMode, inThresholdMode, number } from './fields.ts'
import type { NumberField } from './section.ts'

/*
 * The fields that sensors have in common that tell when what they measure passes a threshold, or
 * that it has changed by an amount. The two modes use the same bytes:
 *
 * | bytes      | thresholds      | report on change |
 * |------------|-----------------|------------------|
 * | the first  | lower threshold | increase; 0 off  |
 * | the second | upper threshold | decrease; 0 off  |
 */

/** What a sensor measures. */
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
}

interface Cell {
  id: number
  /** The first byte. */
  byte: number
  /** `lower_threshold`, `increase` and so on when left out. */
  key?: string
  label?: string
}

interface ThresholdCell extends Cell {
  default: number
  /** Said of the threshold beside what it does. */
  remark?: string
  /** What comes of the default, as in "no event". */
  outcome?: string
}

export function lowerThreshold(quantity: Quantity, cell: ThresholdCell): NumberField {
  const names = { key: 'lower_threshold', label: 'Lower threshold' }
  return threshold(quantity, { ...names, ...cell }, 'falls below')
}

export function upperThreshold(quantity: Quantity, cell: ThresholdCell): NumberField {
  const names = { key: 'upper_threshold', label: 'Upper threshold' }
  return threshold(quantity, { ...names, ...cell }, 'rises above')
}

export function increase(quantity: Quantity, cell: Cell): NumberField {
  return change(quantity, { key: 'increase', label: 'Increase', ...cell }, 'risen')
}

export function decrease(quantity: Quantity, cell: Cell): NumberField {
  return change(quantity, { key: 'decrease', label: 'Decrease', ...cell }, 'fallen')
}

/** How far back behind a threshold; `bits` when it has a part of the byte only. */
export function restoralMargin(
  { name, unit, scale }: Quantity,
  margin: {
    id: number
    byte: number
    bits?: { lowest: number; count: number }
    default: number
    key?: string
    label?: string
    note?: string
    isInferred?: true
  },
): NumberField {
  const { byte, bits, ...field } = margin
  const counts = scale ?? 1
  const empty = margin.default === 0 ? 'Left empty or 0, off.' : leftEmpty(margin.default, unit)
  return number({
    key: 'restoral_margin',
    label: 'Restoral margin',
    ...field,
    description: `How far the ${name} must come back past a threshold before the next event. ${empty}`,
    place: bits ? { byte, bits } : { byte },
    onlyWhen: inThresholdMode,
    min: 0,
    max: (2 ** (bits?.count ?? 8) - 1) / counts,
    unit,
    scale: counts,
  })
}

type Named<Kind extends Cell> = Kind & Required<Pick<Cell, 'key' | 'label'>>

function threshold(quantity: Quantity, cell: Named<ThresholdCell>, passes: string): NumberField {
  const { name, unit, lowest, highest } = quantity
  const remark = cell.remark === undefined ? '' : `; ${cell.remark}`
  return number({
    id: cell.id,
    key: cell.key,
    label: cell.label,
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

function change(quantity: Quantity, cell: Named<Cell>, changed: string): NumberField {
  return number({
    id: cell.id,
    key: cell.key,
    label: cell.label,
    description: `An event when the ${quantity.name} has ${changed} by this. Left empty or 0, off.`,
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
