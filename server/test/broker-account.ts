import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type BrokerRules, startBroker } from './broker.ts'
import { toAccount } from './connections/chirpstack.ts'
import { startSimulator } from './network.ts'
import { startTestService, type TestService } from './service.ts'

export const accountPath = '/v1/network-accounts/chirpstack'

/** The user that the service is at the broker. */
export const login = { mqtt_username: 'fleet', mqtt_password: 'hush hush' }

/** A service that follows brokers, a ChirpStack, and a broker with logins of its own. */
export async function startFollowing(t: TestContext, { followsBrokers = true } = {}) {
  const lines: string[] = []
  const service = await startTestService(t, {
    followsBrokers,
    takeLine: (line) => void lines.push(line),
  })
  const simulator = await startSimulator(t)
  const rules: BrokerRules = { logins: { [login.mqtt_username]: login.mqtt_password } }
  const setting = await startBroker(t, rules)
  const put = async (changes: Record<string, unknown> = {}) => {
    const broker = { mqtt_url: setting.source.url, ...login }
    const body = { ...toAccount(simulator), ...broker, ...changes }
    const answer = await service.call('PUT', accountPath, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const publish = (fCnt: number, options: { body?: unknown } = {}) =>
    setting.publish(fCnt, { ...options, application: simulator.applicationId })
  return { service, simulator, setting, rules, put, publish, lines }
}

export async function readMessage(service: TestService): Promise<string> {
  const { data } = (await service.call('GET', accountPath)).body
  assert.equal(data.status, 'connected', data.message)
  return data.message
}

/** Waits for so many milliseconds at most; gives how long it took. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  most: number,
): Promise<number> {
  const start = performance.now()
  while (!(await isTrue())) {
    assert.ok(performance.now() - start < most, `it did not happen within ${most} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - start
}
