import type { Answer } from '../../api/client.ts'
import type { StateKind } from '../../ui/state.tsx'

export type FleetNetwork = Answer<'GET /fleet/networks'>['data'][number]
export type AccountState = FleetNetwork['accounts'][number]
export type AccountCheck =
  Answer<'POST /network-accounts/{network}/check'>['data']['checks'][number]

export interface Verdict {
  kind: StateKind
  /** The state in a word or two. */
  word: string
  /** What is wrong, in the network's or the service's words. */
  message: string
}

/** What to think of an account: the worst of its API, its callback and its broker. */
export function judge(account: AccountState | undefined): Verdict {
  if (!account) return { kind: 'off', word: 'Not connected', message: '' }
  const { api, callback, mqtt } = account
  if (api.status === 'refused') return { kind: 'bad', word: 'Refused', message: api.message }
  if (api.status === 'unreachable') {
    return { kind: 'bad', word: 'Out of reach', message: api.message }
  }
  if (mqtt?.state === 'failed') return { kind: 'warn', word: 'MQTT fails', message: mqtt.message }
  if (callback.message) {
    return { kind: 'warn', word: 'Callback to check', message: callback.message }
  }
  if (api.message) return { kind: 'warn', word: 'Slowed down', message: api.message }
  return { kind: 'good', word: 'Connected', message: '' }
}

/** What a network can do, in short words. */
export function abilities({ capabilities: can, docs }: FleetNetwork): string[] {
  return [
    ...(docs === null
      ? []
      : [can.registration === 'api' ? 'registers devices' : 'devices by hand']),
    ...(can.gateways ? ['registers gateways'] : []),
    ...(can.downlinks ? ['downlinks'] : []),
    ...(can.mqtt ? ['MQTT'] : []),
    ...(can.lists.includes('devices') ? ['lists its devices'] : []),
  ]
}

/** The latest of some times. */
export function latest(...times: (string | null | undefined)[]): string | null {
  return times.reduce<string | null>(
    (last, time) => (time && (!last || time > last) ? time : last),
    null,
  )
}
