import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestService } from '../../../../test/service.ts'

/*
 * All models of a copy of github.com/chirpstack/chirpstack-device-profiles, which DEVICE_PROFILES names, become
 * device types whose test cases come out. The other tests have made-up entries of each shape.
 */

const folder = process.env.DEVICE_PROFILES

test('all models of the device profiles become types, and their test cases come out', {
  skip: folder === undefined && 'DEVICE_PROFILES names no copy of the device profiles',
}, async () => {
  const service = await startTestService({ after }, { catalogueDir: folder ?? '' })
  const { call } = service
  const sources = (await call('GET', '/v1/device-catalogue/sources')).body.data
  assert.deepEqual(sources[1].problems, [])
  const list = await call('GET', '/v1/device-catalogue?source=folder&limit=200')
  const { data, total } = list.body
  assert.ok(total > 100)
  assert.equal(data.length, total)
  const failed: string[] = []
  let [types, examples] = [0, 0]
  for (const model of data) {
    if (!model.has_codec) continue
    const made = await call('POST', `/v1/device-catalogue/${model.id}/types`, { body: {} })
    assert.equal(made.status, 201, `${model.id}: ${made.text}`)
    types += 1
    for (const result of made.body.data.example_results) {
      examples += 1
      if (!result.passed)
        failed.push(
          `${model.id}: ${result.description} ${result.error ?? JSON.stringify(result.differences).slice(0, 200)}`,
        )
    }
  }
  const counts = `${total} models, ${types} types, ${examples - failed.length} of ${examples} test cases`
  assert.deepEqual(failed, [], counts)
})
