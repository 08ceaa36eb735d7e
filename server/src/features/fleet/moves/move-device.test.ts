import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { bytesOf, queue } from '../../../../test/downlinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { readResults, runJob } from '../../../../test/jobs.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import {
  anotherDevice,
  countUplinks,
  move,
  placesOf,
  readMove,
  startBench,
  toStack,
  work,
  workLater,
} from '../../../../test/moves.ts'
import { senetId } from '../../../../test/things.ts'
import { until } from '../../../../test/until.ts'

const atBoth = { chirpstack: true, stack: true, shown: 'ChirpStack v4' }
const atOld = { chirpstack: true, stack: false, shown: 'ChirpStack v4' }
const atNew = { chirpstack: false, stack: true, shown: 'The Things Stack' }

/** Most tests have a device of their own here. */
const shared = await startBench({ after })

function statesOf(moved: { steps: { state: string }[] }): string[] {
  return moved.steps.map(({ state }) => state)
}

test('a device moves with its history, once its new network has heard it', async () => {
  const bench = await anotherDevice(shared)
  const { id, state, from, to } = await move(bench)
  assert.deepEqual([state, from.network, to.network], ['waiting', 'chirpstack', 'thethingsnetwork'])
  assert.deepEqual(await placesOf(bench), atBoth)
  await bench.chirpstack.sendUplink(bench.eui, '100301')
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'waiting', 'the old network is not the new one')
  assert.equal(await countUplinks(bench), 2)
  await bench.stack.sendUplink(bench.eui, '100301')
  assert.equal((await readMove(bench, id)).state, 'completing')
  await work(bench)
  const done = await readMove(bench, id)
  assert.deepEqual(statesOf(done), ['preparing', 'waiting', 'completing', 'done'])
  assert.deepEqual(await placesOf(bench), atNew)
  await bench.stack.sendUplink(bench.eui, '100301')
  assert.equal(await countUplinks(bench), 4)
})

test('a device that its new network does not hear in time is put back', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench, { hours: 2 })
  await workLater(bench, 119)
  assert.equal((await readMove(bench, id)).state, 'waiting')
  await workLater(bench, 2)
  const over = await readMove(bench, id)
  assert.equal(over.state, 'expired')
  assert.equal(over.message, 'The Things Stack has not heard the device in the time of the move.')
  assert.deepEqual(statesOf(over), ['preparing', 'waiting', 'putting_back', 'expired'])
  assert.deepEqual(await placesOf(bench), atOld)
  assert.equal((await move(bench)).state, 'waiting', 'it can move again')
})

test('a cancelled move puts the device back, and another one may begin', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  await move(bench, {}, 409)
  const cancelled = await bench.service.call('DELETE', `/v1/moves/${id}`)
  assert.equal(cancelled.status, 200, cancelled.text)
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'cancelled')
  assert.deepEqual(await placesOf(bench), atOld)
  const again = await bench.service.call('DELETE', `/v1/moves/${id}`)
  assert.equal(again.body.data.state, 'cancelled', 'a move that is over stays as it is')
})

test('a move and its cancel are recorded once each, and told', async () => {
  const bench = await anotherDevice(shared)
  const { service, eui } = bench
  const heard: string[] = []
  const line = service.services.signals.follow((topic) => heard.push(topic ?? ''))
  const isTold = () => heard.includes(`change 1 device ${bench.id}`)
  const { id } = await move(bench)
  await move(bench, {}, 409)
  await until(isTold)
  heard.length = 0
  const cancel = () => service.call('DELETE', `/v1/moves/${id}`)
  assert.equal((await cancel()).body.data.state, 'cancelled', 'it is taken back at once')
  await until(isTold)
  await line.end()
  await cancel()
  const { body } = await service.call('GET', '/v1/fleet/activity?limit=100')
  const own = body.data.filter(({ subject }: { subject: string }) => subject === eui)
  const told = own.map(({ action, name }: Record<string, string>) => [action, name])
  const name = (await readMove(bench, id)).device.device_name
  assert.deepEqual(told, [
    ['kept at its network', name],
    ['moved', name],
    ['registered', name],
  ])
})

test('a device that only the console knows leaves its old network by hand', async () => {
  const { eui, id } = await anotherDevice(shared)
  const bench = { ...shared, eui, id }
  await shared.service.services.db.query(
    'update devices set is_console_only = true where id = $1',
    [id],
  )
  const moved = await move(bench)
  await bench.stack.sendUplink(eui, '100301')
  await work(bench)
  const { state, message } = await readMove(bench, moved.id)
  assert.deepEqual([state, message], ['done', 'Delete the device at ChirpStack v4 by hand.'])
})

test('a move whose device was heard by the new network is not cancelled', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  bench.chirpstack.faults.isAway = true
  await bench.stack.sendUplink(bench.eui, '100301')
  assert.equal((await bench.service.call('DELETE', `/v1/moves/${id}`)).status, 409)
  bench.chirpstack.faults.isAway = false
  await workLater(bench, 10)
})

test('a new network that refuses the device ends the move, in its words', async () => {
  const bench = await anotherDevice(shared)
  bench.stack.refuse('no room for further devices')
  const { id } = await move(bench)
  bench.stack.refuse(undefined)
  await work(bench)
  const failed = await readMove(bench, id)
  assert.equal(failed.state, 'failed')
  assert.match(failed.message, /no room for further devices/)
  assert.deepEqual(await placesOf(bench), atOld)
})

test('a new network that is away is asked again, and the move says so', async () => {
  const bench = await anotherDevice(shared)
  bench.stack.setAway(true)
  const { id, state, message } = await move(bench)
  assert.equal(state, 'preparing')
  assert.ok(message.length > 0)
  assert.deepEqual(await placesOf(bench), atOld)
  bench.stack.setAway(false)
  await workLater(bench, 10)
  assert.equal((await readMove(bench, id)).state, 'waiting')
  assert.deepEqual(await placesOf(bench), atBoth)
})

test('an old network that is away, or refuses, is asked until it forgets the device', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  bench.chirpstack.faults.isAway = true
  await bench.stack.sendUplink(bench.eui, '100301')
  await work(bench)
  await workLater(bench, 60)
  const waiting = await readMove(bench, id)
  assert.equal(waiting.state, 'completing')
  assert.ok(waiting.message.length > 0)
  bench.chirpstack.faults.isAway = false
  const message = 'deleting is not allowed here'
  bench.chirpstack.faults.refusals['/api.DeviceService/Delete'] = {
    code: status.FAILED_PRECONDITION,
    message,
  }
  await workLater(bench, 10)
  assert.match((await readMove(bench, id)).message, /deleting is not allowed here/)
  assert.deepEqual(await placesOf(bench), atBoth)
  bench.chirpstack.faults.refusals = {}
  await workLater(bench, 10)
  assert.equal((await readMove(bench, id)).state, 'done')
  assert.deepEqual(await placesOf(bench), atNew)
})

test('downlinks go in their order to the network that has heard the device last', async () => {
  const bench = await anotherDevice(shared)
  const { chirpstack, stack, eui } = bench
  await queue(bench, eui, 5)
  await move(bench)
  await queue(bench, eui, 6)
  const [first, second] = [bytesOf(5), bytesOf(6)]
  assert.deepEqual(chirpstack.findDevice(eui)?.queue, [first, second])
  assert.deepEqual(stack.findDevice(eui)?.queue, [])
  await stack.sendUplink(eui, '100301')
  await work(bench)
  assert.deepEqual(stack.findDevice(eui)?.queue, [first, second])
  await queue(bench, eui, 7)
  assert.deepEqual(stack.findDevice(eui)?.queue, [first, second, bytesOf(7)])
})

test('a name that is changed during a move reaches both networks', async () => {
  const bench = await anotherDevice(shared)
  const { service, chirpstack, stack, eui } = bench
  await move(bench)
  await service.call('PATCH', `/v1/devices/${eui}`, { body: { device_name: 'Renamed' } })
  await work(bench)
  assert.equal(chirpstack.findDevice(eui)?.name, 'Renamed')
  await stack.sendUplink(eui, '100301')
  await work(bench)
  assert.equal(stack.findDevice(eui)?.name, 'Renamed')
})

test('a device that is deleted during its move is taken from both networks', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench)
  assert.equal((await bench.service.call('DELETE', `/v1/devices/${bench.eui}`)).status, 204)
  await work(bench)
  assert.equal(bench.chirpstack.findDevice(bench.eui), undefined)
  assert.equal(bench.stack.findDevice(bench.eui), undefined)
  assert.equal((await readMove(bench, id)).state, 'cancelled')
})

test('where devices are created by hand, the move says what to do', async () => {
  const bench = await anotherDevice(shared)
  const { state, message } = await move(bench, { network: senetId, frequencyPlan: null })
  assert.equal(state, 'waiting')
  assert.match(message, /^There is no account at Senet yet: connect one/)
  assert.match(
    message,
    /Create the device at Senet by hand, with the DevEUI 00AA0000000000[0-9A-F]{2},/,
  )
})

test('refuses a move that cannot be made', async (t) => {
  const bench = await startBench(t)
  const refusal = async (changes: Record<string, unknown>) => {
    const body = { network: 5, registerMethod: 'user_account', ...changes }
    const answer = await bench.service.call('POST', `/v1/devices/${bench.eui}/move`, { body })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refusal({ network: 10 }), ['network'])
  assert.deepEqual(await refusal({ network: 99 }), ['network'])
  assert.deepEqual(await refusal({ frequencyPlan: 'NONE' }), ['frequencyPlan'])
  assert.deepEqual(await refusal({ hours: 0 }), ['hours'])
  const stranger = await foundOrganization(bench.service, 'bo@example.test')
  const body = { network: 5, registerMethod: 'user_account' }
  const foreign = await bench.service.call('POST', `/v1/devices/${bench.eui}/move`, {
    as: stranger,
    body,
  })
  assert.equal(foreign.status, 404)
  const { id } = await move(bench)
  for (const method of ['GET', 'DELETE']) {
    const answer = await bench.service.call(method, `/v1/moves/${id}`, { as: stranger })
    assert.equal(answer.status, 404)
  }
})

test('asks for a key that is not stored, and moves no settings of LoRaWAN', async () => {
  const bench = await anotherDevice(shared)
  const { db } = shared.service.services
  const body = { network: 5, registerMethod: 'user_account', frequencyPlan: 'EU_863_870_TTN' }
  const refusal = async () => {
    const answer = await bench.service.call('POST', `/v1/devices/${bench.eui}/move`, { body })
    assert.equal(answer.status, 422, answer.text)
    return Object.keys(answer.body.errors)
  }
  await db.query(`update devices set radio = '{}' where id = $1`, [bench.id])
  assert.deepEqual(await refusal(), ['network'])
  await db.query('update devices set radio = null, sealed_key = null where id = $1', [bench.id])
  assert.deepEqual(await refusal(), ['deviceKey'])
})

test('lists moves by device, state and network', async (t) => {
  const bench = await startBench(t)
  const { service } = bench
  const { id } = await move(bench)
  await service.call('DELETE', `/v1/moves/${id}`)
  await work(bench)
  const { id: second } = await move(bench)
  await joinMember(service, 'another@example.test')
  const list = async (query: string) => {
    const answer = await service.call('GET', `/v1/moves${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.map((each: { id: number }) => each.id)
  }
  assert.deepEqual(await list(''), [second, id])
  assert.deepEqual(await list('?state=open'), [second])
  assert.deepEqual(await list('?state=cancelled'), [id])
  assert.deepEqual(await list(`?device=${bench.eui.toLowerCase()}`), [second, id])
  assert.deepEqual(await list(`?device=${euiOf(2)}`), [])
  assert.deepEqual(await list('?network=chirpstack&limit=1'), [second])
  assert.deepEqual(await list(`?after=${second}`), [id])
  assert.deepEqual(await list('?network=loriot'), [])
  for (const [limit, after] of [
    [1, second],
    [2, id],
    [3, null],
  ]) {
    const { body } = await service.call('GET', `/v1/moves?limit=${limit}`)
    assert.equal(body.after, after, `of ${limit}`)
  }
  assert.equal((await service.call('GET', '/v1/moves?state=none')).status, 422)
})

test('many devices move with one job, with a result for each', async (t) => {
  const bench = await startBench(t)
  const { service, stack } = bench
  await addDevice(service, 2)
  const { network, registerMethod, frequencyPlan } = toStack
  const target = { network, registerMethod, frequencyPlan }
  const devices = [euiOf(1), euiOf(2), euiOf(3)]
  const body = { kind: 'change_network', target, devices }
  const tried = await runJob(service, { ...body, dry_run: true })
  assert.deepEqual([tried.done, tried.failed], [2, 1])
  const words = (await readResults(service, tried.id)).map(([, , message]) => message)
  assert.deepEqual(words.slice(0, 2), ['Would begin to move.', 'Would begin to move.'])
  assert.equal(stack.findDevice(euiOf(1)), undefined)
  const job = await runJob(service, body)
  assert.deepEqual([job.done, job.failed], [2, 1])
  await work(bench)
  const open = await service.call('GET', '/v1/moves?state=waiting')
  assert.equal(open.body.data.length, 2)
  const again = await runJob(service, body)
  assert.deepEqual([again.done, again.failed], [0, 3])
})
