/** Logs in, lists devices, registers one, reads uplinks and exports them: requests of the collection. */
import { readFileSync } from 'node:fs'
import newman from 'newman'

const collection = JSON.parse(readFileSync('collections/postman.json', 'utf8'))
const { LORA_URL, LORA_EMAIL, LORA_PASSWORD, LORA_EUI, LORA_NEW_EUI } = process.env
const all = collection.item.flatMap(({ item }) => item)
const take = (name) => all.find((each) => each.name === name)

const register = take('registerDevice')
const confirm = register.response.find(({ name }) => name === 'confirm').originalRequest
const body = { ...JSON.parse(confirm.body.raw), deviceId: LORA_NEW_EUI, consoleOnly: true }
register.request.body.raw = JSON.stringify(body)
take('listDeviceUplinks').request.url.variable[0].value = LORA_EUI

const names = [
  'logIn',
  'registerDevice',
  'listDevices',
  'listDeviceUplinks',
  'exportFleetUplinksNdjson',
]
const variables = {
  server: LORA_URL.replace(/\/v1$/, ''),
  email: LORA_EMAIL,
  password: LORA_PASSWORD,
}
newman.run(
  {
    collection: { ...collection, item: names.map(take) },
    envVar: Object.entries(variables).map(([key, value]) => ({ key, value })),
    bail: true,
  },
  (error, { run }) => {
    const failed = error ?? run.failures[0]?.error
    if (failed) throw failed
    const texts = run.executions.map(({ response }) => response.stream.toString())
    const [, registered, listed, uplinks] = texts.slice(0, 4).map((text) => JSON.parse(text))
    console.log(
      JSON.stringify({
        registered: registered.device.device_id,
        devices: listed.data.length,
        uplinks: uplinks.data.length,
        lines: texts[4].trim().split('\n').length,
      }),
    )
  },
)
