import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  findNetwork,
  findNetworkById,
  networks,
  optionalNetworks,
  switchOnNetworks,
} from './index.ts'

// shows 1.3.3, 1.3.4, 10.2.1-6, 10.2.8-12
test('lists nine networks, the LoRaWAN side of AWS, and other', () => {
  assert.deepEqual(
    networks.map(({ key, alias, id }) => [key, alias, id]),
    [
      ['machineq', 'network_key_1', 2],
      ['senet', 'network_key_2', 4],
      ['thethingsnetwork', 'network_key_3', 5],
      ['loriot', 'network_key_4', 6],
      ['aws_iot_core', 'network_key_5', 3],
      ['aws_iot_core_lora', 'network_key_5_lora', undefined],
      ['kerlink', 'network_key_6', 7],
      ['actility', 'network_key_7', 8],
      ['everynet', 'network_key_8', 9],
      ['chirpstack', 'network_key_9', 10],
      ['other', undefined, undefined],
    ],
  )
})

test('finds a network by key, alias, alias in angle brackets, and id', () => {
  for (const network of networks) {
    assert.equal(findNetwork(network.key), network)
    const { key, alias = key } = network
    assert.equal(findNetwork(alias), network)
    assert.equal(findNetwork(`<${alias}>`), network)
    if (network.id !== undefined) assert.equal(findNetworkById(network.id), network)
  }
})

test('finds nothing by an unknown name or id', () => {
  for (const name of ['', 'lora', 'network_key_10', '<chirpstack>', 'constructor']) {
    assert.equal(findNetwork(name), undefined)
  }
  assert.equal(findNetworkById(1), undefined)
})

test('loads no client library at start-up', () => {
  // A process of its own: other tests of this one may have loaded them already.
  const script = `
    import { Module } from 'node:module'
    await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
    const loaded = Object.keys(Module._cache).filter((file) => file.includes('node_modules'))
    process.stdout.write(String(loaded.length))
  `
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  assert.equal(result.stdout.toString(), '0', result.stderr.toString())
})

test('the guide says what each network takes of LoRaWAN', async () => {
  const guide = await readFile(new URL('../../../docs/lorawan.md', import.meta.url), 'utf8')
  const row =
    /^\| \[.*\]\(networks\/(\w+)\.md\) \| (yes|no)\b.* \| (yes|no)\b.* \| (yes|no)\b.* \|/gm
  const told = [...guide.matchAll(row)].map(([, ...cells]) => cells.join(' '))
  const taken = [...networks, ...optionalNetworks].flatMap(({ key, capabilities }) => {
    const { radio } = capabilities
    const has = (word: '1.1' | 'abp' | 'class_c') => (radio?.includes(word) ? 'yes' : 'no')
    return radio ? [[key, has('1.1'), has('abp'), has('class_c')].join(' ')] : []
  })
  assert.ok(taken.length > 4)
  assert.deepEqual(told.sort(), taken.sort())
})

// Last: it changes the registry of this process.
test('has a network beyond the contract only after it was switched on, and then once', () => {
  const [optional] = optionalNetworks
  assert.ok(optional)
  const { key, id } = optional
  assert.ok(!networks.includes(optional) && findNetwork(key) === undefined)
  assert.deepEqual(switchOnNetworks([key, 'nowhere', key]), ['nowhere'])
  assert.equal(networks.filter((network) => network === optional).length, 1)
  assert.ok(id !== undefined && findNetworkById(id) === optional && findNetwork(key) === optional)
})
