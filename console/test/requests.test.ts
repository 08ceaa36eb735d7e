import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 30 })

test('the list of devices opens with few requests, and asks nothing twice', async (t) => {
  const page = await console.enter('/')
  t.after(() => page.close())
  await settle(page)
  // The stream may say that everything has changed, and then lists are read again.
  await page.route('**/v1/events', (route) => route.abort())
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().replace(console.url, '')))
  await page.goto(`${console.url}/devices`)
  await page.getByRole('table', { name: 'Devices' }).getByRole('link').first().waitFor()
  await settle(page)
  const calls = asked.filter((path) => path.startsWith('/v1/') && path !== '/v1/events')
  const twice = calls.filter((path, index) => calls.indexOf(path) !== index)
  assert.deepEqual(twice, [], calls.join('\n'))
  const all = new Set(asked)
  assert.ok(all.size <= 25, `${all.size} requests:\n${[...all].join('\n')}`)
})
