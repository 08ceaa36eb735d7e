import { State, type StateKind } from '../../ui/state.tsx'
import { useNow } from '../../ui/time.tsx'
import type { FleetGateway } from './gateway-query.ts'

const hour = 3_600_000
/** A gateway that passed no uplink on for so long is called silent. */
export const silentHours = 24

/** The most important thing about a gateway, in a word or two. */
export function stateOf(gateway: FleetGateway, now: number): { kind: StateKind; word: string } {
  if (gateway.status === 'register_error') return { kind: 'bad', word: 'Registration error' }
  if (gateway.status === 'pending') return { kind: 'waiting', word: 'Pending' }
  if (gateway.last_seen === null) return { kind: 'off', word: 'Never heard' }
  const age = now - Date.parse(gateway.last_seen)
  return age > silentHours * hour
    ? { kind: 'warn', word: 'Silent' }
    : { kind: 'good', word: 'Heard' }
}

export function GatewayState({ gateway }: { gateway: FleetGateway }) {
  const { kind, word } = stateOf(gateway, useNow())
  return <State kind={kind}>{word}</State>
}
