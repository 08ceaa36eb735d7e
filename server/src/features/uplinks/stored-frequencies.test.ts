import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  connectChirpStack,
  makeUp,
  post,
  registerDevice,
} from '../../../test/chirpstack-uplinks.ts'
import { startTestService } from '../../../test/service.ts'
import { migrationsDirectory } from '../../db/migrate.ts'

test('uplinks that were stored with a frequency beyond its range are mended', async (t) => {
  const service = await startTestService(t)
  const { db } = service.services
  const callback = await connectChirpStack(service)
  await registerDevice(service)
  for (let count = 0; count < 3; count += 1) await post(service, callback, makeUp())
  await db.query('alter table uplinks drop constraint uplinks_frequency_check')
  await db.query('update uplinks set frequency = 100000000000000000 where ordinal = 2')
  const file = '0018-frequencies-in-range.sql'
  const statements = readFileSync(join(migrationsDirectory, file), 'utf8').split(';\n')
  for (const statement of statements.filter((text) => text.trim() !== '')) {
    await db.query(statement)
  }
  const { status, body } = await service.call('GET', '/v1/devices/all/uplink')
  assert.equal(status, 200)
  const frequencies = body.data.map(
    (uplink: { additional_data: { frequency: number | null } }) => uplink.additional_data.frequency,
  )
  assert.deepEqual(frequencies, [867_100_000, null, 867_100_000])
  await assert.rejects(db.query('update uplinks set frequency = 4294967296'), /check constraint/)
})
