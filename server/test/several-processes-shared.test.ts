import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Process, prepareProcesses, rateLimit } from './several-processes.ts'
import type { Tenant } from './traffic.ts'
import { until } from './until.ts'

test('what is counted or ended at one process is so at all of them', {
  timeout: 120_000,
}, async (t) => {
  const { processes, tenants } = await prepareProcesses(t, 4)
  await Promise.all(processes.slice(1).map((each) => each.start()))
  const [first] = tenants
  assert.ok(first)
  await checkCounts(processes, first)
  await processes[0]?.kill()
  await checkEnds(processes, tenants)
})

/** The requests to one process soon count in the others. */
async function checkCounts(processes: Process[], { headers }: Tenant): Promise<void> {
  const [one, ...others] = processes
  const readLeft = async (each: Process | undefined) => {
    const answer = await fetch(`${each?.address}/v1/device-regions-networks`, { headers })
    await answer.text()
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  const requests = 30
  for (let request = 0; request < requests; request += 1) await readLeft(one)
  for (const other of others) {
    await until(
      async () => rateLimit - (await readLeft(other)) > requests,
      'requests count for all',
    )
  }
}

/** A logout and a removed account at one process end the token and the callback at all. */
async function checkEnds(processes: Process[], [first, second]: Tenant[]): Promise<void> {
  const alive = processes.filter(({ isAlive }) => isAlive)
  const [one] = alive
  assert.ok(first && second && one && alive.length > 1)
  const statusOf = (url: string, headers: Record<string, string>, method = 'GET') =>
    fetch(url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
    )
  const path = new URL(second.callback.url).pathname
  const json = { 'content-type': 'application/json' }
  const secret = { [second.callback.header]: second.callback.value, ...json }
  const isOver = async (each: Process) =>
    (await statusOf(`${each.address}${path}?event=up`, secret, 'POST')) === 401
  for (const each of alive) assert.equal(await isOver(each), false)
  const account = `${one.address}/v1/network-accounts/chirpstack`
  assert.equal(await statusOf(account, second.headers, 'DELETE'), 204)
  for (const each of alive) await until(() => isOver(each), 'the callback has ended', 1000)

  const profile = '/v1/device-regions-networks'
  for (const each of alive) {
    assert.equal(await statusOf(each.address + profile, first.headers), 200)
  }
  await statusOf(`${one.address}/v1/logout`, first.headers)
  for (const each of alive) {
    assert.equal(await statusOf(each.address + profile, first.headers), 401)
  }
}
