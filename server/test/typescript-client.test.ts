import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { createClient as CreateClient } from '../../clients/typescript/src/client.ts'
import type * as Errors from '../../clients/typescript/src/errors.ts'
import rootPackage from '../../package.json' with { type: 'json' }
import { makeKey } from './api-keys.ts'
import { addLocalDevice, euiOf } from './fleet.ts'
import { startTestService } from './service.ts'

/** The package as it is built, against the service. */

const root = join(import.meta.dirname, '../..')
const source = join(root, 'clients/typescript')
const scratch = await mkdtemp(join(tmpdir(), 'lora-client-'))
after(() => rm(scratch, { recursive: true }))
const installed = join(scratch, 'node_modules/lora-fleet-client')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

function run(...words: string[]) {
  const env = { ...process.env, LORA_URL: url, LORA_KEY: key.text }
  return promisify(execFile)(process.execPath, words, { cwd: scratch, env })
}

const service = await startTestService({ after })
await service.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = service.app.addresses()[0] as { port: number }
const url = `http://127.0.0.1:${port}`
const key = await makeKey(service, { permissions: ['manage_devices', 'manage_groups'] })
for (let number = 1; number <= 5; number += 1) await addLocalDevice(service, number)

await run(join(root, 'console/scripts/write-client.ts'))
await run(compiler, '-p', source, '--outDir', join(installed, 'dist'))
await cp(join(source, 'package.json'), join(installed, 'package.json'))
const { createClient, ...errors } = (await import(
  pathToFileURL(join(installed, 'dist/index.js')).href
)) as { createClient: typeof CreateClient } & typeof Errors
const fleet = createClient({ url, key: key.text })

test('has the version of the service, and no dependencies', async () => {
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  assert.equal(manifest.version, rootPackage.version)
  assert.equal(manifest.dependencies, undefined)
})

test('calls operations by name, with a key or with a token and its organization', async () => {
  const { data } = await fleet.getFleetSummary()
  assert.equal(data.devices.total, 5)
  const { token, organizationId } = service.owner
  const byToken = createClient({
    url: `${url}/`,
    key: async () => token,
    organization: organizationId,
  })
  const { data: device } = await byToken.getFleetDevice({ device_id: euiOf(1) })
  assert.equal(device.device_name, 'Device 1')
  await fleet.updateDevice({ device_id: device.id, body: { device_name: 'Front door' } })
  const [found] = (await fleet.listFleetDevices({ search: 'Front' })).data
  assert.equal(found?.id, device.id)
  assert.match(await fleet.exportFleetDevices({}), /Front door/)
})

test('reads lists of every kind to their end', async () => {
  const names = async (records: AsyncIterable<{ device_name?: string }>) =>
    (await Array.fromAsync(records, ({ device_name: name }) => name)).sort()
  const expected = await names(fleet.records('listFleetDevices', { limit: 1000 }))
  assert.equal(expected.length, 5)
  // A cursor, numbered pages, and pages that only say whether more follow.
  assert.deepEqual(await names(fleet.records('listFleetDevices', { limit: 2 })), expected)
  const numbered = await Array.fromAsync(fleet.pages('listDevices', { itemsPerPage: 2 }))
  assert.deepEqual(
    numbered.map(({ data }) => data.length),
    [2, 2, 1],
  )
  const lite = { version: 'lite', itemsPerPage: 2 } as const
  const short = await Array.fromAsync(fleet.pages('listDevices', lite))
  assert.deepEqual(
    short.map(({ data }) => data.length),
    [2, 2, 1],
  )
})

test('throws an error of its own kind for each failure', async () => {
  const stranger = createClient({ url, key: 'lfc_unknown' })
  await assert.rejects(stranger.getFleetSummary(), errors.UnauthenticatedError)
  await assert.rejects(fleet.getJob({ job_id: 4711 }), errors.NotFoundError)
  await assert.rejects(fleet.listApiKeys(), errors.ForbiddenError)
  const wrong = fleet.createGroup({ body: { groupName: '' } })
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof errors.ValidationError)
    assert.deepEqual(Object.keys(error.errors), ['groupName'])
    assert.match(error.requestId ?? '', /./)
    return error.status === 422
  })
  await assert.rejects(fleet.getFleetDevice({ device_id: '' }), /device_id is missing/)
  const nowhere = createClient({ url: 'http://127.0.0.1:1', key: key.text, retries: 0 })
  await assert.rejects(nowhere.getFleetSummary(), errors.ConnectionError)
})

/** Stands between client and service; `disturb` says what becomes of a request. */
type Disturbance = 'pass' | 'lose answer' | 'busy' | 'hang' | 'later'
const seen: { method: string; idempotencyKey: unknown }[] = []
let disturb: (count: number) => Disturbance = () => 'pass'
const between = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request))
  const { method = '', headers } = request
  seen.push({ method, idempotencyKey: headers['idempotency-key'] })
  const fate = disturb(seen.length)
  if (fate === 'hang') return
  if (fate === 'busy' || fate === 'later') {
    const [status, seconds] = fate === 'busy' ? [503, '0'] : [429, '3600']
    response.writeHead(status, { 'retry-after': seconds }).end()
    return
  }
  const { statusCode, payload } = await service.app.inject({
    ...{ method: method as 'GET', url: request.url ?? '/', payload: body },
    headers: headers as Record<string, string>,
  })
  if (fate === 'lose answer') request.socket.destroy()
  else response.writeHead(statusCode, { 'content-type': 'application/json' }).end(payload)
})
await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
after(() => between.close().closeAllConnections())
const disturbed = createClient({
  url: `http://127.0.0.1:${(between.address() as { port: number }).port}`,
  key: key.text,
  longestPause: 5,
})

test('sends again what is safe, and nothing else', async () => {
  const begin = (fate: typeof disturb) => {
    seen.length = 0
    disturb = fate
  }
  begin((count) => (count === 1 ? 'busy' : count === 2 ? 'lose answer' : 'pass'))
  const before = (await fleet.listGroups()).data.length
  await disturbed.createGroup({ body: { groupName: 'Once' } })
  assert.equal((await fleet.listGroups()).data.length, before + 1)
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
  assert.match(String(seen[0]?.idempotencyKey), /^[0-9a-f]{32}$/)
  await disturbed.createGroup({ body: { groupName: 'Other' } })
  assert.notEqual(seen[3]?.idempotencyKey, seen[0]?.idempotencyKey)

  begin((count) => (count < 4 ? 'lose answer' : 'pass'))
  assert.equal((await disturbed.getFleetSummary()).data.devices.total, 5)
  begin(() => 'busy')
  const change = { device_id: euiOf(2), body: { device_name: 'Gate' } }
  await assert.rejects(disturbed.updateDevice(change), errors.ServerError)
  assert.equal(seen.length, 1)
  begin(() => 'busy')
  await assert.rejects(disturbed.getFleetSummary(), errors.ServerError)
  assert.equal(seen.length, 4)
  begin(() => 'later')
  await assert.rejects(disturbed.getFleetSummary(), errors.TooManyRequestsError)
  assert.equal(seen.length, 1)
})

test('ends a call at its time or at its signal', async () => {
  disturb = () => 'hang'
  const patience = { timeout: 50, retries: 0 }
  await assert.rejects(disturbed.getFleetSummary({}, patience), errors.TimeoutError)
  const signal = AbortSignal.timeout(50)
  await assert.rejects(disturbed.getFleetSummary({}, { signal }), { name: 'TimeoutError' })
})

test('the examples of the README are typed and work', async () => {
  const readme = await readFile(join(source, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  assert.ok(blocks.length > 3)
  const files = blocks.map((_, index) => `example-${index}.mts`)
  for (const [index, block] of blocks.entries()) {
    await writeFile(join(scratch, files[index] ?? ''), block)
  }
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', ...types]
  await run(compiler, ...options, ...files)
  const outputs = []
  for (const file of files) outputs.push((await run('--no-warnings', file)).stdout)
  assert.match(outputs[0] ?? '', /^5 devices, \d silent\nBarn\n$/)
  assert.match(outputs[1] ?? '', /Front door[\s\S]*2 devices\n2 devices\n1 devices/)
  assert.match(outputs[2] ?? '', /required[\s\S]*no such device/)
  assert.equal(outputs[3], 'true\n')
})
