import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { addDevice, euiOf } from './fleet.ts'
import { download, type Generator, generators } from './generators.ts'
import { isThere } from './programs-there.ts'
import { ownerEmail, ownerPassword, startListening } from './service.ts'

/** `npm run generators` runs this file: it downloads generators, so `npm test` does not. */

const programs = join(import.meta.dirname, '../../clients/generated')
const scratch = await mkdtemp(join(tmpdir(), 'lora-generators-'))
after(() => rm(scratch, { recursive: true, force: true }))
const service = await startListening({ after }, { apiRateLimit: 0 })
const { port } = service.app.addresses()[0] as { port: number }
const url = `http://127.0.0.1:${port}`
const callback = await connectChirpStack(service)
await addDevice(service, 1)
for (const fCnt of [1, 2]) {
  const answer = await post(service, callback, makeUp({ eui: euiOf(1), fCnt }))
  assert.equal(answer.status, 200)
}
const served = join(scratch, 'openapi.json')
await writeFile(served, await (await fetch(`${url}/openapi.json`)).text())
// Once, before several use it.
if (isThere('mvn')) await promisify(execFile)(download[0], download.slice(1), { cwd: scratch })

describe('clients', { concurrency: 2 }, () => {
  for (const [index, generator] of generators.entries()) {
    const missing = generator.needs.filter((program) => !isThere(program))
    const skip = missing.length > 0 && `it needs ${missing.join(', ')}`
    test(generator.name, { skip, timeout: 600_000 }, () => tryClient(generator, euiOf(100 + index)))
  }
})

async function tryClient({ name, make, run }: Generator, newEui: string): Promise<void> {
  const cwd = join(scratch, name)
  await cp(join(programs, name), cwd, { recursive: true }).catch(() => undefined)
  const env = {
    ...process.env,
    PATH: `${join(cwd, 'venv/bin')}:${process.env.PATH}`,
    LORA_URL: `${url}/v1`,
    LORA_EMAIL: ownerEmail,
    LORA_PASSWORD: ownerPassword,
    LORA_EUI: euiOf(1),
    LORA_NEW_EUI: newEui,
  }
  const start = ([command, ...words]: readonly string[]) =>
    promisify(execFile)(command ?? '', words, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  for (const step of make(served)) await start(step)
  if (!run) return
  const { stdout } = await start(run)
  // Maven warns of threads that end late.
  const line = stdout.split('\n').find((each) => each.startsWith('{'))
  const { devices, ...found } = JSON.parse(line ?? '{}')
  assert.deepEqual(found, { registered: newEui, uplinks: 2, lines: 2 })
  assert.ok(devices >= 2)
  await rm(cwd, { recursive: true, force: true })
}
