import { t } from '../../../languages/text.ts'
import {
  type Finding,
  type LabelField,
  type LabelLine,
  labels,
  type Run,
  toPrinted,
} from './label-tokens.ts'

interface Unnamed {
  lines: readonly LabelLine[]
  /** Values that have a name, or stand next to one that is in doubt. */
  named: ReadonlySet<Run>
  known: readonly Finding[]
  /** Fields that the text names, with a value or a doubt. */
  isNamed: (field: LabelField) => boolean
  doubts: Set<string>
}

interface Left {
  line: LabelLine
  run: Run
  value: string
}

/** What digits without a name may be, if there is no doubt. A key must stand together. */
export function guessUnnamed(unnamed: Unnamed): Finding[] {
  const { lines, named, known, doubts } = unnamed
  const left = lines.flatMap((line) =>
    line.runs
      .filter((run) => !named.has(run) && !run.isUneven && (run.isWhole || run.width < 8))
      .map((run): Left => ({ line, run, value: toPrinted(run).value }))
      .filter(({ value }) => known.every((each) => each.value !== value)),
  )
  if (left.some(({ value, run }) => value.length === 32 && !run.isWhole)) {
    doubts.add(t('16 bytes without a name may be a key or two EUIs: they are left out.'))
  }
  return [...guessEuis(left, unnamed), ...guessKey(left, unnamed)]
}

function guessEuis(left: readonly Left[], { lines, isNamed, doubts }: Unnamed): Finding[] {
  const euis = uniqueOf(left.filter(({ value }) => value.length === 16))
  const [eui, other, ...further] = euis
  if (!eui || (isNamed('devEui') && isNamed('joinEui'))) return []
  if (!other && !isNamed('devEui')) return [toFinding('devEui', eui, doubts)]
  const list = lines.find(isList)
  if (other && further.length === 0 && list && !isNamed('devEui') && !isNamed('joinEui')) {
    if (!isMakersForm(list)) {
      doubts.add(t('The text does not name its EUIs: the first one was taken for the DevEUI.'))
    }
    return [toFinding('devEui', eui, doubts), toFinding('joinEui', other, doubts)]
  }
  const wanted = isNamed('devEui') ? labels.joinEui : labels.devEui
  doubts.add(
    t('It is not said which of these is the {wanted}: {euis}.', { wanted, euis: listOf(euis) }),
  )
  return []
}

function guessKey(left: readonly Left[], { isNamed, doubts }: Unnamed): Finding[] {
  const keys = uniqueOf(left.filter(({ value, run }) => value.length === 32 && run.isWhole))
  const [key, ...others] = keys
  if (!key || isNamed('appKey')) return []
  if (others.length > 0) {
    doubts.add(
      t('It is not said which of these is the {appKey}: {keys}.', {
        appKey: labels.appKey,
        keys: listOf(keys),
      }),
    )
    return []
  }
  if (!isMakersForm(key.line))
    doubts.add(t('The text does not name its key: compare it with the label.'))
  return [toFinding('appKey', key, doubts)]
}

function toFinding(field: LabelField, { run, line, value }: Left, doubts: Set<string>): Finding {
  if (toPrinted(run).isReversed) {
    doubts.add(
      t('The {field} is printed with its last byte first (LSB), and was reversed.', {
        field: labels[field],
      }),
    )
  }
  return { field, value, source: line.text.slice(run.start, run.end), isNamed: false }
}

/** A line that lists EUIs and a key as codes do: without names, the DevEUI first. */
function isList({ text, names, runs }: LabelLine): boolean {
  const euis = runs.filter(({ value }) => value.length === 16)
  return names.length === 0 && euis.length === 2 && runs[0] === euis[0] && !/[/\\]/.test(text)
}

/** MultiTech's `DevEUI:AppKey:AppEUI:Model:Serial number`. */
function isMakersForm({ text }: LabelLine): boolean {
  return /^[0-9a-f]{16}:[0-9a-f]{32}:[0-9a-f]{16}:[^:]*:[^:]*$/i.test(text)
}

function uniqueOf(runs: readonly Left[]): Left[] {
  return [...new Map(runs.map((each) => [each.value, each])).values()]
}

function listOf(runs: readonly Left[]): string {
  return runs.map(({ value }) => value).join(', ')
}
