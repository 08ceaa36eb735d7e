import { t } from '../../../languages/text.ts'
import { guessUnnamed } from './label-guess.ts'
import { type NamedRun, nameRuns } from './label-names.ts'
import {
  type Finding,
  type LabelField,
  labels,
  type Run,
  readLines,
  toPrinted,
} from './label-tokens.ts'
import { type DeviceCode, readDeviceCode } from './lora-qr.ts'

export interface LabelFindings {
  findings: Finding[]
  /** What a person should look at: values that may be something else, and those left out. */
  doubts: string[]
  /** The code by LoRa Alliance's TR005, if the text has one. */
  code: DeviceCode | undefined
}

/** What the text says of a field; without a value, it is in doubt. */
interface Candidate {
  field: LabelField
  value: string | undefined
  source: string
  isMsb: boolean
  isReversed: boolean
}

const fields: readonly LabelField[] = ['devEui', 'joinEui', 'appKey']
const lengths: Record<LabelField, number> = { devEui: 16, joinEui: 16, appKey: 32 }

/** The source of what the code by TR005 says. */
export const codeSource = t('the QR code')

const schemes = /(?<![a-z0-9])(?:LW:|URN:(?:DEV:)?LW:)\S*/gi

/**
 * Finds EUIs and keys in the text of a code, a label, an e-mail or a data sheet. Nothing is cut, and
 * what may mean two things is a doubt, not a value. An EUI is reversed only if the text says that
 * its last byte comes first; a key never.
 */
export function readLabel(text: string): LabelFindings {
  const doubts = new Set<string>()
  const code = readCodes(text, doubts)
  const lines = readLines(text.replace(schemes, ' '))
  const pairs = nameRuns(lines)
  const named = new Set(pairs.flatMap(({ run }) => run ?? []))
  const candidates = ofCode(code)
  for (const pair of pairs) {
    const candidate = toCandidate(pair, doubts)
    if (!candidate) continue
    candidates.push(candidate)
    if (candidate.value === undefined) for (const run of pair.line.runs) named.add(run)
  }
  const known = fields.flatMap((field) => settle(field, candidates, doubts) ?? [])
  const isNamed = (field: LabelField) => candidates.some((each) => each.field === field)
  const guessed = guessUnnamed({ lines, named, known, isNamed, doubts })
  if (lines.some(({ hasLooseOrder }) => hasLooseOrder)) {
    doubts.add(t('The text says an order of bytes (LSB, MSB), and not of which value.'))
  }
  if (!isNamed('appKey') && pairs.some(({ field, run }) => field === 'other' && isKey(run))) {
    doubts.add(t('The text names another key than the AppKey: it was left out.'))
  }
  return { findings: [...known, ...guessed], doubts: [...doubts], code }
}

function isKey(run: Run | undefined): boolean {
  return run?.value.length === 32
}

function readCodes(text: string, doubts: Set<string>): DeviceCode | undefined {
  const codes = (text.match(schemes) ?? []).map((each) =>
    readDeviceCode(each.replace(/[.,;]$/, '')),
  )
  const [first, ...others] = codes.filter((each) => each !== undefined)
  if (codes.includes(undefined))
    doubts.add(t('A code of the form LW: cannot be read: it is left out.'))
  for (const warning of first?.warnings ?? []) doubts.add(warning)
  if (others.some(({ devEui }) => devEui !== first?.devEui)) {
    doubts.add(t('There are codes of several devices: this is the first one.'))
  }
  return first
}

function ofCode(code: DeviceCode | undefined): Candidate[] {
  const facts = { source: codeSource, isMsb: true, isReversed: false }
  if (!code) return []
  return [
    { ...facts, field: 'devEui', value: code.devEui },
    { ...facts, field: 'joinEui', value: code.joinEui },
  ]
}

function toCandidate(
  { field, run, source, isFilled }: NamedRun,
  doubts: Set<string>,
): Candidate | undefined {
  if (field === 'other' || (!run && !isFilled)) return undefined
  const doubt = (words: string): Candidate => {
    doubts.add(`${words}: “${source}”.`)
    return { field, value: undefined, source, isMsb: false, isReversed: false }
  }
  if (!run) return doubt(t('The {field} cannot be read', { field: labels[field] }))
  if (run.value.length !== lengths[field]) {
    const count = t('{count} digits instead of {field}', {
      count: run.value.length,
      field: lengths[field],
    })
    return doubt(t('The {field} has {count}', { field: labels[field], count }))
  }
  if (run.isUneven)
    return doubt(t('The {field} is in groups of unequal length', { field: labels[field] }))
  if (run.orders.size === 2) {
    return doubt(
      t('It is not clear in which order the {field} is printed', { field: labels[field] }),
    )
  }
  if (field === 'appKey' && run.orders.has('lsb')) {
    doubts.add(
      t('The text says LSB of the device key. Keys are not reversed: it was taken as printed.'),
    )
  }
  return { field, source, isMsb: run.orders.has('msb'), ...toPrinted(run) }
}

/** The one value of a field. An MSB value wins; others that differ are a doubt. */
function settle(
  field: LabelField,
  candidates: readonly Candidate[],
  doubts: Set<string>,
): Finding | undefined {
  const own = candidates.filter((each) => each.field === field && each.value !== undefined)
  const values = new Set(own.map(({ value }) => value))
  const certain = own.filter(({ isMsb }) => isMsb)
  const isCertain = new Set(certain.map(({ value }) => value)).size === 1
  const { value, source = '' } = (isCertain ? certain[0] : own[0]) ?? {}
  if (values.size > 1) {
    doubts.add(
      t('The text has several values for the {field}: {join}.', {
        field: labels[field],
        join: [...values].join(', '),
      }),
    )
  }
  if (value === undefined || (values.size > 1 && !isCertain)) return undefined
  if (own.every(({ isReversed }) => isReversed)) {
    doubts.add(
      t('The {field} is printed with its last byte first (LSB), and was reversed.', {
        field: labels[field],
      }),
    )
  }
  return { field, value, source, isNamed: true }
}
