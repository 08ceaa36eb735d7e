import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { startPushService } from '../../server/test/push-service.ts'
import { startReceiver } from '../../server/test/webhook-receiver.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('a rule is made, muted, told again and deleted', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/alerts')
  await page.getByText('No alert rules yet').waitFor()
  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByText('No alert rules yet').waitFor()
  await page.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Silent sensors')
  assert.equal(await dialog.getByLabel('Missed messages').inputValue(), '3')
  assert.equal(await dialog.getByLabel('At least', { exact: true }).inputValue(), '1')
  assert.equal(await dialog.getByLabel('Unit of: At least').inputValue(), 'hours')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('table', { name: 'Alert rules' }).getByText('Silent sensors').waitFor()
  await page.getByRole('button', { name: 'Mute Silent sensors' }).click()
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  await page.getByRole('table').getByText('Muted', { exact: true }).first().waitFor()
  await checkAccessibility(page)
  const { body } = await console.call('GET', '/alert-rules')
  assert.notEqual(body.data[0].muted_until, null)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No alert rules yet').waitFor()
})

test('the worst alert comes first; a member takes it, snoozes it and closes it', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  const rules = ['info', 'critical'].map((severity) => ({
    ...{ name: `A ${severity} rule`, kind: 'threshold', severity, recipients: [] },
    settings: { key: 'temperature', above: -50 },
  }))
  for (const body of rules)
    assert.equal((await console.call('POST', '/alert-rules', body)).status, 201)
  // The first uplink of a sensor is that of its reset.
  for (const eui of ['00AA000000000002', '00AA000000000002']) {
    await console.simulators[0]?.simulator.sendUplink(eui)
  }
  const page = await console.enter('/alerts')
  const rows = page.getByRole('table').getByRole('row')
  await rows.filter({ hasText: 'A info rule' }).waitFor()
  assert.match((await rows.nth(1).textContent()) ?? '', /Critical.*A critical rule/)
  await checkAccessibility(page)
  const more = rows.nth(1).getByRole('button', { name: /^More about/ })
  await more.click()
  await page.getByRole('menuitem', { name: 'Take it' }).click()
  await rows
    .nth(1)
    .getByText(/^Assigned to/)
    .waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  await rows.filter({ hasText: 'A critical rule' }).waitFor({ state: 'detached' })
  await page.getByText('Snoozed', { exact: true }).click()
  await rows.filter({ hasText: 'A critical rule' }).getByText('A critical rule').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Snoozed until').waitFor()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: /^More about/ }).click()
  await page.getByRole('menuitem', { name: 'Close' }).click()
  await dialog.getByText('Closed by').waitFor()
  const { body } = await console.call('GET', '/alerts?state=closed')
  assert.deepEqual(
    body.data.map(({ ended, rule_name }: Record<string, string>) => [ended, rule_name]),
    [['member', 'A critical rule']],
  )
})

test('a channel is made and tested, says what is missing and how its last message went', async (t) => {
  const receiver = await startReceiver(t)
  const console = await startConsole(t)
  const page = await console.enter('/alerts/channels', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My phone')
  await dialog.getByRole('combobox', { name: 'By' }).click()
  await page.getByRole('option', { name: 'ntfy' }).click()
  await dialog.getByLabel('Topic').fill('cold-store')
  await dialog.getByLabel('Server').fill('ftp://ntfy.example.com')
  await dialog.getByLabel('From').fill('07:00')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The address must begin with https://.').waitFor()
  await dialog.getByText('Set both from and to, or neither.').waitFor()
  await checkAccessibility(page)
  await dialog.getByLabel('Server').fill(new URL(receiver.url).origin)
  await dialog.getByLabel('From').fill('')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('table', { name: 'Alert channels' }).getByRole('row').nth(1)
  await row.getByText('Nothing sent yet').waitFor()
  await row.getByRole('button', { name: 'Test' }).click()
  await row.getByText('Works').waitFor()
  assert.equal(receiver.received[0]?.body.topic, 'cold-store')
  receiver.answer((response) => response.writeHead(403).end('forbidden'))
  await row.getByRole('button', { name: 'Test' }).click()
  await row.getByText('Failed').waitFor()
  await page.getByText('Answer 403: forbidden').first().waitFor()
  await checkAccessibility(page)
})

test('a browser is subscribed after a click, gets a test, and is removed', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/alerts/channels')
  const { public_key } = (await console.call('GET', '/push-subscriptions')).body
  const push = await startPushService(t, public_key)
  // A headless Chromium allows no messages, and its push service is not reached from here.
  await page.addInitScript((subscription) => {
    Object.defineProperty(Notification, 'permission', { value: 'default' })
    Notification.requestPermission = async () => 'granted'
    PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as never
  }, push.subscription)
  await page.reload()
  await page.getByRole('button', { name: 'Show alerts in this browser' }).click()
  const row = page.getByRole('table', { name: 'Alert channels' }).getByRole('row').nth(1)
  await row.getByRole('button', { name: 'Test' }).click()
  await row.getByText('Works').waitFor()
  const [pushed] = push.received
  assert.match(pushed?.message.title ?? '', /Test of My browsers$/)
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  assert.equal(scope, `${console.url}/`)
  await checkAccessibility(page)
  await page.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: /^Remove/ }).waitFor({ state: 'detached' })
})

test('the service worker shows what is pushed, and opens only the console', async () => {
  const handlers: Record<string, (event: object) => void> = {}
  const calls: unknown[] = []
  const scope = 'https://fleet.example.test/console/'
  const self = {
    registration: {
      scope,
      showNotification: async (...shown: unknown[]) => calls.push(shown),
    },
    clients: { matchAll: async () => [], openWindow: async (url: string) => calls.push(url) },
    addEventListener: (name: string, handler: (event: object) => void) => {
      handlers[name] = handler
    },
  }
  const source = await readFile(new URL('../public/service-worker.js', import.meta.url), 'utf8')
  runInNewContext(source, { self, URL })
  assert.deepEqual(Object.keys(handlers), ['push', 'notificationclick'])
  const fire = async (name: string, event: object) => {
    let done: Promise<unknown> | undefined
    handlers[name]?.({ ...event, waitUntil: (promise: Promise<unknown>) => (done = promise) })
    await done
  }
  const path = 'alerts?alert=1'
  await fire('push', { data: { json: () => ({ title: 'Too warm', body: 'Front door', path }) } })
  const [title, { body, data }] = calls[0] as [string, { body: string; data: object }]
  assert.deepEqual([title, body, { ...data }], ['Too warm', 'Front door', { path }])
  for (const place of [path, 'https://evil.example/', '/outside', '//evil.example']) {
    const notification = { close() {}, data: { path: place } }
    await fire('notificationclick', { notification })
  }
  assert.deepEqual(calls.slice(1), [`${scope}${path}`])
})

test('a rule with conditions is checked against the last week, made, and opened again', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  // The first uplink of a sensor is that of its reset.
  for (const eui of ['00AA000000000002', '00AA000000000002']) {
    await console.simulators[0]?.simulator.sendUplink(eui)
  }
  const page = await console.enter('/alerts/rules', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New rule' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Warm at night')
  await dialog.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'Conditions' }).click()
  const condition = (number: number) => dialog.getByRole('group', { name: `Condition ${number}` })
  await condition(1).getByLabel('Measurement').fill('temperature')
  await condition(1).getByRole('textbox', { name: 'Value' }).fill('-50')
  await dialog.getByRole('button', { name: 'Check against the last week' }).click()
  await dialog.getByText(/It would have fired 1 time on 1 device/).waitFor()
  await dialog.getByRole('figure', { name: /^Temperature: / }).waitFor()
  await dialog.getByRole('figure', { name: /^Alerts: / }).waitFor()
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await condition(2).getByLabel('Measurement').fill('air.relativeHumidity')
  await condition(2).getByRole('textbox', { name: 'Value' }).fill('wet')
  await dialog.getByRole('switch', { name: 'Only outside of these hours' }).check()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The value must be a number.').waitFor()
  await condition(2).getByRole('textbox', { name: 'Value' }).fill('90')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const words =
    'temperature is above -50 and air.relativeHumidity is above 90, outside of Mon Tue Wed Thu Fri 07:00 to 18:00'
  await page.getByRole('table', { name: 'Alert rules' }).getByText(words).waitFor()
  await page.getByRole('button', { name: 'Warm at night', exact: true }).first().click()
  await condition(2).getByRole('textbox', { name: 'Value' }).waitFor()
  const { settings } = (await console.call('GET', '/alert-rules')).body.data[0]
  const plain = { than: null, within_minutes: 60 }
  assert.deepEqual(settings, {
    match: 'all',
    conditions: [
      { measurement: 'temperature', quantity: null, is: 'above', value: -50, ...plain },
      { measurement: null, quantity: 'air.relativeHumidity', is: 'above', value: 90, ...plain },
    ],
    ...{ minutes: 0, times: null, times_minutes: 60, counts: 'beginnings' },
    outside: { days: [1, 2, 3, 4, 5], from: '07:00', to: '18:00' },
  })
})

test('a suggested rule is turned on; one that compares devices is made and opened again', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  const page = await console.enter('/', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'Turn on: Silent devices' }).click()
  await page.getByRole('button', { name: 'Done', exact: true }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'Make another rule' }).click()
  const rules = page.getByRole('table', { name: 'Alert rules' })
  await rules.getByText('Silent devices').first().waitFor()
  await page.getByRole('button', { name: 'Turn on: Low batteries' }).waitFor()
  await page.getByRole('button', { name: 'New rule' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Two rooms')
  await dialog.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'A difference from another device or a group' }).click()
  const condition = dialog.getByRole('group', { name: 'Condition 1' })
  await condition.getByRole('combobox', { name: 'Device' }).click()
  const list = page.getByRole('listbox', { name: 'Device' })
  const option = list.getByRole('option').first()
  const name = (await option.textContent()) ?? ''
  await option.click()
  await dialog.getByRole('switch', { name: 'Only when it happens often' }).check()
  await dialog.getByLabel('More often than').fill('4')
  await dialog.getByRole('button', { name: 'Add an action' }).click()
  await checkAccessibility(page)
  await dialog.getByLabel('Payload').fill('01 0')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The payload must be whole bytes').waitFor()
  await dialog.getByLabel('Payload').fill('01 00')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const words = 'temperature differs from another by more than 3, more than 4 times within 1 hour'
  await rules.getByText(words).waitFor()
  await page.getByRole('button', { name: 'Two rooms', exact: true }).first().click()
  const chosen = condition.getByRole('combobox', { name: 'Device' })
  await page.waitForFunction(([input, wanted]) => (input as HTMLInputElement).value === wanted, [
    await chosen.elementHandle(),
    name,
  ] as const)
})

test('a threshold has the unit of its measurement, and says what is missing', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/alerts/rules', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cold room')
  await dialog.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'Threshold' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Set above, below, or both.').waitFor()
  await dialog.getByLabel('Above').fill('8')
  assert.equal(await dialog.getByLabel('Above').inputValue(), '8 °C')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('table', { name: 'Alert rules' }).getByText('Cold room').waitFor()
})
