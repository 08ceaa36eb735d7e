import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, gatewayCreation as creation, gatewayEuiOf } from '../../../../test/fleet.ts'
import { batchUrl, deletion, sendBatch, taken, update } from '../../../../test/gateway-batches.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

/** A batch as a whole: its size, its calls to networks, its repetition, others at the same time. */

const service = await startTestService({ after })
const { db, provisioner } = service.services
const send = (gateways: unknown, as?: Login) => sendBatch(service, gateways, as)

async function readOutbox(numbers: number[]): Promise<[string, string][]> {
  const rows = await db.query<{ eui: string; action: string }>(
    'select eui, action from provisioning where eui = any($1) order by id',
    [numbers.map(gatewayEuiOf)],
  )
  return rows.map(({ eui, action }) => [eui, action])
}

// shows 4.27.22
test('takes up to 1,000 items, with as many statements as for one', async (t) => {
  assert.deepEqual(await send([]), [])
  let statements = 0
  const { transaction } = db
  t.mock.method(db, 'transaction', (work: Parameters<typeof transaction>[0]) =>
    transaction.call(db, (tx) =>
      work({
        ...tx,
        query: (text: string, values?: readonly unknown[]) => {
          statements += 1
          return tx.query(text, values)
        },
      }),
    ),
  )
  const count = async (gateways: unknown[]) => {
    statements = 0
    const data = await send(gateways)
    assert.ok(data.every(({ status }: { status: boolean }) => status))
    return { data, statements }
  }
  const one = await count([creation(0x1000)])
  const items = Array.from({ length: 1001 }, (_, index) => creation(0x1001 + index))
  const many = await count(items.slice(1))
  assert.equal(many.data.length, 1000)
  assert.equal(many.statements, one.statements)
  const answer = await service.call('POST', batchUrl, { body: { gateways: items } })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    gateways: ['The gateways may not have more than 1000 items.'],
  })
  const ids = [...one.data, ...many.data].map(({ gatewayId }: { gatewayId: number }) => gatewayId)
  const renamed = await count(ids.slice(1).map((id) => update(id, 'Tower')))
  const gone = await count(ids.slice(1).map(deletion))
  assert.deepEqual(
    [renamed.statements, gone.statements],
    [
      (await count([update(ids[0] ?? 0, 'Tower')])).statements,
      (await count([deletion(ids[0] ?? 0)])).statements,
    ],
  )
})

// shows 4.27.1, 4.27.22
test('refuses what is no array', async () => {
  for (const gateways of ['x', 1, {}, true]) {
    const answer = await service.call('POST', batchUrl, { body: { gateways } })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { gateways: ['The gateways must be an array.'] })
  }
  for (const body of [{}, { gateways: null }]) {
    const answer = await service.call('POST', batchUrl, { body })
    assert.deepEqual(answer.body.errors, { gateways: ['The gateways field is required.'] })
  }
})

test('tells the network what it must hear, and no more', async () => {
  const ids: number[] = []
  for (const number of [0, 1, 2, 3]) ids.push((await addGateway(service, 70 + number)).id)
  const other = await addGateway(service, 74, { gateway_bridge: 'other' })
  const [active = 0, failed = 0, unheard = 0, same = 0] = ids
  const status = (value: string, id: number) =>
    db.query('update gateways set register_status = $1 where id = $2', [value, id])
  await status('active', active)
  await status('register_error', failed)
  await status('active', same)
  await db.query('delete from provisioning where gateway_id = any($1)', [[active, failed, same]])
  await send([
    update(active, 'A'),
    update(failed, 'B'),
    update(same, 'Gateway 73'),
    update(other.id, 'C'),
    deletion(unheard),
    creation(75),
    creation(76, { gatewayBridge: 'other' }),
  ])
  const numbers = [70, 71, 72, 73, 74, 75, 76]
  assert.deepEqual(await readOutbox(numbers), [
    [gatewayEuiOf(70), 'rename'],
    [gatewayEuiOf(71), 'add'],
    [gatewayEuiOf(75), 'add'],
  ])
  await send([creation(70), deletion(active), creation(70), deletion(failed), deletion(other.id)])
  assert.deepEqual(await readOutbox(numbers), [
    [gatewayEuiOf(75), 'add'],
    [gatewayEuiOf(70), 'remove'],
    [gatewayEuiOf(71), 'remove'],
    [gatewayEuiOf(70), 'add'],
  ])
})

test('of equal batches at once each gateway is made once', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => 0x200 + index)
  const batches = [numbers, numbers.toReversed(), numbers, numbers.toReversed()]
  const answers = await Promise.all(
    batches.map((batch) => send(batch.map((number) => creation(number)))),
  )
  const made = answers.flat().filter(({ status }) => status)
  assert.equal(made.length, numbers.length)
  assert.equal(new Set(made.map(({ gatewayEui }) => gatewayEui)).size, numbers.length)
  assert.equal((await readOutbox(numbers)).length, numbers.length)
})

test('of equal deletions at once each gateway is deleted once', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => 0x300 + index)
  const made = await send(numbers.map((number) => creation(number)))
  const items = made.map(({ gatewayId }: { gatewayId: number }) => deletion(gatewayId))
  const answers = await Promise.all([send(items), send(items.toReversed()), send(items)])
  assert.equal(answers.flat().filter(({ status }) => status).length, numbers.length)
})

test('is repeated under an Idempotency-Key', async () => {
  const options = {
    body: { gateways: [creation(95), creation(95)] },
    headers: { 'idempotency-key': 'batch' },
  }
  const first = await service.call('POST', batchUrl, options)
  assert.equal(first.body.data[0].status, true)
  assert.deepEqual(first.body.data[1], taken(95))
  assert.equal((await service.call('POST', batchUrl, options)).text, first.text)
  const changed = { ...options, body: { gateways: [] } }
  assert.equal((await service.call('POST', batchUrl, changed)).status, 422)
})

test('the network comes to know the gateways of a batch, by their last names', async (t) => {
  const simulator = await startChirpStack(t)
  t.after(() => provisioner.close())
  await connect(service, simulator)
  const names = () =>
    Object.fromEntries(
      [...simulator.store.gateways].map(([eui, gateway]) => [eui.toUpperCase(), gateway.getName()]),
    )
  const settled = async () => (await readOutbox([0x400, 0x401, 0x402])).length === 0
  const made = await send([creation(0x400), creation(0x401)])
  await until(settled)
  const [first, second] = made.map(({ gatewayId }: { gatewayId: number }) => gatewayId)
  await send([update(first, 'Tower'), deletion(second), creation(0x402)])
  await until(settled)
  const known = names()
  assert.deepEqual(
    [0x400, 0x401, 0x402].map((number) => known[gatewayEuiOf(number)]),
    ['Tower', undefined, 'Gateway 1026'],
  )
})
