import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { networks, optionalNetworks } from '../src/networks/index.ts'
import { renderNetworkTable, replaceNetworkTable } from './write-network-table.ts'
import { renderSensorPage } from './write-sensor-table.ts'

const root = join(import.meta.dirname, '../..')

test('the guide says of each network what it can do', () => {
  const page = readFileSync(join(root, 'docs/networks/README.md'), 'utf8')
  const current = replaceNetworkTable(page, renderNetworkTable([...networks, ...optionalNetworks]))
  assert.equal(page, current, 'run "npm run networks" and commit docs/networks/README.md')
})

test('the guide has the table of the sensors that there are', () => {
  const page = readFileSync(join(root, 'docs/sensors.md'), 'utf8')
  assert.equal(page, renderSensorPage(page), 'run "npm run sensors" and commit docs/sensors.md')
})

test('every network has its page', () => {
  const keys = networks.map(({ key }) => key).filter((key) => key !== 'other')
  const missing = keys.filter((key) => !existsSync(join(root, `docs/networks/${key}.md`)))
  assert.deepEqual(missing, [])
})
