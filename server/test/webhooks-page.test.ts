import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { skipWithout } from './installed.ts'
import { findFreePort } from './port.ts'
import { until } from './until.ts'
import { startWebhookTest, type WebhookTest } from './webhooks.ts'

/** The receivers of docs/webhooks.md: the language of the block, its file, and what runs it. */
const receivers = [
  ['js', 'receiver.mjs', process.execPath],
  ['python', 'receiver.py', 'python3'],
] as const

for (const [language, file, program] of receivers) {
  const skip = program !== process.execPath && skipWithout(program)
  test(`the receiver of docs/webhooks.md in ${language} takes only what is signed`, {
    skip,
  }, async (t) => {
    // Receivers compare the time with their own clock.
    const service = await startWebhookTest(t, new Date())
    const port = await findFreePort()
    const { id, secret } = await service.create({ url: `http://127.0.0.1:${port}/` })
    const path = await writeBlock(t, language, file)
    await startReceiver(t, { program, path, port, secret })
    const first = await pressTest(service, id)
    assert.deepEqual([first.delivered, first.status], [true, 204])
    await service.uplink(1)
    await service.send()
    assert.equal((await service.show(id)).health.waiting, 0)
    const url = `/v1/webhooks/${id}/rotate`
    await service.call('POST', url, { body: {} })
    assert.equal((await pressTest(service, id)).status, 204, 'both signatures are sent')
    await service.call('POST', url, { body: { overlap_hours: 0 } })
    assert.equal((await pressTest(service, id)).status, 401)
  })
}

async function pressTest(service: WebhookTest, id: number) {
  return (await service.call('POST', `/v1/webhooks/${id}/test`)).body.data
}

async function writeBlock(t: TestContext, language: string, file: string): Promise<string> {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
  assert.ok(code, `docs/webhooks.md has a receiver in ${language}`)
  const folder = await mkdtemp(join(tmpdir(), 'webhook-receiver-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, file)
  await writeFile(path, code)
  return path
}

/** Resolves when it listens. */
async function startReceiver(
  t: TestContext,
  { program, path, port, secret }: Record<'program' | 'path' | 'secret', string> & { port: number },
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(program, [path], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'spawn')
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(
      () => undefined,
    )
    return answer?.status === 401
  }, 'the receiver listens')
}
