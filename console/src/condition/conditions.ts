import type { Schemas } from '../api/generated.ts'
import type { StateKind } from '../ui/state.tsx'

/** What the service says of a device, a gateway or an account. */
export type Verdict = Schemas['Verdict']

export interface Condition {
  kind: StateKind
  word: string
}

const states: Record<Exclude<Verdict['state'], 'attention'>, Condition> = {
  ok: { kind: 'good', word: 'OK' },
  new: { kind: 'waiting', word: 'New' },
  silent: { kind: 'warn', word: 'Silent' },
  inactive: { kind: 'off', word: 'Inactive' },
}

export function wordOfState(state: Verdict['state']): string {
  return state === 'attention' ? 'Needs attention' : states[state].word
}

const reasons: Record<string, Condition> = {
  register_error: { kind: 'bad', word: 'Not registered' },
  alert: { kind: 'bad', word: 'Alert' },
  tamper: { kind: 'bad', word: 'Tampered' },
  low_battery: { kind: 'warn', word: 'Low battery' },
  config_error: { kind: 'warn', word: 'Config error' },
  register_pending: { kind: 'waiting', word: 'Pending' },
  refused: { kind: 'bad', word: 'Refused' },
  unreachable: { kind: 'bad', word: 'Unreachable' },
  mqtt: { kind: 'warn', word: 'MQTT fails' },
  callback: { kind: 'warn', word: 'Check the callback' },
  slowed_down: { kind: 'waiting', word: 'Slowed down' },
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
  return found.map((each) => (each === states.ok ? { ...each, word: 'Connected' } : each))
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
