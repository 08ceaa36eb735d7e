import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('an organization below gets limits, and is deleted by its name', async (t) => {
  const console = await startConsole(t)
  const owner = {
    email: 'bo@harbour.example.test',
    password: 'four words make sense',
    first_name: 'Bo',
    last_name: 'Summer',
  }
  await console.call('POST', '/organizations', { name: 'Harbour', owner })
  const page = await console.enter('/settings/organization', { expects: /status of 422/ })
  await page.getByText('0 of 100,000').waitFor()
  await checkAccessibility(page)

  await page.getByRole('button', { name: 'Limits of Harbour' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Devices').fill('50')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('0 of 50').waitFor()

  await page.getByRole('button', { name: 'Delete Harbour' }).click()
  await dialog.getByLabel('Type Harbour to confirm').fill('Harbor')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('The name is not that of the organization.').waitFor()
  await checkAccessibility(page)
  await dialog.getByLabel('Type Harbour to confirm').fill('Harbour')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('table', { name: 'Deletions' }).getByText('Harbour').waitFor()
  const { body } = await console.call('GET', '/organizations')
  assert.ok(body.data.every((one: { is_being_deleted: boolean }) => one.is_being_deleted))
})
