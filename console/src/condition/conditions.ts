import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import type { StateKind } from '../ui/state.tsx'

/** What the service says of a device, a gateway or an account. */
export type Verdict = Schemas['Verdict']

export interface Condition {
  kind: StateKind
  word: string
}

const states: Record<Exclude<Verdict['state'], 'attention'>, Condition> = {
  ok: { kind: 'good', word: t('OK') },
  new: { kind: 'waiting', word: t('New') },
  silent: { kind: 'warn', word: t('Silent') },
  inactive: { kind: 'off', word: t('Inactive') },
}

export function wordOfState(state: Verdict['state']): string {
  return state === 'attention' ? t('Needs attention') : states[state].word
}

const reasons: Record<string, Condition> = {
  register_error: { kind: 'bad', word: t('Not registered') },
  alert: { kind: 'bad', word: t('Alert') },
  tamper: { kind: 'bad', word: t('Tampered') },
  low_battery: { kind: 'warn', word: t('Low battery') },
  config_error: { kind: 'warn', word: t('Config error') },
  register_pending: { kind: 'waiting', word: t('Pending') },
  refused: { kind: 'bad', word: t('Refused') },
  unreachable: { kind: 'bad', word: t('Unreachable') },
  mqtt: { kind: 'warn', word: t('MQTT fails') },
  callback: { kind: 'warn', word: t('Check the callback') },
  slowed_down: { kind: 'waiting', word: t('Slowed down') },
}

/** The same where only the state is known. */
export function conditionOfState(state: Verdict['state']): Condition {
  return state === 'attention' ? { kind: 'bad', word: wordOfState(state) } : states[state]
}

/** The most serious word for a verdict. */
export function conditionOf(verdict: Verdict): Condition {
  return conditionsOf(verdict)[0] ?? states.ok
}

/** A new account is connected too: its first message is yet to come. */
export function accountConditions(verdict: Verdict): Condition[] {
  const isNew = verdict.state === 'new'
  const found = conditionsOf(isNew ? { ...verdict, state: 'ok' } : verdict)
  return found.map((each) => (each === states.ok ? { ...each, word: t('Connected') } : each))
}

/** The words for a verdict, the most serious first. It is the service that judges. */
export function conditionsOf({ state, reasons: given }: Verdict): Condition[] {
  const told = given.flatMap(({ code, title }) => {
    const known = reasons[code]
    return known ? { ...known, word: title ?? known.word } : []
  })
  if (state === 'attention' || (state === 'ok' && told.length > 0)) return told
  return [states[state], ...told]
}
