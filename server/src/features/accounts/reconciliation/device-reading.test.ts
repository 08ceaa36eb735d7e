import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { readReport, startFleet } from '../../../../test/reconciliation.ts'
import { startTestService } from '../../../../test/service.ts'
import type { NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { compareWithNetwork } from './comparison.ts'
import { createReader } from './network-side.ts'

/** How a network is asked about devices one by one. */

/** A network that answers as it is told, and the moments of the calls. */
function startReader(
  answer: (call: number) => NetworkError | undefined,
  { perSecond, callMs = 0 }: { perSecond?: number; callMs?: number } = {},
) {
  const calls: number[] = []
  const connection = {
    async readDevice() {
      calls.push(performance.now())
      if (callMs > 0) await sleep(callMs)
      const error = answer(calls.length)
      if (error) throw error
      return { appKey: '' }
    },
  } as unknown as NetworkConnection
  const reader = createReader(connection, { seconds: 5, perSecond })
  const readAll = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        reader.read({ eui: euiOf(index), name: '' }, { key: true }),
      ),
    )
  return { reader, readAll, calls }
}

test('makes as many calls in a second as the network takes', async () => {
  const { readAll, calls } = startReader(() => undefined, { perSecond: 50 })
  // Not since the first call, which a busy machine may make late.
  const begin = performance.now()
  await readAll(6)
  const last = calls.at(-1) ?? 0
  assert.ok(last - begin >= 95, `${last - begin} ms`)
})

test('waits as long as it is asked to, and leaves half of the time to others then', async () => {
  const busy = new NetworkError('slow_down', 'Slow down.', { about: 'account', retryAfterMs: 300 })
  const { reader, readAll, calls } = startReader((call) => (call === 1 ? busy : undefined), {
    callMs: 50,
  })
  await readAll(1)
  await readAll(3)
  assert.equal(calls.length, 5)
  const gaps = calls.slice(1).map((moment, index) => moment - (calls[index] ?? 0))
  for (const [index, least] of [299, 99, 99, 99].entries()) {
    assert.ok((gaps[index] ?? 0) >= least, gaps.join())
  }
  assert.equal(reader.findReason(4), undefined)
})

test('gives up when it is asked to wait for longer than it may take', async () => {
  const busy = new NetworkError('slow_down', 'Slow down.', { retryAfterMs: 60_000 })
  const { reader, readAll, calls } = startReader(() => busy)
  const begin = performance.now()
  assert.deepEqual(await readAll(2), [undefined, undefined])
  assert.ok(performance.now() - begin < 1000)
  assert.ok(calls.length <= 2)
  assert.equal(reader.findReason(2), 'The keys of 2 of 2 devices are not compared. Slow down.')
})

test('passes over a device that fails alone, and ends at a denial', async () => {
  const gone = new NetworkError('refused', 'No such device.', { about: 'device' })
  const one = startReader((call) => (call === 2 ? gone : undefined))
  for (let call = 0; call < 3; call += 1) await one.readAll(1)
  assert.equal(one.calls.length, 3)
  const reason = 'The keys of 1 of 3 devices are not compared. No such device.'
  assert.equal(one.reader.findReason(3), reason)

  const denied = new NetworkError('unauthorized', 'Not for you.', { about: 'device' })
  const all = startReader(() => denied)
  for (let call = 0; call < 3; call += 1) await all.readAll(1)
  assert.deepEqual([all.calls.length, all.reader.isOver()], [1, true])
})

test('goes on with the devices at which the last comparison stopped', async () => {
  const service = await startTestService({ after })
  const { owner, simulator } = await startFleet(service)
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  for (const number of numbers) await addDevice(service, number, {}, owner)
  const { services } = service
  const { organizationId } = owner
  const account = await accountQueries.find(
    services.db,
    organizationId,
    'chirpstack',
    'user_account',
  )
  assert.ok(account)
  const getKeys = '/api.DeviceService/GetKeys'
  let asked = 0
  simulator.faults.refusals[getKeys] = async () => {
    asked += 1
    await new Promise((resolve) => setTimeout(resolve, 100))
    return undefined
  }
  let rounds = 0
  let readTo = ''
  do {
    const before = asked
    await compareWithNetwork(services, account, { seconds: 60, detailSeconds: 0.05 })
    const [row] = await services.db.query<{ details_read_to: string }>(
      'select details_read_to from reconciliations where organization_id = $1',
      [organizationId],
    )
    assert.ok(row)
    // Beyond the last device it begins with the first again. On a busy machine the time of a round may
    // be over before its first call.
    if (asked > before && asked < 20) assert.ok(row.details_read_to > readTo)
    readTo = row.details_read_to
    rounds += 1
    const { left_out } = await readReport(service, '', owner)
    if (asked < 20) assert.match(left_out[0].reason, /^The keys of \d+ of 20 devices/)
  } while (asked < 20 && rounds < 10)
  assert.ok(rounds > 2 && rounds < 10, `${rounds} rounds, ${asked} calls`)
})
