import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestService } from './service.ts'

const example = new URL('../src/networks/chirpstack/examples/up.json', import.meta.url)
const up = JSON.parse(readFileSync(example, 'utf8'))

/** For tests: lets ChirpStack deliver an uplink that it received at `time`. */
export async function sendUplink(service: TestService, devEui: string, time: Date): Promise<void> {
  const account = {
    server: 'http://127.0.0.1:1',
    api_key: 'key',
    tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
    application_id: up.deviceInfo.applicationId,
    device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
  }
  const connected = await service.call('PUT', '/v1/network-accounts/chirpstack', { body: account })
  assert.equal(connected.status, 200, connected.text)
  const { url, header, value } = connected.body.data.callback
  const answer = await service.call('POST', `${new URL(url).pathname}?event=up`, {
    as: null,
    body: { ...up, time: time.toISOString(), deviceInfo: { ...up.deviceInfo, devEui } },
    headers: { [header]: value },
  })
  assert.equal(answer.status, 200, answer.text)
}
