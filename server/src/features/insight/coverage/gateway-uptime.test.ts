import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addGateway, gatewayEuiOf } from '../../../../test/fleet.ts'
import { createOutageWatch } from '../../fleet/gateways/outage-watch.ts'

const service = await startAlertTest({ after }, { devices: 1 })
const { call, services, setClock, uplink, pass } = service
const watch = createOutageWatch(services)
const url = '/v1/fleet/gateways'
for (const number of [1, 2, 3]) await addGateway(service, number, { gateway_name: `G${number}` })

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function read(path: string): Promise<any> {
  const answer = await call('GET', `${url}${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const uptime = async (number: number, query = '') =>
  (await read(`/${gatewayEuiOf(number)}/uptime?${query}`)).data

/** Lets time pass with a look every minute. */
async function wait(minutes: number, heard: number[] = []) {
  const end = services.now().getTime() + minutes * 60_000
  while (services.now().getTime() < end) {
    setClock(new Date(Math.min(end, services.now().getTime() + 4 * 60_000)))
    if (heard.length > 0) await uplink(1, { gateways: heard })
    await watch.look()
  }
}

test('a gateway that was never heard has no uptime', async () => {
  await watch.look()
  const { uptime: percent, known_since, parts, outages } = await uptime(1)
  assert.deepEqual([percent, known_since, outages], [null, null, []])
  assert.equal(parts.length, 30)
  assert.deepEqual(new Set(parts.map((part: typeof parts) => part.uptime)), new Set([null]))
})

test('an outage lasts from the last uplink before to the first one after', async () => {
  // It begins at 12:00, and gateway 3 is heard all the time.
  await uplink(1, { gateways: [1, 2, 3] })
  await wait(60, [3])
  // An hour without an uplink is silence where the usual interval is not known.
  assert.deepEqual((await uptime(1)).outages, [])
  await wait(60, [3])
  const [going] = (await uptime(1)).outages
  assert.deepEqual(going, {
    began_at: '2026-03-01T12:00:00.000000Z',
    ended_at: null,
    seconds: 7200,
  })
  assert.equal((await uptime(1)).uptime, 0)
  await uplink(1, { gateways: [1] })
  await wait(120, [1, 3])
  const back = await uptime(1)
  assert.deepEqual(back.outages, [
    {
      began_at: '2026-03-01T12:00:00.000000Z',
      ended_at: '2026-03-01T14:04:00.000000Z',
      seconds: 7440,
    },
  ])
  assert.equal(back.uptime, 48.33)
  assert.deepEqual([(await uptime(2)).uptime, (await uptime(3)).uptime], [0, 100])
})

test('days and months begin in the time zone, and are counted from the first uplink on', async () => {
  const zone = 'time_zone=Asia/Kolkata'
  const days = await uptime(1, `from=2026-02-28T12:00:00Z&${zone}`)
  assert.deepEqual(
    days.parts.map(({ from, uptime: percent, outages }: (typeof days.parts)[number]) => [
      from,
      percent,
      outages,
    ]),
    [
      ['2026-02-27T18:30:00.000000Z', null, 0],
      ['2026-02-28T18:30:00.000000Z', 48.33, 1],
    ],
  )
  const months = await uptime(1, 'step=month')
  assert.equal(months.parts.length, 13)
  assert.deepEqual([months.parts.at(-1).uptime, months.parts.at(-2).uptime], [48.33, null])
  const long = await call('GET', `${url}/${gatewayEuiOf(1)}/uptime?from=2000-01-01T00:00:00Z`)
  assert.deepEqual([long.status, Object.keys(long.body.errors)], [422, ['from']])
})

test('the list has it, worst first, and a file has that of all by month', async () => {
  const { data } = await read('?sort=uptime')
  assert.deepEqual(
    data.map(({ name, uptime_7_days: week, uptime_30_days: month }: (typeof data)[number]) => [
      name,
      week,
      month,
    ]),
    [
      ['G2', 0, 0],
      ['G1', 48.33, 48.33],
      ['G3', 100, 100],
    ],
  )
  const file = await call('GET', `${url}/uptime/export?step=month&from=2026-03-01T00:00:00Z`)
  assert.deepEqual(file.text.split('\r\n').slice(0, 2), [
    'gateway_eui,name,network,from,to,uptime_percent,offline_minutes,outages',
    `${gatewayEuiOf(1)},G1,ChirpStack v4,2026-03-01T00:00:00.000000Z,2026-04-01T00:00:00.000000Z,48.33,124,1`,
  ])
})

test('time in which the service did not run counts for the gateways', async () => {
  setClock(new Date(services.now().getTime() + 5 * 60 * 60_000))
  await uplink(1, { gateways: [3] })
  await watch.look()
  const { outages } = await uptime(1)
  assert.equal(outages.length, 1)
  await wait(64, [3])
  // Silent since 16:00, and seen so from 21:00 on.
  const [newest] = (await uptime(1)).outages
  assert.equal(newest.began_at, '2026-03-01T21:00:00.000000Z')
})

test('a rule tells of an uptime that is too low, a day after the first uplink', async () => {
  await uplink(1, { gateways: [1] })
  await watch.look()
  const settings = { percent: 90, days: 2 }
  const rule = await service.createRule({ kind: 'gateway_uptime', settings, recipients: [] })
  await pass(1)
  assert.deepEqual(await service.alerts(`rule=${rule.id}`), [])
  await pass(15 * 60)
  await uplink(1, { gateways: [1, 3] })
  await watch.look()
  await pass(1)
  const alerts = await service.alerts(`rule=${rule.id}&state=open`)
  assert.deepEqual(
    alerts
      .map(({ gateway, label, value, bound }) => [gateway.name, label, value < 90, bound])
      .sort(),
    [
      ['G1', 'Uptime of 2 days', true, 90],
      ['G2', 'Uptime of 2 days', true, 90],
    ],
  )
  await call('PATCH', `/v1/alert-rules/${rule.id}`, {
    body: { settings: { percent: 80, days: 1 } },
  })
  await pass(1)
  const open = await service.alerts(`rule=${rule.id}&state=open`)
  assert.deepEqual(
    open.map(({ gateway }) => gateway.name),
    ['G2'],
  )
  const grouped = { name: 'A', kind: 'gateway_uptime', group: 1 }
  const refused = await call('POST', '/v1/alert-rules', { body: grouped })
  assert.deepEqual(Object.keys(refused.body.errors), ['group'])
})
