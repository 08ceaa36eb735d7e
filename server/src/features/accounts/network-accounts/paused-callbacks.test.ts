import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startSimulator } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { addDevice, connectAccount, euiOf } from '../../../../test/fleet.ts'
import { findFreePort } from '../../../../test/port.ts'
import { startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { careForCallbacks } from './callback-care.ts'

/** Webhooks that The Things Stack has paused, because the service could not be reached. */

const url = '/v1/network-accounts/thethingsnetwork'
const webhooks = 'GET /api/v3/as/webhooks/:application'

async function start(t: TestContext) {
  const stack = await startSimulator()
  t.after(() => stack.close())
  const front = await startFront(t)
  const service = await startTestService(t, { publicUrl: front.url })
  front.target = await service.app.listen({ host: '127.0.0.1', port: 0 })
  await connectAccount(service, 'thethingsnetwork', stack.account)
  await addDevice(service, 1, { network: 5, frequencyPlan: 'EU_863_870_TTN' })
  await stack.settle()
  const { now, db } = service.services
  /** As the jobs do every ten seconds. */
  const pass = async (seconds: number, meanwhile: () => unknown = () => undefined) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      service.setClock(new Date(now().getTime() + 10_000))
      await meanwhile()
      await careForCallbacks(service.services)
    }
  }
  const countUplinks = async () => (await db.query('select from uplinks')).length
  const send = () => stack.sendUplink(euiOf(1), '100301')
  /** An uplink that arrives, and the note that it did. */
  const arrive = async () => {
    const time = now()
    await send()
    const heard = 'select 1 from network_accounts where callback_heard_at >= $1'
    await until(async () => (await db.query(heard, [time])).length > 0, 'the account is heard')
  }
  const isPaused = () =>
    [...stack.store.webhooks.values()].some(({ health_status: health }) => {
      const [, failures = 0] = /failed_attempts":"(\d+)/.exec(JSON.stringify(health ?? {})) ?? []
      return Number(failures) >= stack.store.pausing.failures
    })
  const countLooks = () =>
    stack.http.calls.filter(({ method, route }) => `${method} ${route}` === webhooks).length
  return { stack, front, service, pass, send, arrive, countUplinks, isPaused, countLooks }
}

/** A proxy in front of the service, which may be down. */
async function startFront(t: TestContext) {
  const port = await findFreePort()
  const front = { url: `http://127.0.0.1:${port}`, target: '', isDown: false }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    if (front.isDown) return void response.writeHead(502).end()
    const { method = '', url: path = '', headers } = request
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers
    const answer = await fetch(front.target + path, {
      method,
      headers: passed as Record<string, string>,
      body,
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.after(async () => void server.close())
  return front
}

for (const [name, everySeconds, outageSeconds] of [
  ['a busy account in a short outage', 10, 60],
  ['a quiet account in a long outage', 300, 2400],
] as const) {
  test(`${name} gets its uplinks again within 30 seconds`, async (t) => {
    const { front, pass, send, arrive, countUplinks, isPaused, stack, service } = await start(t)
    await pass(600)
    await arrive()
    front.isDown = true
    let passed = 0
    await pass(outageSeconds, async () => {
      passed += 10
      if (passed % everySeconds === 0) await send()
    })
    assert.ok(stack.counts.failed >= stack.store.pausing.failures)
    front.isDown = false
    await pass(30)
    assert.ok(!isPaused())
    const before = await countUplinks()
    await send()
    assert.equal(await countUplinks(), before + 1)
    await pass(60)
    const { message } = (await service.call('GET', url)).body.data
    assert.match(message, /could not deliver to the webhook.*The service has set it again/)
  })
}

test('a webhook is freed within 30 seconds after the service can call the cluster again', async (t) => {
  const { stack, service, pass, arrive, isPaused } = await start(t)
  await arrive()
  stack.setAway(true)
  for (const webhook of stack.store.webhooks.values()) {
    webhook.health_status = { unhealthy: { failed_attempts: '5' } }
  }
  await pass(1200)
  const read = async () => (await service.call('GET', url)).body.data.status
  assert.equal(await read(), 'unreachable')
  stack.setAway(false)
  await pass(30)
  assert.ok(!isPaused())
  assert.equal(await read(), 'connected')
})

test('an account that is heard is not asked about, and a silent one ever less', async (t) => {
  const { pass, arrive, countLooks } = await start(t)
  await pass(600)
  await arrive()
  const first = countLooks()
  await pass(300, arrive)
  assert.equal(countLooks(), first)
  await pass(3600)
  const ofHour = countLooks() - first
  assert.ok(ofHour >= 3 && ofHour < 12, `${ofHour} looks`)
})

test('a deleted webhook is set again at once by a check and by a comparison', async (t) => {
  const { stack, service } = await start(t)
  for (const what of ['check', 'reconcile']) {
    stack.spoilCallbacks?.('delete')
    const answer = await service.call('POST', `${url}/${what}`, { body: {} })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(stack.store.webhooks.size, 1, what)
  }
})
