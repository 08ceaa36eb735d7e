import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { countWrong } from '../../../test/stored-uplinks.ts'
import { blockSize } from '../inventory/block-queries.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)

/** Its first device has most of the uplinks. */
const total = 150
const devices = [1, 2]
const dids = new Map<number, number>()
for (const number of devices) dids.set(number, await addLocalDevice(service, number))
const deviceOf = (number: number) => (number % 4 === 0 ? 2 : 1)
const begin = Date.parse('2026-02-20T00:00:00Z')
const timeOf = (number: number) => new Date(begin + number * 1_800_000).toISOString()
const frames = ['100d0017703d80', '100301', '10080100']

async function send(number: number) {
  const hex = frames[number % frames.length] ?? ''
  const eui = euiOf(deviceOf(number))
  const { status } = await post(
    ...([service, callback, makeUp({ eui, hex, fCnt: number, time: timeOf(number) })] as const),
  )
  assert.equal(status, 200)
}

for (let number = 1; number <= total; number += 1) await send(number)

/** Everything that reads uplinks of a device by their order. */
async function readAll(): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const read = async (path: string) => {
    const answer = await service.call('GET', `/v1${path}`)
    assert.equal(answer.status, 200, answer.text)
    answers.set(path, answer.text)
    return answer.body
  }
  const range = `since=${timeOf(0)}&until=${timeOf(total + 1)}`
  for (const number of devices) {
    const [eui, did] = [euiOf(number), dids.get(number)]
    const ids: number[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await read(`/devices/${eui}/uplink?page=${page}&itemsPerPage=7`)
      if (page > meta.last_page) break
      ids.push(...data.map(({ id }: { id: number }) => id))
    }
    for (const id of ids) await read(`/devices/${eui}/uplinks/${id}/frame`)
    for (const filter of ['', '&event_type=DOOR_SENSOR', '&search=celsius', '&network=senet']) {
      for (let next = ''; ; ) {
        const { after } = await read(`/fleet/uplinks?device=${did}&limit=6${filter}${next}`)
        if (after === null) break
        next = `&after=${after}`
      }
    }
    await read(`/fleet/uplinks/lines?device=${did}`)
    await read(`/fleet/devices/${did}/arrival`)
    await read(`/devices/${eui}/measurements?from=2020-01-01&to=${timeOf(total + 1)}&points=5`)
    await read(`/devices/${eui}/radio?${range}`)
  }
  await read('/fleet/devices')
  return answers
}

const answers = await readAll()

/** Reads everything once more: it must say the same. */
async function check() {
  const now = await readAll()
  for (const [path, text] of answers) assert.equal(now.get(path), text, path)
  assert.equal(now.size, answers.size)
}

async function checkCounts() {
  const { organizations, devices, blocks } = await countWrong(db)
  assert.deepEqual({ organizations, devices, blocks }, { organizations: 0, devices: 0, blocks: 0 })
}

const countBlocks = async (device: number) => {
  const rows = await db.query<{ first: number }>(
    'select first_ordinal as first from uplink_blocks where device_id = $1 order by first_ordinal',
    [dids.get(device)],
  )
  return rows.map(({ first }) => first)
}

test('uplinks are stored in blocks that follow each other', async () => {
  const ofFirst = total - Math.floor(total / 4)
  const firsts = Array.from(
    { length: Math.ceil(ofFirst / blockSize) },
    (_, at) => 1 + at * blockSize,
  )
  assert.deepEqual(await countBlocks(1), firsts)
  assert.deepEqual(await countBlocks(2), [1, 33])
  await checkCounts()
})

test('those of the previous release have none, and are read with the others', async () => {
  await db.query('update uplinks set block = 0 where device_ordinal between 20 and 70')
  await db.query('delete from uplink_blocks where first_ordinal = 33')
  await check()
  await db.query('update uplinks set block = 0')
  await check()
  await db.query('delete from uplink_blocks')
  await db.query('update device_states set block = 0, block_ordinal = 0')
  await check()
})

test('the next uplink begins a block, which goes on beside the previous release', async () => {
  const before = total - Math.floor(total / 4)
  await send(total + 1)
  await storeAsBefore()
  await send(total + 2 + 1)
  assert.deepEqual(await countBlocks(1), [before + 1])
  const { data, meta } = (
    await service.call('GET', `/v1/devices/${euiOf(1)}/uplink?itemsPerPage=100`)
  ).body
  assert.equal(meta.total, before + 3)
  const [third, second, first] = data
  assert.ok(third.id > second.id && second.id > first.id)
  const rows = await db.query<{ block: number }>(
    'select block from uplinks where device_id = $1 order by device_ordinal desc limit 3',
    [dids.get(1)],
  )
  assert.deepEqual(
    rows.map(({ block }) => block > 0),
    [true, false, true],
  )
  await checkCounts()
})

test('a batch may begin several blocks of a device', async () => {
  dids.set(3, await addLocalDevice(service, 3))
  const ups = Array.from({ length: 100 }, () => makeUp({ eui: euiOf(3) }))
  await Promise.all(ups.map((up) => post(service, callback, up)))
  assert.deepEqual(await countBlocks(3), [1, 33, 65, 97])
  const path = `/v1/devices/${euiOf(3)}/uplink?itemsPerPage=100`
  assert.equal((await service.call('GET', path)).body.data.length, 100)
  await checkCounts()
})

/** Stores the latest uplink of the first device once more, as a process of the previous release. */
async function storeAsBefore() {
  await db.query(
    `with counter as (
       update organization_counters set uplink_count = uplink_count + 1 returning uplink_count
     ), state as (
       update device_states set uplink_count = uplink_count + 1 where device_id = $1
       returning uplink_count
     )
     insert into uplinks (organization_id, ordinal, device_id, device_ordinal, deduplication_key,
       event_time, event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port,
       f_cnt, gateways, event_number)
     select 1, counter.uplink_count, $1, state.uplink_count, 'by the previous release', event_time,
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, gateways,
       event_number
     from uplinks
     cross join counter
     cross join state
     where device_id = $1
     order by device_ordinal desc limit 1`,
    [dids.get(1)],
  )
}
