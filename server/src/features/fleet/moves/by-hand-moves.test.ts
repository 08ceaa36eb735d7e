import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startSenet } from '../../../../simulators/senet/simulator.ts'
import { connectAccount } from '../../../../test/fleet.ts'
import {
  anotherDevice,
  countUplinks,
  move,
  placesOf,
  readMove,
  startBench,
  work,
  workLater,
} from '../../../../test/moves.ts'
import { senetId } from '../../../../test/things.ts'

/** Moves to and from a network whose owner creates devices by hand, as at Senet. */

const shared = await startBench({ after })
const senet = await startSenet()
after(() => senet.close())
senet.setCallback((await connectAccount(shared.service, 'senet', senet.account)).callback)

const toSenet = { network: senetId, frequencyPlan: null }

test('the first uplink through a network by hand completes the move', async () => {
  const bench = await anotherDevice(shared)
  const { id, message } = await move(bench, toSenet)
  assert.match(
    message,
    /^Create the device at Senet by hand, with the DevEUI 00AA0000000000[0-9A-F]{2},/,
  )
  senet.addDevice(bench.eui, 'Device 1')
  await senet.sendUplink(bench.eui, '100301')
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'done')
  assert.equal(await countUplinks(bench), 2)
  const { chirpstack, shown } = await placesOf(bench)
  assert.deepEqual([chirpstack, shown], [false, 'Senet'])
})

test('a device moves from a network by hand, and what is left there is told', async () => {
  const bench = await anotherDevice(shared)
  await move(bench, toSenet)
  senet.addDevice(bench.eui, 'Device 1')
  await senet.sendUplink(bench.eui, '100301')
  await work(bench)
  const { id } = await move(bench)
  await bench.stack.sendUplink(bench.eui, '100301')
  await work(bench)
  const { state, message } = await readMove(bench, id)
  assert.deepEqual([state, message], ['done', 'Delete the device at Senet by hand.'])
  assert.equal((await placesOf(bench)).shown, 'The Things Stack')
})

test('a move by hand that is not completed in time ends, and says what is left', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench, { ...toSenet, hours: 1 })
  await workLater(bench, 61)
  const { state, message } = await readMove(bench, id)
  assert.equal(state, 'expired')
  assert.match(message, /Delete the device at Senet by hand\.$/)
  const { chirpstack, shown } = await placesOf(bench)
  assert.deepEqual([chirpstack, shown], [true, 'ChirpStack v4'])
})
