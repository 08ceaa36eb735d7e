import assert from 'node:assert/strict'
import { connectChirpStack, makeUp, post, readExample } from './chirpstack-uplinks.ts'
import { addDevice, euiOf } from './fleet.ts'
import { type Login, startTestService, type TestService } from './service.ts'
import { startReceiver } from './webhook-receiver.ts'

/** A service with three devices, whose webhooks send when a test says so. */
export interface WebhookTest extends TestService {
  /** Lets time pass, and sends what is due then. */
  send(minutes?: number): Promise<void>
  /** Makes a webhook of uplinks; returns its record. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  create(body: Record<string, unknown>): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  show(id: number): Promise<any>
  /** A door opens, at a device from 1 to 3. */
  uplink(device: number): Promise<void>
  /** An event of ChirpStack about a device. */
  event(name: 'join' | 'status', device: number): Promise<void>
  removeAll(): Promise<void>
}

export async function startWebhookTest(
  t: { after(end: () => Promise<void>): unknown },
  clock = new Date('2026-03-01T12:00:00.000Z'),
): Promise<WebhookTest> {
  const service = await startTestService(t, { clock })
  const { call, services, setClock } = service
  const callback = await connectChirpStack(service)
  for (const number of [1, 2, 3]) await addDevice(service, number)
  let passed = 0
  return {
    ...service,
    async send(minutes = 0) {
      passed += minutes
      setClock(new Date(clock.getTime() + passed * 60_000))
      services.webhookSender.wake()
      await services.webhookSender.idle()
    },
    async create(body) {
      const whole = { name: 'Test', events: ['uplink'], ...body }
      const answer = await call('POST', '/v1/webhooks', { body: whole })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.data
    },
    show: async (id) => (await call('GET', `/v1/webhooks/${id}`)).body.data,
    async uplink(device) {
      const { status } = await post(service, callback, makeUp({ eui: euiOf(device) }))
      assert.equal(status, 200)
    },
    async event(name, device) {
      const published = readExample(name)
      const deviceInfo = {
        ...(published.deviceInfo as object),
        devEui: euiOf(device).toLowerCase(),
      }
      const { status } = await post(
        service,
        callback,
        { ...published, deviceInfo },
        { event: name },
      )
      assert.equal(status, 200)
    },
    async removeAll() {
      for (const { id } of (await call('GET', '/v1/webhooks')).body.data) {
        await call('DELETE', `/v1/webhooks/${id}`)
      }
    },
  }
}

/** Makes a webhook of registrations; the function returns the statuses that it was told, in their order. */
export async function watchRegistrations(
  t: { after(end: () => Promise<void>): unknown },
  { call, services }: TestService,
  as: Login,
): Promise<() => Promise<string[]>> {
  const receiver = await startReceiver(t)
  const body = { name: 'Registrations', url: receiver.url, events: ['registration'] }
  const made = await call('POST', '/v1/webhooks', { as, body })
  assert.equal(made.status, 201, made.text)
  return async () => {
    services.webhookSender.wake()
    await services.webhookSender.idle()
    return receiver.received.map((each) => each.body.data.status)
  }
}
