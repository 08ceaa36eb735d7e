/** Logs in, lists devices, registers one, reads uplinks and exports them: requests of the collection. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve('collections/bruno')
const { LORA_URL, LORA_EMAIL, LORA_PASSWORD, LORA_EUI, LORA_NEW_EUI } = process.env

function change(file, replace) {
  writeFileSync(join(folder, file), replace(readFileSync(join(folder, file), 'utf8')))
}
change('Devices/registerDevice.bru', (text) =>
  text
    .replace('"00AA000000000001"', `"${LORA_NEW_EUI}",\n    "consoleOnly": true`)
    .replace('"validate"', '"confirm"'),
)
change('Uplinks/listDeviceUplinks.bru', (text) =>
  text.replace('device_id: 00AA000000000001', `device_id: ${LORA_EUI}`),
)

const files = [
  'Authentication/logIn.bru',
  'Devices/registerDevice.bru',
  'Devices/listDevices.bru',
  'Uplinks/listDeviceUplinks.bru',
  'Fleet/exportFleetUplinksNdjson.bru',
]
const settings = {
  server: LORA_URL.replace(/\/v1$/, ''),
  email: LORA_EMAIL,
  password: LORA_PASSWORD,
}
const report = resolve('report.json')
const values = Object.entries(settings).flatMap(([key, value]) => ['--env-var', `${key}=${value}`])
const bru = resolve('node_modules/.bin/bru')
const words = ['run', ...files, '--env', 'local', ...values, '--bail', '--reporter-json', report]
execFileSync(bru, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

const [{ results }] = JSON.parse(readFileSync(report, 'utf8'))
const answer = (name) => results.find((each) => each.test.filename.includes(name)).response.data
const lines = answer('exportFleetUplinksNdjson')
console.log(
  JSON.stringify({
    registered: answer('registerDevice').device.device_id,
    devices: answer('listDevices').data.length,
    uplinks: answer('listDeviceUplinks').data.length,
    lines: lines.trim().split('\n').length,
  }),
)
