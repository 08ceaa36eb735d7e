import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { commitBounds } from '../src/uplinks/store/batch-timing.ts'
import { createTestDatabase } from './database.ts'
import { skipWithout } from './installed.ts'
import { findFreePort } from './port.ts'
import { makeInstallation } from './process.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const token = 'an-invented-token'

/** If Prometheus is installed, as by Debian's package, it is the judge itself. */
const noJudge = skipWithout('promtool')

async function judge(words: readonly string[], input = ''): Promise<void> {
  if (noJudge) return
  const child = spawn('promtool', words, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  assert.equal(child.exitCode, 0, said.join(''))
}

test('METRICS_PORT has the numbers of each process, and all that rules and dashboard read', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const port = await findFreePort()
  const { start } = await makeInstallation(t)
  const server = start({
    ...{ DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32), WORKERS: '2' },
    ...{ METRICS_PORT: String(port), METRICS_TOKEN: token },
  })
  await server.waitFor('"msg":"serving"')
  const read = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  assert.equal((await read('/metrics')).status, 401)
  assert.equal((await read('/livez')).status, 404)
  const answer = await read('/metrics', { authorization: `Bearer ${token}` })
  assert.equal(answer.status, 200)
  const metrics = await answer.text()
  for (const name of ['server-1', 'server-2', 'background']) {
    assert.match(metrics, new RegExp(`^lora_ingest_waiting_messages{process="${name}"} 0$`, 'm'))
  }
  assert.match(
    metrics,
    /^lora_database_connections_used\{process="background",pool="ingest"\} \d+$/m,
  )
  assert.match(metrics, /^lora_organizations 1$/m)
  assert.match(metrics, /^lora_ingest_oldest_message_seconds\{process="server-1"\} 0$/m)
  const buckets = [...metrics.matchAll(/^lora_ingest_commit_seconds_bucket\{(.*)\} 0$/gm)]
  assert.equal(buckets.length, 3 * (commitBounds.length + 1))
  assert.equal(buckets[commitBounds.length]?.[1], 'process="server-1",le="+Inf"')
  await judge(['check', 'metrics'], metrics)

  const rules = join(deploy, 'prometheus/rules.yaml')
  await judge(['check', 'rules', rules])
  const there = new Set([...metrics.matchAll(/^(?:# TYPE )?(lora_\w+)/gm)].map(([, name]) => name))
  for (const path of [rules, join(deploy, 'grafana/dashboard.json')]) {
    const named = (await readFile(path, 'utf8')).match(/\blora_\w+/g) ?? []
    assert.ok(named.length > 10)
    assert.deepEqual(
      named.filter((name) => !there.has(name)),
      [],
      path,
    )
  }
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
  if (noJudge) t.skip(noJudge)
})
