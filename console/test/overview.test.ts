import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleOf } from '../src/charts/hour-scale.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('the overview begins with what needs attention, and an alert is acknowledged there', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 3 })
  const rule = {
    ...{ name: 'Too warm', kind: 'threshold', settings: { key: 'temperature', above: -50 } },
    recipients: [],
  }
  const created = await console.call('POST', '/alert-rules', rule)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  await console.call('POST', '/alert-rules', { name: 'Opened', kind: 'tamper', recipients: [] })
  // The first uplink of a sensor is that of its reset.
  for (const eui of ['00AA000000000002', '00AA000000000002']) {
    await console.simulators[0]?.simulator.sendUplink(eui)
  }
  await console.simulators[0]?.simulator.sendUplink('00AA000000000001', '100200')
  const page = await console.enter('/')
  const panel = page.getByRole('region', { name: 'Needs attention' })
  await panel
    .getByText(/temperature .* °C, limit -50.* °C/i)
    .first()
    .waitFor()
  assert.match((await panel.getByRole('listitem').first().textContent()) ?? '', /Critical/)
  // The alert says what the number of tampered devices would.
  await panel.getByText('The case is open').waitFor()
  assert.equal(await panel.getByText('1 device tampered with').count(), 0)
  const readings = page.getByRole('region', { name: 'Readings' })
  await readings
    .getByRole('listitem')
    .filter({ hasText: 'Cold store air 1' })
    .getByText(/^\d+\.\d °C · \d+ %$/)
    .waitFor()
  await checkAccessibility(page)
  await panel.getByRole('button', { name: /^Acknowledge.*Cold store air 1$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('The window is open.')
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await dialog.waitFor({ state: 'detached' })
  await panel.getByText(/limit -50/).waitFor({ state: 'detached' })
  const { body } = await console.call('GET', '/alerts')
  assert.equal(body.unacknowledged, 1)
})

test('what needs attention names the devices that fell silent last', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  await console.simulators[0]?.simulator.sendUplink('00AA000000000001')
  await console.db.query(
    `update device_states set last_seen = now() - interval '3 days', seen_period = 0
     where last_seen is not null`,
  )
  const page = await console.enter('/')
  const panel = page.getByRole('region', { name: 'Needs attention' })
  const item = panel.getByRole('listitem').filter({ hasText: '1 device silent' })
  await item.getByText('3d ago').waitFor()
  await item.getByRole('link', { name: 'Front door 1' }).click()
  await page.getByRole('heading', { name: 'Front door 1' }).waitFor()
})

test('one busy hour does not flatten the others', () => {
  const usual = Array.from({ length: 167 }, (_, hour) => 40 + (hour % 24))
  assert.deepEqual(scaleOf(usual), { top: 64, isCut: false })
  const { top, isCut } = scaleOf([...usual, 6553])
  assert.ok(isCut)
  assert.ok(top > 64 && top < 130, String(top))
  assert.deepEqual(scaleOf([]), { top: 2, isCut: false })
  assert.deepEqual(scaleOf([0, 0, 5]), { top: 6, isCut: false })
})
