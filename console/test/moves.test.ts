import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const networks = ['chirpstack', 'thethingsnetwork']
const console = await startConsole({ after }, { networks, devices: 2 })

async function deviceAt(network: string): Promise<string> {
  const { body } = await console.call('GET', '/fleet/devices?limit=10')
  const found = body.data.find(
    (device: { network: { key: string } }) => device.network.key === network,
  )
  assert.ok(found, `no device is at ${network}`)
  return found.device_id
}

test('the frequency plan that a network needs is marked, and its fault is said once', async () => {
  const eui = await deviceAt('chirpstack')
  const page = await console.enter(`/devices/${eui}?tab=settings`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to another network' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'New network' }).click()
  await page.getByRole('option', { name: 'The Things Stack' }).click()
  await dialog.getByText('Frequency plan *').waitFor()
  await dialog.getByRole('button', { name: 'Move the device' }).click()
  await dialog.getByText('The frequency plan field is required.').waitFor()
  assert.equal(await dialog.getByText('The frequency plan field is required.').count(), 1)
  assert.equal(await dialog.getByText('Please check the input').count(), 0)
  await page.close()
})

test('a device is moved from its page, and its first uplink completes the move', async () => {
  const eui = await deviceAt('chirpstack')
  const page = await console.enter(`/devices/${eui}?tab=settings`)
  const card = page.getByRole('region', { name: 'Move to another network' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to another network' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'New network' }).click()
  await page.getByRole('option', { name: 'The Things Stack' }).click()
  await dialog.getByRole('combobox', { name: 'Frequency plan' }).click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Move the device' }).click()
  await card.getByText('Waiting for its first uplink through the new network').first().waitFor()
  const stack = console.simulators.find(({ network }) => network.key === 'thethingsnetwork')
  await stack?.simulator.sendUplink(eui)
  await card.getByText('Moved').first().waitFor()
  await page.close()
})

test('a move is cancelled where it is shown', async () => {
  const eui = await deviceAt('thethingsnetwork')
  const body = { network: 10, registerMethod: 'user_account' }
  const { status } = await console.call('POST', `/devices/${eui}/move`, body)
  assert.equal(status, 200)
  const page = await console.enter(`/devices/${eui}?tab=settings`)
  await page.getByRole('button', { name: 'Cancel the move' }).click()
  await page.getByText('Put back: cancelled').first().waitFor()
  await page.close()
})
