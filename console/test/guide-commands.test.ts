import assert from 'node:assert/strict'
import crypto, { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { parseDocument } from 'yaml'
import { startSimulator } from '../../server/simulators/index.ts'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'
import { optionalNetworks, switchOnNetworks } from '../../server/src/networks/index.ts'
import { settings } from '../../server/src/settings.ts'
import { findFreePort } from '../../server/test/port.ts'
import { commandsByPage, readBlocks } from './guide-blocks.ts'
import { runCommands } from './guide-shell.ts'
import { startConsole, type TestConsole } from './open-console.ts'

/*
 * Runs the commands of the guide as a reader does, page by page: each page in one bash, in an
 * organization of its own, against one service. What no test can run is named in guide-blocks.ts.
 */

const blocks = readBlocks()
const commands = commandsByPage(blocks)
const isNetwork = (page: string) => page.startsWith('docs/networks/')

const firstStart = 'docs/getting-started.md'
const theThingsStack = 'docs/networks/thethingsnetwork.md'

/** The output of the commands of a page, besides that of the commands of all networks. */
const prints: Readonly<Record<string, readonly RegExp[]>> = {
  [firstStart]: [/"status":"connected"/, /"event_type":"(RESET|DOOR_SENSOR)"/],
  'docs/api-keys.md': [
    /"key":"lfc_\d+_[\w-]{43}"/,
    /"networks":\["127\.0\.0\.0\/8","::1"\]/,
    /"former_key_until":"\d{4}-/,
    /Unauthenticated\./,
  ],
  'docs/telegraf.md': [
    /^uplink,device_id=00AA\w+,device_name=Front\\ door,event_type=\w+ .*decoded_object_\w+=.* \d{16}$/m,
  ],
  'docs/api.md': [/"after":"/, /^received_at,/m, /event: (ping|uplink)/, /"errors":\{/],
  'docs/codecs.md': [/"temperature":21\.5/, /"passed":true/, /device type \d+, /],
  'docs/coming-from-the-things-stack.md': [/"status":"connected"/],
  'docs/moving-in.md': [/00AA00000000000A/],
  'docs/moves.md': [/"state":"(preparing|waiting)"/],
  'docs/sensors.md': [/Door Opened/, /RBS301-DWS/, /Downlink queued/],
}

/** Requests that a page shows as refused: the status, and the end of the address. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'docs/api-keys.md': ['401 GET /v1/fleet/summary'],
  'docs/api.md': ['422 POST /v1/devices'],
}

/** Pages whose commands stand on those of other pages: on all of these, or on those that match. */
const begins: Readonly<Record<string, readonly (readonly [page: string, which?: RegExp])[]>> = {
  'docs/moving-in.md': [[firstStart]],
  'docs/api.md': [[firstStart]],
  'docs/sensors.md': [[firstStart]],
  'docs/troubleshooting.md': [[firstStart]],
  'docs/node-red.md': [[firstStart]],
  'docs/downlinks.md': [[firstStart]],
  'docs/lorawan.md': [[firstStart]],
  'docs/profiles.md': [[firstStart]],
  'docs/home-assistant.md': [[firstStart]],
  'docs/grafana.md': [[firstStart]],
  'docs/telegraf.md': [[firstStart]],
  'docs/coming-from-chirpstack.md': [[firstStart]],
  'docs/coming-from-the-radio-bridge-console.md': [[firstStart]],
  'docs/coming-from-the-things-stack.md': [[theThingsStack, /simulator|PUT/]],
  'docs/moves.md': [[firstStart], [theThingsStack, /PUT/]],
}

/** The files that a page takes for granted. */
const prepares: Readonly<Record<string, string>> = {
  'docs/moving-in.md': `
api $API/api-keys -d '{ "name": "Import", "permissions":
  ["manage_devices", "manage_groups", "manage_gateways", "manage_account"] }' | field data.key > console.key
printf simulated-9fdd3dfdb7664dadf3ecb1ebd5ef1d0a > chirpstack.key
printf 'dev_eui,name,app_key\n00AA00000000000A,Gate,%032d\n' 7 > devices.csv
printf 'gateway_eui,gateway_name\n00BB00000000000A,Mast\n' > gateways.csv
`,
}

/** Lines with which a reader has begun if a page does not say so. */
const tour = `field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
API=http://127.0.0.1:8080/v1
api() { curl -s -H "Authorization: Bearer $TOKEN" -H 'Organization: 1' \\
  -H 'Accept: application/json' -H 'Content-Type: application/json' "$@"; echo; }
`

test('the commands of the guide do what its pages say', { concurrency: 5 }, async (t) => {
  switchOnNetworks(optionalNetworks.map(({ key }) => key))
  const console = await startConsole(t)
  await Promise.all([...commands.keys()].map((page) => t.test(page, () => runPage(console, page))))
})

async function runPage(console: TestConsole, page: string): Promise<void> {
  const owner = await foundOrganization(console, `${page.replaceAll(/\W/g, '-')}@example.test`)
  const first = (begins[page] ?? []).flatMap(([page, which = /./]) =>
    (commands.get(page) ?? []).filter((block) => which.test(block)),
  )
  const all = [tour, ...first, prepares[page] ?? '', ...(commands.get(page) ?? [])]
  const port = await findFreePort()
  const { token, id, email } = owner
  const placed = all.map((block) =>
    block
      .replaceAll('http://127.0.0.1:8080', console.url)
      .replaceAll(/127\.0\.0\.1:8090/g, `127.0.0.1:${port}`)
      .replaceAll('--port 8090', `--port ${port}`)
      .replaceAll('Organization: 1', `Organization: ${id}`)
      .replaceAll('--organization 1', `--organization ${id}`)
      .replaceAll('Last-Event-ID: 1.', `Last-Event-ID: ${id}.`)
      .replaceAll('me@example.test', email)
      .replaceAll('a long enough password', password),
  )
  const simulator = await simulate(placed)
  const settings = { TOKEN: token, SERVICE: console.url, ORGANIZATION: String(id) }
  const isThere = simulator ? { IS_SIMULATED: 'yes' } : undefined
  const outcome = await runCommands(placed, { ...settings, ...isThere })
  await simulator?.close()
  const printed = outcome.outputs.join('')
  const said = `${printed.slice(-3000)}\n${outcome.errors.slice(-2000)}`
  const failed = outcome.failed === undefined ? undefined : placed[outcome.failed]
  assert.equal(failed, undefined, `${page}: this fails:\n${failed}\n${said}`)
  const refused = outcome.refused.map((line) => line.replace(console.url, ''))
  assert.deepEqual(refused, refusals[page] ?? [], said)
  const expected = isNetwork(page) ? networkPrints : (prints[page] ?? [])
  for (const pattern of expected) assert.match(printed, pattern, page)
}

/**
 * The simulator that a page starts, in this process: one of its own takes a second of CPU. Undefined
 * if the page gives it more than a port, and starts it itself.
 */
async function simulate(blocks: readonly string[]): Promise<SimulatedNetwork | undefined> {
  const command = /^npm run simulator -- (\w+) --port (\d+) --interval 5$/m
  const [, key, port] = blocks.map((block) => command.exec(block)).find((found) => found) ?? []
  if (key === undefined) return undefined
  const simulator = await startSimulator(key, { port: Number(port) })
  simulator.startTraffic(interval)
  return simulator
}

/** Milliseconds between two uplinks of a device. */
const interval = 300

/** A device is there, has sent, and has answered. */
const networkPrints = [
  // Two of them are entered before their far side is there.
  /"status":"(connected|unreachable)"/,
  /"device_register_status":"active"/,
  /"event_type":"/,
  /event_sent|event_acknowledged/,
]

const password = 'four words make sense'

/** An organization with an owner, who is logged in. */
async function foundOrganization({ call, url }: TestConsole, email: string) {
  const owner = { email, password, first_name: 'Bo', last_name: 'Owner' }
  const made = await call('POST', '/organizations', { name: email, owner })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await login.json()) as { token: string }
  return { email, token, id: made.body.data.id as number }
}

const codesIn = (language: string) =>
  blocks.filter((block) => block.language === language).map(({ page, code }) => ({ page, code }))

test('what the guide shows as JSON, YAML and settings can be read', () => {
  for (const { page, code } of codesIn('json')) {
    assert.doesNotThrow(() => JSON.parse(code), `${page}: ${code}`)
  }
  for (const { page, code } of codesIn('yaml')) {
    const { errors } = parseDocument(code)
    assert.deepEqual(errors, [], page)
  }
  const names = codesIn('ini').flatMap(({ code }) => [...code.matchAll(/^(\w+)=/gm)])
  assert.ok(names.length > 5)
  for (const [, name = ''] of names) {
    assert.ok(name.replace(/_FILE$/, '') in settings.shape, `no setting ${name}`)
  }
})

test('the flow of docs/node-red.md takes only what is signed', () => {
  const page = codesIn('json').find(({ page }) => page === 'docs/node-red.md')
  const flow: { type: string; func?: string }[] = JSON.parse(page?.code ?? '[]')
  const code = flow.find(({ type }) => type === 'function')?.func ?? ''
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
  const data = { device_id: '00AA000000000001', decoded_object: { state: 'open' } }
  const body = JSON.stringify({ type: 'uplink', timestamp: '2026-03-01T11:59:07.912004Z', data })
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const run = (age: number, sentBody: string) => {
    const timestamp = Math.floor(Date.now() / 1000) - age
    const mac = createHmac('sha256', key).update(`7.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': '7',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,AAAA v1,${mac}`,
    }
    const msg = { req: { headers }, payload: JSON.parse(sentBody) }
    const env = { get: () => secret }
    return runInNewContext(`(function () { ${code} })()`, { msg, env, crypto, Buffer })
  }
  const [answer, event] = run(0, body)
  assert.equal(answer.statusCode, 204)
  assert.deepEqual({ ...event }, { topic: 'uplink', payload: data })
  assert.deepEqual(run(0, body.replace('open', 'closed'))[1], null)
  assert.deepEqual(run(301, body)[1], null)
})
