import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Aedes } from 'aedes'
import { account as awsLora } from '../simulators/aws_iot_core_lora/store.ts'
import { startSimulator } from '../simulators/index.ts'
import type { AccountValues, Network } from '../src/networks/network.ts'
import { type BrokerRules, countSessions, holdTo, startBroker } from './broker.ts'
import { type ContractBench, connect, listUplinks, nextEui, register } from './network-contract.ts'
import { startListening } from './service.ts'
import { startSignedBroker } from './signed-broker.ts'

/** Checks of networks with a broker: messages by subscription. */

type Context = { after(end: () => Promise<void>): unknown }

/** A broker with strict rules, its address for the account, and its address for the network. */
interface StrictBroker {
  broker: Aedes
  rules: BrokerRules
  url: string
  networkUrl: string
}

const secondsToEnd = 20

export async function checkSubscription(context: Context, network: Network): Promise<void> {
  const access: AccountValues = {}
  const isAws = network.key.startsWith('aws')
  const strict = isAws ? await startAwsBroker(context, access) : await startMosquitto(context)
  const { rules, broker } = strict
  const simulator = await startSimulator(network.key, { brokerUrl: strict.networkUrl })
  context.after(() => simulator.close())
  Object.assign(access, simulator.account)
  const service = await startListening(context, { followsBrokers: true })
  const { capabilities: can, readBroker } = network
  const accountPath = `/v1/network-accounts/${network.key}`
  const bench: ContractBench = { service, simulator, network, can, accountPath }
  const changes = { mqtt_url: strict.url, ...fieldsOf[network.key] }
  const { username = '', password = '' } = readBroker?.({ ...simulator.account, ...changes }) ?? {}
  if (rules.logins) rules.logins[username] = password

  await checkRefusals(bench, rules, changes)
  const devEui = nextEui()
  await register(bench, devEui)
  await checkAnswer(bench, changes, devEui)
  assert.equal(await countSessions(broker), 1)

  const without = Object.keys(changes).map((name) => [name, ''])
  await connect(bench, Object.fromEntries(without))
  const deadline = performance.now() + secondsToEnd * 1_000
  while ((await countSessions(broker)) > 0) {
    assert.ok(performance.now() < deadline, 'the session is not ended at the broker')
    await sleep(20)
  }
}

const fieldsOf: Readonly<Record<string, Record<string, string>>> = {
  chirpstack: { mqtt_username: 'fleet', mqtt_password: 'hush hush' },
  aws_iot_core_lora: { mqtt_topic: awsLora.topic },
}

async function checkRefusals(
  bench: ContractBench,
  rules: BrokerRules,
  changes: Record<string, string>,
): Promise<void> {
  rules.isShut = true
  const shut = await connect(bench, changes)
  assert.equal(shut.status, 'connected', shut.message)
  assert.match(shut.message, /The MQTT broker refused the login/)
  rules.isShut = false
  rules.readable = ['elsewhere/']
  rules.foreignTopics = 'refused'
  const refused = await connect(bench, changes)
  assert.equal(refused.status, 'connected', refused.message)
  assert.match(refused.message, /The MQTT broker refused the subscription to /)
  delete rules.readable
}

/**
 * A message that the broker sends right after the answer is not lost. It has no other way to the
 * service.
 */
async function checkAnswer(
  bench: ContractBench,
  changes: Record<string, string>,
  devEui: string,
): Promise<void> {
  const { message } = await connect(bench, changes)
  assert.doesNotMatch(message, /broker/)
  bench.simulator.setCallback(undefined)
  await bench.simulator.sendUplink(devEui, '100301')
  const deadline = performance.now() + secondsToEnd * 1_000
  while ((await listUplinks(bench, devEui)).length === 0) {
    assert.ok(performance.now() < deadline, 'the uplink is lost')
    await sleep(20)
  }
}

const networkLogin = { name: 'network', password: 'another secret' }

/** A broker with a password file. The network has its own login, because the account only reads. */
async function startMosquitto(context: Context): Promise<StrictBroker> {
  const rules: BrokerRules = { logins: { [networkLogin.name]: networkLogin.password } }
  const { broker, source } = await startBroker(context, rules)
  const { host } = new URL(source.url)
  const networkUrl = `mqtt://${networkLogin.name}:${encodeURIComponent(networkLogin.password)}@${host}`
  return { broker, rules, url: source.url, networkUrl }
}

/** The signature in the address is the login. The network publishes through a separate port. */
async function startAwsBroker(context: Context, access: AccountValues): Promise<StrictBroker> {
  const rules: BrokerRules = {}
  const { broker, url } = await startSignedBroker(context, access)
  holdTo(broker, rules)
  const inside = createServer((socket) => void broker.handle(socket))
  await new Promise<void>((resolve) => void inside.listen(0, '127.0.0.1', resolve))
  context.after(async () => void inside.close())
  const address = inside.address()
  assert.ok(address && typeof address === 'object')
  return { broker, rules, url, networkUrl: `mqtt://127.0.0.1:${address.port}` }
}
