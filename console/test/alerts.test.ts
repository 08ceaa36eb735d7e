import assert from 'node:assert/strict'
import { test } from 'node:test'
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
