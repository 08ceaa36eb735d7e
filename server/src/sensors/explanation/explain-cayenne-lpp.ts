import { type LppItem, lppUnitOf, readItems } from '../codecs/cayenne-lpp.ts'
import { cover, type ExplainedPart } from './explained-bytes.ts'

/** A frame in CayenneLPP: channel, type and value of each of its fields. */
export function explainCayenneLpp(bytes: Uint8Array): ExplainedPart[] {
  const { items } = readItems(bytes)
  return cover(bytes.length, items.flatMap(partsOf), 'Not decoded')
}

function partsOf({ start, key, name, channel, type, numbers }: LppItem): ExplainedPart[] {
  return [
    { start, length: 1, label: 'Channel', value: channel },
    { start: start + 1, length: 1, label: 'Type', value: type, meaning: name },
    ...numbers.map(({ name: part, start, length, value }): ExplainedPart => {
      const unit = lppUnitOf(name, part)
      const path = part === '' ? key : `${key}.${part}`
      const label = part === '' ? name : `${name}, ${part}`
      return { start, length, label, key: path, value, ...(unit === undefined ? {} : { unit }) }
    }),
  ]
}
