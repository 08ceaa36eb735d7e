import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../../server/test/mail-server.ts'
import { ownerEmail, startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth } from './open-page.ts'

test('a report is made, sent, changed and deleted', async (t) => {
  const mails = await startMailServer()
  t.after(() => mails.close())
  const { host, port } = mails.settings
  const console = await startConsole(t, {
    networks: ['chirpstack'],
    devices: 2,
    settings: { SMTP_URL: `smtp://${host}:${port}`, MAIL_FROM: mails.settings.from },
  })
  const page = await console.enter('/reports')
  await page.getByText('No reports yet').waitFor()
  await page.getByRole('button', { name: 'New report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cold rooms')
  await dialog.getByRole('combobox', { name: 'Of', exact: true }).click()
  await page.getByRole('option', { name: 'A device type' }).click()
  await dialog.getByRole('combobox', { name: 'Device type' }).fill('Temperature')
  await page
    .getByRole('option', { name: /Temperature/ })
    .first()
    .click()
  await dialog.getByRole('combobox', { name: 'What is measured' }).click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('combobox', { name: 'Mails to' }).click()
  await page.getByRole('option').first().click()
  // The list of members closes.
  await page.keyboard.press('Tab')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Report created.').waitFor()
  await page.getByRole('button', { name: 'Send now' }).click()
  const [mail] = await mails.waitFor(1)
  assert.deepEqual(mail?.to, [ownerEmail])
  await page.getByText('Sent', { exact: true }).waitFor()
  await checkAccessibility(page)
  await checkWidth(page, 'reports')

  await page.getByRole('button', { name: 'Cold rooms' }).click()
  await dialog.getByLabel('Name').fill('Rooms')
  await dialog.getByText('Every month').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Rooms Every month/ }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No reports yet').waitFor()
})
