/**
 * Finds EUIs and keys in the text of a label, an e-mail or a data sheet. Every finding says from
 * which words it was taken. Digits are never cut and never reversed here.
 */
export type LabelField = 'devEui' | 'joinEui' | 'appKey'

export interface Finding {
  field: LabelField
  /** Upper-case digits without separators. */
  value: string
  /** The part of the text that it was taken from. */
  source: string
  /** Whether the text named it, or its length alone tells what it may be. */
  isNamed: boolean
}

export interface LabelFindings {
  findings: Finding[]
  /** Values that have a name but the wrong number of digits, and others in doubt. */
  doubts: string[]
}

const names: readonly [LabelField, RegExp][] = [
  ['devEui', /\b(dev(ice)?[\s_-]*(eui|id)|deui|end[\s_-]*device[\s_-]*eui)\b/i],
  ['joinEui', /\b((join|app(lication)?)[\s_-]*(eui|id)|jeui|aeui)\b/i],
  ['appKey', /\b((app(lication)?|nwk|network|device|root|otaa)[\s_-]*key|ak)\b/i],
]
const lengths: Record<LabelField, number> = { devEui: 16, joinEui: 16, appKey: 32 }
const labels: Record<LabelField, string> = {
  devEui: 'device EUI',
  joinEui: 'join EUI',
  appKey: 'device key',
}

/** Digits in pairs or blocks with one kind of separator, as labels print them, `0x` included. */
const digits =
  /(?<![0-9a-z])(?:0x)?[0-9a-f]{2,32}(?:(?:[ :.\-,]|, ?)(?:0x)?[0-9a-f]{2,32})*(?![0-9a-z])/gi

interface Run {
  value: string
  source: string
  start: number
  end: number
}

export function readLabel(text: string): LabelFindings {
  const findings: Finding[] = []
  const doubts: string[] = []
  for (const line of text.split(/[\r\n;|\t]+/)) readLine(line, findings, doubts)
  const isKnown = (field: LabelField) => findings.some((each) => each.field === field)
  const runs = findRuns(text).filter(({ value }) => !findings.some((each) => each.value === value))
  const euis = unique(runs.filter(({ value }) => value.length === 16))
  const keys = unique(runs.filter(({ value }) => value.length === 32))
  const [eui, ...otherEuis] = euis
  if (!isKnown('devEui') && eui && otherEuis.length === 0) findings.push(toFinding('devEui', eui))
  else if (euis.length > 0 && !(isKnown('devEui') && isKnown('joinEui'))) {
    doubts.push(`It is not said which of these is the device EUI: ${listOf(euis)}.`)
  }
  const [key, ...otherKeys] = keys
  if (!isKnown('appKey') && key && otherKeys.length === 0) findings.push(toFinding('appKey', key))
  else if (!isKnown('appKey') && keys.length > 1) {
    doubts.push(`It is not said which of these is the device key: ${listOf(keys)}.`)
  }
  return { findings, doubts }
}

function readLine(line: string, findings: Finding[], doubts: string[]): void {
  const named = names
    .flatMap(([field, pattern]) => {
      const match = pattern.exec(line)
      return match ? [{ field, start: match.index, end: match.index + match[0].length }] : []
    })
    .sort((one, other) => one.start - other.start)
  for (const [index, { field, start, end }] of named.entries()) {
    const until = named[index + 1]?.start ?? line.length
    const value = line.slice(end, until)
    const [run] = findRuns(value.replace(/^[^0-9a-z]*(\((hex|msb|lsb)\))?[\s:=#]*/i, ''))
    if (!run || findings.some((each) => each.field === field)) continue
    const source = line.slice(start, until).trim()
    if (run.value.length === lengths[field]) {
      findings.push({ field, value: run.value, source, isNamed: true })
    } else {
      const count = `${run.value.length} digits instead of ${lengths[field]}`
      doubts.push(`The ${labels[field]} has ${count}: "${source}".`)
    }
  }
}

function findRuns(text: string): Run[] {
  return [...text.matchAll(digits)].flatMap((match) => {
    const value = match[0]
      .replace(/0x/gi, '')
      .replace(/[^0-9a-f]/gi, '')
      .toUpperCase()
    // Words such as "face" and short numbers are no addresses.
    if (value.length < 8) return []
    return [{ value, source: match[0], start: match.index, end: match.index + match[0].length }]
  })
}

function unique(runs: readonly Run[]): Run[] {
  return [...new Map(runs.map((run) => [run.value, run])).values()]
}

function toFinding(field: LabelField, { value, source }: Run): Finding {
  return { field, value, source, isNamed: false }
}

function listOf(runs: readonly Run[]): string {
  return runs.map(({ value }) => value).join(', ')
}
