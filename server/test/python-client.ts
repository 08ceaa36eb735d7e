import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import rootPackage from '../../package.json' with { type: 'json' }
import { makeKey } from './api-keys.ts'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from './fleet.ts'
import { memberPassword } from './members.ts'
import { isThere } from './programs-there.ts'
import { protectedMember } from './second-factor.ts'
import { ownerEmail, ownerPassword, startListening } from './service.ts'

/**
 * The Python package as it is built, in a virtual environment of its own, against the service.
 * `npm run generators` runs this file: it downloads from PyPI, so `npm test` does not.
 */

const root = join(import.meta.dirname, '../..')
const source = join(root, 'clients/python')
const skip = !isThere('python3') && 'it needs python3'
/** What the tests need besides the package: pandas is its extra. */
const tools = ['mypy==2.3.0', 'pandas-stubs']

describe('lora-fleet-client (Python)', { skip }, () => {
  test('is built, typed, and works in a new environment', { timeout: 600_000 }, async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'lora-python-'))
    after(() => rm(scratch, { recursive: true, force: true }))
    const run = (command: string, words: string[], env: Record<string, string> = {}) =>
      promisify(execFile)(command, words, { cwd: scratch, env: { ...process.env, ...env } })
    const python = join(scratch, 'venv/bin/python')
    const [wheel, known] = await Promise.all([
      buildWheel(),
      startFleet(),
      run('python3', ['-m', 'venv', join(scratch, 'venv')]),
    ])
    const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check']
    await run(python, [...pip, `${wheel}[pandas]`, ...tools])
    const examples = await writeExamples(scratch)
    const program = join(source, 'tests/use_client.py')
    const options = ['--strict', '--cache-dir', join(scratch, 'mypy')]
    await run(python, ['-m', 'mypy', ...options, '-p', 'lora_fleet_client'])
    await run(python, ['-m', 'mypy', ...options, program, ...examples])
    const { stdout } = await run(python, [program], known)
    assert.equal(stdout, 'all done\n')
    const outputs: string[] = []
    for (const file of examples) outputs.push((await run(python, [file], known)).stdout)
    assert.match(outputs[0] ?? '', /^5 devices, \d silent\nBarn\n$/)
    assert.match(outputs.join(''), /no such device/)
  })
})

/** Builds wheel and sdist by the one command, and returns the wheel. */
async function buildWheel(): Promise<string> {
  const dist = join(source, 'dist')
  await promisify(execFile)('npm', ['run', '--silent', 'package:python'], { cwd: root })
  const files = await readdir(dist)
  const { version } = rootPackage
  assert.deepEqual(files.sort(), [
    `lora_fleet_client-${version}-py3-none-any.whl`,
    `lora_fleet_client-${version}.tar.gz`,
  ])
  return join(dist, files[0] ?? '')
}

/** A service with five devices, of which the first one has measured twice; as environment. */
async function startFleet(): Promise<Record<string, string>> {
  const service = await startListening({ after }, { apiRateLimit: 0 })
  const { port } = service.app.addresses()[0] as { port: number }
  const callback = await connectChirpStack(service)
  const thermometer = 112
  for (let number = 1; number <= 5; number += 1)
    await addLocalDevice(service, number, { deviceType: thermometer })
  const time = service.services.now()
  for (const [fCnt, hex] of [
    [1, '100d0515503d80'],
    [2, '100d0517003d80'],
  ] as const) {
    const up = makeUp({ eui: euiOf(1), fCnt, hex, time: time.toISOString() })
    assert.equal((await post(service, callback, up)).status, 200)
  }
  const { member, recoveryCodes } = await protectedMember(service)
  const key = await makeKey(service, { permissions: ['manage_devices', 'manage_groups'] })
  return {
    LORA_URL: `http://127.0.0.1:${port}`,
    LORA_KEY: key.text,
    LORA_EUI: euiOf(1),
    LORA_EMAIL: ownerEmail,
    LORA_PASSWORD: ownerPassword,
    LORA_TIME: time.toISOString().replace('Z', '+00:00'),
    LORA_CAREFUL: member.email,
    LORA_CAREFUL_PASSWORD: memberPassword,
    LORA_RECOVERY: recoveryCodes[0] ?? '',
  }
}

/** The examples of the README, each as a file. */
async function writeExamples(folder: string): Promise<string[]> {
  const readme = await readFile(join(source, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  )
  assert.ok(blocks.length > 4)
  return Promise.all(
    blocks.map(async (block, index) => {
      const file = join(folder, `example_${index}.py`)
      await writeFile(file, block)
      return file
    }),
  )
}
