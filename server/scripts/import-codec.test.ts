import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { thermometer } from '../test/device-types.ts'
import { startTestService } from '../test/service.ts'

const service = await startTestService({ after })
const program = fileURLToPath(new URL('./import-codec.ts', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'import-'))
after(() => rm(folder, { recursive: true }))
await writeFile(join(folder, 'probe.js'), thermometer)
await writeFile(
  join(folder, 'probe-codec.yaml'),
  `uplinkDecoder:
  fileName: probe.js
  examples:
    - input: { fPort: 1, bytes: [0, 215] }
      output: { data: { temperature: 21.5, port: 1 } }
    - input: { fPort: 1, bytes: [0, 215] }
      output: { data: { temperature: 99, port: 1 } }
`,
)

async function run(...args: string[]): Promise<string> {
  const env = { ...process.env, API_TOKEN: service.owner.token }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env,
    timeout: 30_000,
  })
  return stdout
}

test('makes device types at a running service', async () => {
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const said = await run('--url', url, folder)
  assert.match(said, /device type \d+, PROBE - probe; 1 of 2 examples come out/)
  const { body } = await service.call('GET', '/v1/device-types')
  assert.equal(body.data[0].type_name, 'probe')
})

test('changes what an earlier run has made, and goes on after a missing file', async () => {
  const more = await mkdtemp(join(tmpdir(), 'import-more-'))
  after(() => rm(more, { recursive: true }))
  await writeFile(join(more, 'a-codec.yaml'), 'uplinkDecoder:\n  fileName: none.js\n')
  await writeFile(join(more, 'b-codec.yaml'), 'uplinkDecoder:\n  fileName: b.js\n')
  await writeFile(join(more, 'b.js'), thermometer)
  const { port } = service.app.server.address() as AddressInfo
  const again = async () => {
    const failed = await run('--url', `http://127.0.0.1:${port}`, more).catch((error) => error)
    assert.match(failed.stderr, /a-codec\.yaml: The file none\.js, which it names, is missing\.\n$/)
    return failed.stdout
  }
  assert.match(await again(), /b-codec\.yaml: device type \d+, B - b;/)
  assert.match(await again(), /b-codec\.yaml: changed device type \d+, B - b;/)
  const { body } = await service.call('GET', '/v1/device-types')
  const names = body.data.map(({ type_name }: { type_name: string }) => type_name)
  assert.deepEqual(names.sort(), ['b', 'probe'])
})

test('runs the examples of folders that are named', async () => {
  const told = await run('test', folder)
  assert.match(told, /\n {2}example 2: data.temperature is 21.5, published as 99\n/)
  assert.match(told, /\n1 of 2 examples of 1 codec come out\n$/)
})

test('checks examples without a service', async () => {
  assert.match(await run('--check', folder), /\n1 of 2 examples of 1 codec come out\n$/)
})
