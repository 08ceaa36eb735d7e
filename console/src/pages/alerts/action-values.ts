import type { AlertRule } from './rule-words.ts'

/** An action of a rule, as it is typed. */
export interface TypedAction {
  type: 'downlink' | 'webhook'
  at: 'open' | 'close'
  /** Undefined: the one that the alert is about. */
  device: number | undefined
  fPort: number | ''
  payload: string
  webhook: number | undefined
}

export const blankAction: TypedAction = {
  ...{ type: 'downlink', at: 'open', device: undefined },
  ...{ fPort: 1, payload: '', webhook: undefined },
}

export function actionsOf(rule: AlertRule | undefined): TypedAction[] {
  return (rule?.actions ?? []).map((stored) => {
    const { type, at, device, f_port, payload, webhook } = stored as Record<string, unknown>
    return {
      type: type === 'webhook' ? 'webhook' : 'downlink',
      at: at === 'close' ? 'close' : 'open',
      device: typeof device === 'number' ? device : undefined,
      fPort: typeof f_port === 'number' ? f_port : '',
      payload: typeof payload === 'string' ? payload : '',
      webhook: typeof webhook === 'number' ? webhook : undefined,
    }
  })
}

/** What is missing is sent as it is: the service names it. */
export function bodyOfActions(actions: readonly TypedAction[]) {
  return actions.map(({ type, at, device, fPort, payload, webhook }) =>
    type === 'webhook'
      ? { type, at, webhook: webhook as number }
      : { type, at, device: device ?? null, f_port: fPort as number, payload },
  )
}
