import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/text.ts'

export type FleetNetwork = Answer<'GET /fleet/networks'>['data'][number]
export type AccountState = FleetNetwork['accounts'][number]
export type AccountCheck =
  Answer<'POST /network-accounts/{network}/check'>['data']['checks'][number]

/** What a network can do, in short words. */
export function abilities({ capabilities: can, docs }: FleetNetwork): string[] {
  return [
    ...(docs === null
      ? []
      : [can.registration === 'api' ? t('registers devices') : t('devices by hand')]),
    ...(can.gateways ? [t('registers gateways')] : []),
    ...(can.downlinks ? [t('downlinks')] : []),
    ...(can.mqtt ? ['MQTT'] : []),
    ...(can.lists.includes('devices') ? [t('lists its devices')] : []),
  ]
}

/** The latest of some times. */
export function latest(...times: (string | null | undefined)[]): string | null {
  return times.reduce<string | null>(
    (last, time) => (time && (!last || time > last) ? time : last),
    null,
  )
}
