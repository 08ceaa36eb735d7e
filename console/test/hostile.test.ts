import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownerEmail, ownerPassword, startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility, checkWidth, settle } from './open-page.ts'
import { pages } from './pages.ts'

/** What would run, close a tag, fill a template, hide text or widen a page, if it were not text. */
const hostile = [
  `<img src=x onerror="window.harmed='image'">`,
  `"><script>window.harmed='script'</script>`,
  `javascript:window.harmed='link'//`,
  `{{constructor.constructor("window.harmed='template'")()}}`,
  `\u202eевсервер\u202c ‮ﷺ`,
  `${'Wide'.repeat(50)}`,
  `=HYPERLINK("http://elsewhere.example.test","click")`,
]

const codec = `function decodeUplink(input) {
  return {
    data: {
      eventDescription: "<img src=x onerror=\\"window.harmed='codec'\\">",
      "<script>window.harmed='key'</script>": "${'x'.repeat(300)}",
      __proto__: { harmed: 'prototype' },
    },
    warnings: ["<svg onload=\\"window.harmed='warning'\\">"],
  };
}`

test('hostile values are text on every page, and break none', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 1 })
  const further = await plantHostileValues(console)
  const page = await console.enter('/', { width: 360, height: 780 })
  for (const path of [...pages.map((known) => known.path), ...further]) {
    await t.test(path, async () => {
      await page.goto(console.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      await checkUnharmed(page)
    })
  }
})

test('hostile names are text on all settings pages, and widen no phone', async (t) => {
  const console = await startConsole(t)
  const [name = '', other = '', , template = '', , wide = ''] = hostile
  const names = [name, other, template, wide]
  await console.call('PATCH', '/organization', { name, address_line_1: wide })
  await console.call('PATCH', '/user', { first_name: other, last_name: wide })
  for (const [index, text] of names.entries()) {
    const email = `${'long'.repeat(10)}${index}@example.test`
    const person = { email, password: 'seven green lanterns', first_name: text, last_name: wide }
    assert.equal((await console.call('POST', '/organization/users', person)).status, 201)
    await console.call('POST', '/organization/users', { email: `guest${email}`, permissions: [] })
  }
  const owner = { email: ownerEmail }
  for (const text of names) await console.call('POST', '/organizations', { name: text, owner })
  const headers = { 'user-agent': name, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...owner, password: ownerPassword })
  await fetch(`${console.url}/v1/auth/login`, { method: 'POST', headers, body })
  const page = await console.enter('/settings', { width: 360, height: 780 })
  for (const path of ['', '/security', '/organization', '/members', '/invitations']) {
    await t.test(`/settings${path}`, async () => {
      await page.goto(`${console.url}/settings${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      await checkUnharmed(page)
      await checkAccessibility(page)
    })
  }
})

async function checkUnharmed(page: Page): Promise<void> {
  const harmed = await page.evaluate(() => (window as { harmed?: string }).harmed)
  assert.equal(harmed, undefined)
  assert.equal(await page.getByText('Something went wrong').count(), 0)
  await checkWidth(page, 'The page')
}

/** Fills everything that takes text from outside; returns addresses of what was made. */
async function plantHostileValues({ call, simulators }: TestConsole): Promise<string[]> {
  const [text = ''] = hostile
  const groups = hostile.map((groupName) => call('POST', '/device-groups', { groupName }))
  const group = (await Promise.all(groups)).find(({ status }) => status < 300)
  const type = await call('POST', '/device-types', {
    type_name: text,
    part_number: hostile[1],
    payload_format: 'ts013',
    codec,
  })
  const devices = hostile.map((deviceName, index) =>
    call('POST', '/devices', {
      network: 10,
      deviceName,
      deviceId: `00AA0000000001${index.toString(16).padStart(2, '0').toUpperCase()}`,
      deviceKey: '00112233445566778899AABBCCDDEEFF',
      deviceType: index === 0 && type.status < 300 ? type.body.data.id : 16,
      registerMethod: 'user_account',
      appRegion: 'EU868',
      action: 'confirm',
    }),
  )
  const made = await Promise.all(devices)
  assert.ok(made.some(({ status }) => status < 300))
  const notes = hostile.join('\n')
  await call('PATCH', '/devices/00AA000000000100', { deviceName: text, extra_notes: notes })
  const [far] = simulators
  for (const eui of far?.simulator.deviceEuis() ?? []) await far?.simulator.sendUplink(eui)
  far?.simulator.refuse(`${text} ${hostile[5]}`)
  await call('POST', '/devices', {
    network: 10,
    deviceName: 'Refused',
    deviceId: '00AA000000000200',
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    deviceType: 16,
    registerMethod: 'user_account',
    appRegion: 'EU868',
    action: 'confirm',
  })
  const gateway = await call('POST', '/gateways', {
    gatewayName: text,
    gatewayEui: '00AA0000000000F1',
    gatewayBridge: 'chirpstack',
    description: notes,
  })
  const gatewayPath = `/gateways/${gateway.body.gateway?.id}`
  await call('PATCH', `/fleet${gatewayPath}`, { position: { lat: 48, lng: 11 } })
  return [
    '/devices/00AA000000000100',
    '/devices/00AA000000000200',
    '/networks/chirpstack',
    gatewayPath,
    `${gatewayPath}?tab=place`,
    ...(group ? [`/groups/${group.body.id ?? group.body.data?.id}`] : []),
    ...(type.status < 300 ? [`/device-types/${type.body.data.id}`] : []),
    `/devices?search=${encodeURIComponent(text)}`,
    `/uplinks?search=${encodeURIComponent(text)}`,
  ]
}
