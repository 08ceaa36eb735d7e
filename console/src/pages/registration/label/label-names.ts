import type { LabelLine, Name, Run } from './label-tokens.ts'

/** A name of a label with its value, and the words of both. */
export interface NamedRun {
  field: Name['field']
  /** Missing if the line has none, or does not say which it is. */
  run: Run | undefined
  source: string
  /** Whether something like a value follows the name, but is none. */
  isFilled: boolean
  line: LabelLine
}

/** Which value has which name, in a line and the one below it. */
export function nameRuns(lines: readonly LabelLine[]): NamedRun[] {
  return lines.flatMap((line, index) => {
    const below = assignBelow(line, lines[index + 1])
    return below ? [below] : assign(line)
  })
}

/**
 * Names follow their values only if all of them do. Names side by side, as in the head of a table,
 * say nothing of a single value.
 */
function assign(line: LabelLine): NamedRun[] {
  const { text, names, runs } = line
  const whole = runs.filter(({ value }) => value.length === 16 || value.length === 32)
  const [firstName] = names
  const isFirst = whole.some(({ end }) => firstName !== undefined && end <= firstName.start)
  const isAfter =
    names.length === whole.length &&
    names.every((name, index) => {
      const [own, next] = [whole[index], whole[index + 1]]
      return own && own.end <= name.start && (!next || next.start >= name.end)
    })
  let isHead = false
  return names.map((name, index) => {
    const next = names[index + 1]
    const rest = text.slice(name.end, next?.start)
    const following = runs.find(({ start }) => start >= name.end && (!next || start < next.start))
    if (!following && next && next.field !== name.field && !/[:=]/.test(rest)) isHead = true
    const run = isFirst ? (isAfter ? whole[index] : undefined) : isHead ? undefined : following
    const [start, end] = [Math.min(name.start, run?.start ?? name.start), run?.end ?? next?.start]
    const source = text.slice(start, Math.max(name.end, end ?? text.length)).trim()
    return { field: name.field, run, source, isFilled: !following && looksFilled(rest), line }
  })
}

/** The value of a name that is alone in its line is alone in the next line. */
function assignBelow(line: LabelLine, below: LabelLine | undefined): NamedRun | undefined {
  const [name, ...others] = line.names
  const [run, ...further] = below?.runs ?? []
  const isAlone = line.runs.length === 0 && others.every(({ field }) => field === name?.field)
  if (!name || !run || !isAlone || below?.names.length !== 0 || further.length > 0) return undefined
  return { field: name.field, run, source: `${line.text} ${below.text}`, isFilled: false, line }
}

function looksFilled(rest: string): boolean {
  return /^[^0-9a-z]*(?=[a-z0-9]*\d)[a-z0-9]{6,}|\{decimal\}/i.test(rest)
}
