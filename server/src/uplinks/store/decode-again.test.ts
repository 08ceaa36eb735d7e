import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { runCommand } from '../../../test/command.ts'
import { addType } from '../../../test/device-types.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { decodeAgain } from './decode-again.ts'

/** Frames that a codec did not decode, and that it decodes later from the stored payload. */

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)

/** Never ends for the frame `ff`, and throws for `ee`. */
const faulty = `function decodeUplink({ bytes }) {
  while (bytes[0] === 0xff) {}
  if (bytes[0] === 0xee) throw new Error('not yet')
  return { data: { value: bytes[0] } }
}`
const fixed = 'function decodeUplink({ bytes }) { return { data: { value: bytes[0] } } }'

let count = 0

async function addSender(codec: string) {
  count += 1
  const eui = euiOf(count)
  const type = await addType(service, { codec })
  const device = await addDevice(service, count, { deviceType: type.id })
  const url = `/v1/device-types/${type.id}`
  return {
    typeId: type.id,
    async send(...frames: string[]) {
      for (const hex of frames) {
        const answer = await post(service, callback, makeUp({ eui, hex }))
        assert.equal(answer.status, 200, answer.text)
      }
    },
    /** The readings, oldest first. */
    async read(): Promise<unknown[]> {
      const { body } = await service.call('GET', `/v1/devices/${device.id}/uplink`)
      const records = body.data as { event_type: string; decoded_object: { value?: number } }[]
      return records.reverse().map((one) => one.decoded_object.value ?? one.event_type)
    },
    fix: () => service.call('PATCH', url, { body: { codec: fixed } }),
    ask: () => service.call('POST', `${url}/decode-again`),
  }
}

/** Runs the background job when all that waits is due. */
async function runJob() {
  await db.query('update decoding_runs set next_look_at = now()')
  await decodeAgain(service.services)
}

function countRuns() {
  return db.query('select type_id from decoding_runs')
}

test('frames of a paused codec are decoded later by themselves', async () => {
  const { send, read, fix } = await addSender(faulty)
  await send('01', 'ff', 'ff', 'ff', '02', '03')
  const paused = [1, 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN']
  assert.deepEqual(await read(), paused)
  await runJob()
  assert.deepEqual(await read(), paused)
  await fix()
  await runJob()
  assert.deepEqual(await read(), [1, 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 2, 3])
  assert.equal((await countRuns()).length, 0)
  const { body } = await service.call('GET', '/v1/devices/all/uplink')
  assert.equal(body.data[0].decoded_message, 'value: 3')
})

test('after a codec was fixed, its UNKNOWN frames are decoded again where somebody asks', async () => {
  const { send, read, fix, ask } = await addSender(faulty)
  const other = await addSender(faulty)
  await send('ee', 'ff', '01', 'ee')
  await other.send('ee')
  assert.equal((await ask()).status, 202)
  await runJob()
  assert.deepEqual(await read(), ['UNKNOWN', 'UNKNOWN', 1, 'UNKNOWN'])
  await fix()
  const { status, body } = await ask()
  assert.deepEqual([status, body.data.uplinks > 4], [202, true])
  await runJob()
  assert.deepEqual(await read(), [0xee, 0xff, 1, 0xee])
  assert.deepEqual(await other.read(), ['UNKNOWN'])
  assert.equal((await countRuns()).length, 0)
})

test('a command asks for it too', async () => {
  const { typeId, send, read, fix } = await addSender(faulty)
  await send(...Array(100).fill('ee'))
  await fix()
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY: 'x'.repeat(32) }
  const { output } = await runCommand(['decode-again', String(typeId)], settings)
  assert.match(output, /^The service looks through \d+ stored uplinks of organization 1\.$/m)
  await runJob()
  assert.ok((await read()).every((value) => value === 0xee))
  const { errors } = await runCommand(['decode-again', '99'], settings)
  assert.match(errors, /No organization has a device type 99\./)
})

test('the run of a type that is gone ends', async () => {
  const { typeId } = await addSender(faulty)
  await db.query('insert into decoding_runs values (1, $1, 1)', [typeId + 1])
  await runJob()
  assert.equal((await countRuns()).length, 0)
})
