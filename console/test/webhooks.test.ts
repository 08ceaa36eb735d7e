import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBroker } from '../../server/test/broker.ts'
import { assertSigned, startReceiver } from '../../server/test/webhook-receiver.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('a webhook is made, tested, paused, given a new secret and deleted', async (t) => {
  const console = await startConsole(t)
  const receiver = await startReceiver(t)
  const page = await console.enter('/settings/webhooks')
  await page.getByText('No webhook yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Building control')
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByLabel('Joins').check()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const secret = await dialog.getByLabel('Secret').inputValue()
  assert.match(secret, /^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Building control' }).click()
  await page.getByRole('heading', { level: 1, name: 'Building control' }).waitFor()

  receiver.answer((response) => response.end('thank you'))
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('The receiver took it').waitFor()
  await page.getByText('thank you').first().waitFor()
  assert.ok(receiver.received[0])
  assertSigned(receiver.received[0], secret)
  await page.getByRole('table', { name: 'Attempts' }).getByText('test').waitFor()
  await checkAccessibility(page)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Make another secret' }).click()
  const next = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  assert.notEqual(next, secret)
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhook yet').waitFor()
})

test('a webhook publishes at a broker, by the topics of its form', async (t) => {
  const console = await startConsole(t)
  const { broker, source } = await startBroker(t)
  const topics: string[] = []
  broker.on('publish', ({ topic }, client) => {
    if (client) topics.push(topic)
  })
  const page = await console.enter('/settings/webhooks', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Building broker')
  await dialog.getByText('To an MQTT broker').click()
  await dialog.getByLabel('Address').fill(source.url)
  await dialog.getByLabel('Topic').fill('a//b')
  await dialog.getByLabel('Own certificates').check()
  await dialog.getByLabel('CA certificate').waitFor()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The topic may not have empty levels.').waitFor()
  await dialog.getByLabel('Topic').fill('site/{event}')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Building broker' }).click()
  await page.getByText('site/{event}').waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText(/Acknowledged after/).waitFor()
  assert.deepEqual(topics, ['site/test'])

  await page.getByRole('button', { name: 'Change' }).click()
  assert.equal(await dialog.getByLabel('Topic').inputValue(), 'site/{event}')
  await dialog.getByLabel('Retain').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The webhook is changed.').waitFor()
})

test('an address that may not be called is refused at its field', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/webhooks', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Metadata')
  await dialog.getByLabel('Address').fill('http://169.254.169.254/latest')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/may not be called/).waitFor()
})
