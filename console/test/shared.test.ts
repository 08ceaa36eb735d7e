import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth } from './open-page.ts'

const console = await startConsole({ after })
const { call, enter, open, url } = console

const hostile = '<img src=x onerror=alert(1)> & Co'
const device = { deviceName: hostile, deviceId: '00AA0000000000C0', deviceType: 112 }
const key = { deviceKey: '000102030405060708090A0B0C0D0E0F' }
const registration = { network: 10, registerMethod: 'user_account', action: 'confirm' }
await call('POST', '/devices', { ...registration, consoleOnly: true, ...device, ...key })

const group = await call('POST', '/device-groups', {
  groupName: hostile,
  selectedGroup: null,
  selectedDevices: [],
})
const plan = await call('POST', '/floor-plans', {
  name: `Plan ${hostile}`,
  group_id: group.body.data.id,
  image: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>',
  ).toString('base64'),
})
await call('PUT', `/floor-plans/${plan.body.data.id}/devices/${device.deviceId}`, {
  x: 0.5,
  y: 0.5,
})

const source = { quantity: 'air.temperature' }
const text = `# ${hostile}\n\n[link](javascript:alert(1)) **bold** <script>alert(1)</script>`
const types = ['value', 'tiles', 'chart', 'bars', 'gauge', 'ranking', 'heatmap']
const widgets = [
  { type: 'counts', x: 0, y: 0, w: 12, h: 2 },
  { type: 'text', x: 0, y: 2, w: 6, h: 4, title: hostile, options: { text } },
  { type: 'table', x: 6, y: 2, w: 6, h: 4 },
  ...types.map((type, at) => ({
    ...{ type, x: (at % 3) * 4, y: 6 + 5 * Math.floor(at / 3), w: 4, h: 5, source },
  })),
  ...['states', 'alerts', 'battery', 'map'].map((type, at) => ({
    ...{ type, x: (at % 2) * 6, y: 21 + 4 * Math.floor(at / 2), w: 6, h: 4 },
  })),
  { type: 'plan', x: 0, y: 29, w: 6, h: 4, source: { plan: plan.body.data.id } },
]

async function make(body: object): Promise<string> {
  const answer = await call('POST', '/dashboards', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

const dashboard = await make({ name: hostile, widgets })

async function share(body: object): Promise<{ path: string; id: number }> {
  const answer = await call('POST', `/dashboards/${dashboard}/links`, { name: 'Hall', ...body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { url: address, id } = answer.body.data
  return { path: new URL(address).pathname, id }
}

test('a link is made, asks for its password, shows every widget without a login, and is revoked', async () => {
  const page = await enter(`/dashboards/${dashboard}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No links yet').waitFor()
  await dialog.getByRole('button', { name: 'New link' }).click()
  await dialog.getByLabel('Name').fill('Screen in the hall')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('seven cold rooms')
  await dialog.getByLabel('Sites that may show it').fill('nonsense')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await dialog.getByText('The hosts must be a list').waitFor()
  await dialog.getByLabel('Sites that may show it').fill('https://www.example.com')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const address = await dialog.getByLabel('Address').inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('With a password').waitFor()

  for (const width of [1280, 390]) {
    const screen = await open(new URL(address).pathname, { width, height: 900 })
    screen.on('dialog', () => assert.fail('a script ran'))
    await screen.getByRole('textbox', { name: 'Password of the link' }).fill('wrong guess')
    await screen.getByRole('button', { name: 'Show' }).click()
    await screen.getByText('The password is wrong.').waitFor()
    await screen.getByRole('textbox', { name: 'Password of the link' }).fill('seven cold rooms')
    await screen.getByRole('button', { name: 'Show' }).click()
    await screen.getByRole('heading', { name: hostile, level: 1 }).waitFor()
    await screen.getByRole('table', { name: 'Latest readings' }).getByText(hostile).waitFor()
    await screen.locator('strong', { hasText: 'bold' }).waitFor()
    await screen
      .getByRole('status', { name: /^Loading/ })
      .first()
      .waitFor({ state: 'detached' })
    await screen.getByRole('img', { name: `Plan ${hostile}` }).waitFor()
    assert.equal(await screen.locator('section img').count(), 1)
    assert.equal(await screen.locator('section :is(script, a)').count(), 0)
    await checkWidth(screen, `shared dashboard at ${width}`)
    await checkAccessibility(screen)
    // The next time, it is not asked for again.
    await screen.reload()
    await screen.getByRole('heading', { name: hostile, level: 1 }).waitFor()
    if (width === 390) {
      await dialog.getByText('in frames of https://www.example.com').waitFor()
      await dialog.getByRole('button', { name: 'Revoke Screen in the hall' }).click()
      await dialog.getByText('This cannot be undone').waitFor()
      await checkAccessibility(page)
      await dialog.getByRole('button', { name: 'Revoke link' }).click()
      await dialog.getByText('No links yet').waitFor()
      await screen.reload()
      await screen.getByText('It has ended, or was mistyped').waitFor()
      await checkAccessibility(screen)
    }
    await screen.close()
  }
  await page.close()
})

test('a wall shows its dashboards in turn, is dark at night, and takes what changes', async () => {
  const second = await make({ name: 'Second', widgets: [] })
  const { path } = await share({ more_dashboards: [second], rotate_seconds: 60 })
  const screen = await open('/login')
  await screen.clock.install({ time: new Date('2026-03-01T22:00:00') })
  await screen.goto(`${url}${path}`)
  const heading = (name: string) => screen.getByRole('heading', { name, level: 1 })
  await heading(hostile).waitFor()
  const scheme = () => screen.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  assert.equal(await scheme(), 'light')
  await screen.getByRole('button', { name: 'Wall mode' }).click()
  await screen.locator('main[data-wall]').waitFor()
  assert.equal(await scheme(), 'dark')
  assert.match(screen.url(), /\?wall=yes$/)
  await screen.clock.runFor(61_000)
  await heading('Second').waitFor()
  await call('PATCH', `/dashboards/${second}`, { name: 'Renamed' })
  await screen.clock.runFor(16_000)
  await heading('Renamed').waitFor()
  await screen.clock.runFor(61_000)
  await heading(hostile).waitFor()
  await screen.keyboard.press('Escape')
  await screen.getByRole('button', { name: 'Wall mode' }).waitFor()
  await screen.close()
})

test('without a full screen, a click ends a wall', async () => {
  const { path } = await share({})
  const screen = await open('/login')
  await screen.addInitScript(() => {
    Object.defineProperty(Element.prototype, 'requestFullscreen', { value: undefined })
  })
  await screen.goto(`${url}${path}`)
  await screen.getByRole('button', { name: 'Wall mode' }).click()
  await screen.locator('main[data-wall]').waitFor()
  await screen.getByRole('heading', { level: 1 }).click()
  await screen.getByRole('button', { name: 'Wall mode' }).waitFor()
  assert.ok(!screen.url().includes('wall'))
  await screen.close()
})

test('the page may be framed by the sites that the link names, and by no other', async () => {
  const { path } = await share({ hosts: ['https://www.example.com', 'https://*.b.test:8443'] })
  const policyOf = async (of: string) => {
    const answer = await fetch(url + of, { headers: { accept: 'text/html' } })
    return answer.headers.get('content-security-policy')?.split('; ').at(-1)
  }
  const hosts = 'https://www.example.com https://*.b.test:8443'
  assert.equal(await policyOf(path), `frame-ancestors ${hosts}`)
  assert.equal(await policyOf(`${path}/?wall=yes`), `frame-ancestors ${hosts}`)
  for (const other of ['/', '/shared/x', `/shared/x${path}`, `/login?${path}`]) {
    assert.equal(await policyOf(other), "frame-ancestors 'none'", other)
  }
})
