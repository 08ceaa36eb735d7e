import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addLocalDevice, euiOf } from './fleet.ts'
import { runJob } from './jobs.ts'
import { startTestService } from './service.ts'

const service = await startTestService({ after })
await addLocalDevice(service, 1)
const rows = [{ device_id: euiOf(1), device_name: 'Tür' }]
const job = await runJob(service, { kind: 'rename', rows })

/** Every export as CSV beyond the contract. */
const paths = [
  '/v1/fleet/devices/export',
  '/v1/fleet/uplinks/export',
  '/v1/fleet/activity/export',
  `/v1/jobs/${job.id}/rows/csv`,
]

test('a spreadsheet gets its byte order mark, and nobody else does', async () => {
  for (const path of paths) {
    const plain = await service.call('GET', path)
    const marked = await service.call('GET', `${path}?bom=1`)
    assert.equal(marked.status, 200, path)
    assert.ok(!plain.text.startsWith('\ufeff'), path)
    // Records of the activity are chained meanwhile.
    assert.ok(marked.text.startsWith(`\ufeff${plain.text}`), path)
    assert.equal((await service.call('GET', `${path}?bom=yes`)).status, 422, path)
  }
  const ours = await service.call('POST', '/v1/devices/all/uplink?bom=1')
  assert.match(ours.text, /^DeviceId, data, /)
})
