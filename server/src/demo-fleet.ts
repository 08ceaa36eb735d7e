import { randomBytes } from 'node:crypto'
import type { ChirpStackSimulator } from './networks/chirpstack/simulator/chirpstack-simulator.ts'

/** The service to fill, and the network that its devices live on. */
export interface Demo {
  address: string
  email: string
  password: string
  simulator: ChirpStackSimulator
  deviceCount: number
}

/** Name, and id of the device type; the simulator knows the sensor by a word of the name. */
const kinds = [
  ['Front door', 16],
  ['Cold store air', 112],
  ['Server room temperature', 103],
  ['Cellar water', 19],
  ['Help button', 105],
  ['Gate contact', 18],
  ['Tank lid tilt', 40],
] as const

const chirpstackId = 10

/** Makes the account at the network and its devices, as a client does: through the API alone. */
export async function populateDemo(demo: Demo): Promise<void> {
  const { address, email, password, simulator } = demo
  const { token } = await send(address, 'POST', '/auth/login', { email, password })
  const call = (method: string, path: string, body: object) =>
    send(address, method, path, body, String(token))
  const { data } = await call('PUT', '/network-accounts/chirpstack', {
    server: simulator.server,
    api_key: simulator.apiKey,
    tenant_id: simulator.tenantId,
    application_id: simulator.applicationId,
    device_profile_id: simulator.deviceProfileId,
  })
  simulator.setIntegration(
    (data as { callback: { url: string; header: string; value: string } }).callback,
  )
  for (let index = 0; index < demo.deviceCount; index += 1) {
    const [name, deviceType] = kinds[index % kinds.length] ?? kinds[0]
    await call('POST', '/devices', {
      network: chirpstackId,
      deviceName: `${name} ${Math.floor(index / kinds.length) + 1}`,
      deviceId: `00AA0000000000${(index + 1).toString(16).padStart(2, '0').toUpperCase()}`,
      deviceKey: randomBytes(16).toString('hex'),
      deviceType,
      registerMethod: 'user_account',
      action: 'confirm',
    })
  }
  await simulator.settle()
}

async function send(
  address: string,
  method: string,
  path: string,
  body: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${address}/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token ? { authorization: `Bearer ${token}`, organization: '1' } : {}),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const content = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${content.message}`)
  return content
}
