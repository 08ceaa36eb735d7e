import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type BrokerRules, startBroker } from './broker.ts'
import { connect, startChirpStack } from './network.ts'
import { startTestService, type TestService } from './service.ts'

export const accountPath = '/v1/network-accounts/chirpstack'

/** The login of the service at the broker. */
export const login = { mqtt_username: 'fleet', mqtt_password: 'hush hush' }

/** Starts a service that follows brokers, a ChirpStack, and a broker with its own logins. */
export async function startFollowing(t: TestContext, { followsBrokers = true } = {}) {
  const lines: string[] = []
  const service = await startTestService(t, {
    followsBrokers,
    takeLine: (line) => void lines.push(line),
  })
  const simulator = await startChirpStack(t)
  const rules: BrokerRules = { logins: { [login.mqtt_username]: login.mqtt_password } }
  const setting = await startBroker(t, rules)
  const put = (changes: Record<string, unknown> = {}) =>
    connect(service, simulator, { mqtt_url: setting.source.url, ...login, ...changes })
  const publish = (fCnt: number, options: { body?: unknown } = {}) =>
    setting.publish(fCnt, { ...options, application: simulator.applicationId })
  return { service, simulator, setting, rules, put, publish, lines }
}

export async function readMessage(service: TestService): Promise<string> {
  const { data } = (await service.call('GET', accountPath)).body
  assert.equal(data.status, 'connected', data.message)
  return data.message
}
