import assert from 'node:assert/strict'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { addLocalDevice, euiOf, gatewayEuiOf } from './fleet.ts'
import { startMailServer } from './mail-server.ts'
import { ownerEmail, ownerPassword, startTestService, type TestService } from './service.ts'

/** A service with a mail server, whose alerts are looked after when a test says so. */
export interface AlertTest extends TestService {
  server: Awaited<ReturnType<typeof startMailServer>>
  /** Lets minutes pass, looks once, and sends the mails that are due. */
  pass(minutes?: number): Promise<void>
  /** A login lasts for some days. */
  renewLogin(): Promise<void>
  /** A frame of a device, sent now or some minutes ago, heard by gateways. */
  uplink(
    device: number,
    changes?: { hex?: string; gateways?: number[]; minutesAgo?: number },
  ): Promise<void>
  /** Makes a rule that notifies the owner; returns its record. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  createRule(body: Record<string, unknown>): Promise<any>
  /** The records of `GET /alerts`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  alerts(query?: string): Promise<any[]>
  removeRules(): Promise<void>
}

export const publicUrl = 'https://fleet.example.test'

/** Devices are numbered from 1. */
export async function startAlertTest(
  t: { after(end: () => Promise<void>): unknown },
  { devices = 3 } = {},
): Promise<AlertTest> {
  const server = await startMailServer()
  t.after(() => server.close())
  const clock = new Date('2026-03-01T12:00:00.000Z')
  const service = await startTestService(t, { clock, mail: server.settings, publicUrl })
  const { call, services, setClock, owner } = service
  const callback = await connectChirpStack(service)
  for (let number = 1; number <= devices; number += 1) await addLocalDevice(service, number)
  const me = (await call('GET', '/v1/user/get-org-user/me')).body.data.id
  return {
    ...service,
    server,
    async pass(minutes = 0) {
      setClock(new Date(services.now().getTime() + minutes * 60_000))
      services.alertWatcher.wake()
      await services.alertWatcher.idle()
      services.alertMessages.wake()
      await services.alertMessages.idle()
    },
    async renewLogin() {
      Object.assign(owner, await service.logIn(ownerEmail, ownerPassword, 1))
    },
    async uplink(device, { hex, gateways, minutesAgo = 0 } = {}) {
      const heard = gateways?.map((number) => ({
        gatewayId: gatewayEuiOf(number).toLowerCase(),
        uplinkId: number,
        rssi: -80,
        snr: 5,
      }))
      const up = makeUp({
        eui: euiOf(device),
        time: new Date(services.now().getTime() - minutesAgo * 60_000).toISOString(),
        ...(hex === undefined ? {} : { hex }),
        ...(heard ? { rxInfo: heard } : {}),
      })
      assert.equal((await post(service, callback, up)).status, 200)
    },
    async createRule(body) {
      const whole = { name: 'Test', recipients: [me], ...body }
      const answer = await call('POST', '/v1/alert-rules', { body: whole })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.data
    },
    async alerts(query = '') {
      const answer = await call('GET', `/v1/alerts?${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data
    },
    async removeRules() {
      for (const { id } of (await call('GET', '/v1/alert-rules')).body.data) {
        await call('DELETE', `/v1/alert-rules/${id}`)
      }
    },
  }
}
