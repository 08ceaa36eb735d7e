/** Logs in, lists devices, registers one, reads uplinks and exports them. */
import createClient from 'openapi-fetch'
import type { paths } from './fleet.ts'

const {
  LORA_URL = '',
  LORA_EMAIL = '',
  LORA_PASSWORD = '',
  LORA_EUI = '',
  LORA_NEW_EUI = '',
} = process.env
const client = createClient<paths>({ baseUrl: LORA_URL })

const login = await client.POST('/auth/login', {
  body: { email: LORA_EMAIL, password: LORA_PASSWORD },
})
if (!login.data || !('token' in login.data)) throw new Error('The login failed.')
const header = { Organization: login.data.organizations[0]?.id }
const headers = { Authorization: `Bearer ${login.data.token}` }

const registered = await client.POST('/devices', {
  params: { header },
  headers,
  body: {
    network: 10,
    deviceName: 'Door',
    deviceId: LORA_NEW_EUI,
    deviceKey: '00'.repeat(16),
    deviceType: 16,
    registerMethod: 'user_account',
    consoleOnly: true,
    action: 'confirm',
  },
})
const listed = await client.GET('/devices', { params: { header }, headers })
const uplinks = await client.GET('/devices/{device_id}/uplink', {
  params: { header, path: { device_id: LORA_EUI } },
  headers,
})
const lines = await client.GET('/fleet/uplinks/lines', {
  params: { header },
  headers,
  parseAs: 'text',
})
const device = registered.data && 'device' in registered.data && registered.data.device
console.log(
  JSON.stringify({
    registered: device ? device.device_id : undefined,
    devices: listed.data?.data.length,
    uplinks: uplinks.data?.data.length,
    lines: lines.data?.trim().split('\n').length,
  }),
)
