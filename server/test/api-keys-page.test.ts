import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { addLocalDevice, euiOf } from './fleet.ts'
import { startListening } from './service.ts'

const run = promisify(execFile)

test('the commands of docs/api-keys.md do what the page says', async (t) => {
  const service = await startListening(t)
  await addLocalDevice(service, 1)
  const page = await readFile(new URL('../../docs/api-keys.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code)
  const address = `${service.services.publicUrl}/v1`
  const script = blocks.join('echo @\n').replaceAll('http://127.0.0.1:8080/v1', address)
  const folder = await mkdtemp(join(tmpdir(), 'api-keys-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { PATH = '' } = process.env
  const env = { PATH, TOKEN: service.owner.token }
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env })
  const [made = '', used = '', changed = '', rotated = '', revoked = ''] = stdout.split('@\n')
  assert.match(made, /"key":"lfc_1_[\w-]{43}"/)
  assert.ok(used.includes(euiOf(1)))
  assert.match(await readFile(join(folder, 'uplinks.csv'), 'utf8'), /^received_at,/)
  assert.match(changed, /"networks":\["127\.0\.0\.0\/8","::1"\]/)
  assert.match(rotated, /"former_key_until":"\d{4}-/)
  for (const answer of [changed, rotated]) assert.ok(answer.includes('"devices"'), answer)
  assert.ok(revoked.includes('Unauthenticated.'))
})
