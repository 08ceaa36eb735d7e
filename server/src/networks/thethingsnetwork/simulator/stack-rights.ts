import type { Right } from '../../capabilities.ts'
import type { FarCall } from '../../simulator/far-http.ts'
import type { NeededRight } from '../../simulator/far-restrictions.ts'
import { fail } from './stack-errors.ts'
import type { StackStore } from './stack-store.ts'

/** pkg/auth/rights/require.go; the rights are those of the calls in api/ttn/lorawan/v3. */
export function rightOf(
  { applicationId, userId }: StackStore,
  call: FarCall,
): NeededRight | undefined {
  const { method, path } = call
  const need = (right: Right, entity: string, uid: string, missing: string) => {
    const words = `insufficient rights for ${entity} \`${uid}\``
    const error = `pkg/auth/rights:insufficient_${entity}_rights`
    return { right, refusal: fail(403, error, words, { uid, missing: [missing] }) }
  }
  if (/^\/api\/v3\/(users|organizations)\/[^/]+\/gateways$/.test(path)) {
    if (method === 'GET') return need('read_gateways', 'user', userId, 'RIGHT_USER_GATEWAYS_LIST')
    return need('write_gateways', 'user', userId, 'RIGHT_USER_GATEWAYS_CREATE')
  }
  if (method === 'GET') return undefined
  const [, gateway] = /^\/api\/v3\/gateways\/([^/]+)/.exec(path) ?? []
  if (gateway !== undefined) {
    return need('write_gateways', 'gateway', gateway, 'RIGHT_GATEWAY_SETTINGS_BASIC')
  }
  if (/\/down\/(push|replace)$/.test(path)) {
    const missing = 'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE'
    return need('send_downlinks', 'application', applicationId, missing)
  }
  if (!/\/applications\/[^/]+\/devices/.test(path)) return undefined
  return need('write_devices', 'application', applicationId, 'RIGHT_APPLICATION_DEVICES_WRITE')
}
