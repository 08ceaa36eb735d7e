import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { decodeFrame } from '../../../server/src/sensors/decode.ts'
import { layouts } from '../../../server/src/sensors/index.ts'
import { allMeasurements } from '../../../server/src/sensors/measurements.ts'
import type { Message, Reading } from '../../../server/src/sensors/sensor.ts'

/*
 * What the service says in English in its answers, and the console translates: the words of the
 * built-in sensors as their codecs declare them, and the reasons of verdicts as their rules are written.
 */

type Texts = Map<string, string[]>

/** The texts of both areas, each with where it is from. */
export function readServiceTexts(): Record<'sensors' | 'reasons', Texts> {
  const sensors: Texts = new Map()
  for (const { label, prefix, words = [] } of allMeasurements) {
    add(sensors, 'label of a measurement', label.replace(/\d[\d+-]*/, '{1}'))
    add(sensors, 'before a number', prefix)
    for (const { text, status } of words) add(sensors, 'state of a sensor', text, status)
  }
  const reasons: Texts = new Map()
  for (const message of layouts.flatMap((layout) => layout.messages)) {
    const said = message.fields.filter(({ keys = [] }) => keys.includes('eventDescription'))
    add(reasons, 'event of a sensor', ...said.flatMap(({ texts = [] }) => texts))
    for (const { event, description, status } of readingsOf(message)) {
      if (event === 'UNKNOWN') continue
      add(sensors, 'state of a sensor', status.current_sensor_state)
      add(reasons, 'event of a sensor', description)
    }
  }
  for (const file of files) add(reasons, `server/src/features/${file}`, ...sentencesIn(file))
  for (const text of sensors.keys()) reasons.delete(text)
  return { sensors, reasons }
}

/** Adds what has words and no numbers; the console finds texts whatever their case, and in lists. */
function add(found: Texts, place: string, ...texts: readonly (string | undefined)[]): void {
  const known = new Set([...found.keys()].map((text) => text.toLowerCase()))
  for (const text of texts) {
    const said = text?.trim() ?? ''
    if (!/\p{L}{2}/u.test(said) || /\d/.test(said.replace(/\{\d\}/g, ''))) continue
    if (said.split(', ').every((each) => known.has(each.toLowerCase()))) continue
    known.add(said.toLowerCase())
    found.set(said, [place])
  }
}

/** What a message says for the first values of its first two bytes, which are reasons and states. */
function readingsOf({ eventCode, minimumLength }: Message): Reading[] {
  const length = Math.max(2, minimumLength)
  return Array.from({ length: 16 * 16 }, (_, each) => {
    const payload = [each >> 4, each & 0x0f, ...new Array<number>(length - 2).fill(0)]
    return decodeFrame({ bytes: Uint8Array.from([0x10, eventCode, ...payload]), fPort: 2 })
  })
}

/** Where the rules of verdicts, and what explains a silence, stand. */
const files = [
  'fleet/inventory/verdict.ts',
  'fleet/gateways/gateway-verdict.ts',
  'accounts/network-accounts/account-verdict.ts',
  'fleet/device-page/silence.ts',
]

type Node = { type: string } & Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The sentences of a file, with `{1}` for what is filled in; not those of the API's reference. */
function sentencesIn(file: string): string[] {
  const path = join(import.meta.dirname, '../../../server/src/features', file)
  const found: string[] = []
  const visit = (node: Node) => {
    if (isReference(node)) return
    const text = textOf(node)
    if (text !== undefined && /^ ?(\{1\}|\p{Lu}).* .*[.}]$/u.test(text)) found.push(text)
    for (const part of Object.values(node).flat()) if (isNode(part)) visit(part)
  }
  visit(parseSync(path, readFileSync(path, 'utf8')).program as unknown as Node)
  return found
}

function isReference(node: Node): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { name, property } = node.callee as { name?: string; property?: { name?: string } }
  return ['withExamples', 'describe', 'meta'].includes(property?.name ?? name ?? '')
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const pieces = node.quasis as { value: { cooked: string } }[]
  return pieces.map(({ value }, index) => (index === 0 ? '' : `{${index}}`) + value.cooked).join('')
}
