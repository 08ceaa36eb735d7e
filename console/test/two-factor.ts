import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { ownerPassword } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

/**
 * Turns two-factor on in the open console, as a person with an app does; returns what is kept. The
 * code of now is still unused.
 */
export async function setUpTwoFactor(page: Page, url: string) {
  await page.goto(`${url}/settings/two-factor`)
  await page.getByLabel('Current password').fill(ownerPassword)
  await page.getByRole('button', { name: 'Next' }).click()
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '')
  const image = page.getByRole('img', { name: /^QR code/ })
  await image.waitFor()
  assert.ok(await image.evaluate((each) => (each as HTMLImageElement).naturalWidth > 0))
  await page.getByLabel('Code that the app shows now').fill('000000')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('The one time password is wrong').waitFor()
  await page.getByLabel('Code that the app shows now').fill(spaced(await formerCode(secret)))
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('checkbox', { name: 'I have kept the recovery codes' }).waitFor()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).locator('code').all()
  const recoveryCodes = await Promise.all(codes.map((code) => code.innerText()))
  assert.equal(recoveryCodes.length, 10)
  await checkAccessibility(page)
  await checkPrint(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  assert.equal((await download).suggestedFilename(), 'recovery-codes.txt')
  await page.getByRole('checkbox', { name: 'I have kept the recovery codes' }).check()
  await page.getByRole('button', { name: 'Turn two-factor on' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  return { secret, recoveryCodes }
}

/** Paper shows the codes and nothing else. */
async function checkPrint(page: Page) {
  await page.emulateMedia({ media: 'print' })
  const isSeen = (name: string) =>
    page
      .getByText(name, { exact: true })
      .first()
      .evaluate((each) => {
        return getComputedStyle(each).visibility === 'visible'
      })
  assert.equal(await isSeen('Download'), false)
  assert.equal(await page.locator('[data-printed] code').first().isVisible(), true)
  await page.emulateMedia({ media: 'screen' })
}

/** As an app shows it: "123 456". */
export function spaced(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`
}

/**
 * The code of the half minute before this one, which is valid too. A code works once, so a test that
 * gives this one first need not wait for the next.
 */
async function formerCode(secret: string): Promise<string> {
  const period = 30_000
  const rest = period - (Date.now() % period)
  // It must still be valid when it arrives.
  if (rest < 3000) await sleep(rest)
  return generateSync({ secret, epoch: Math.floor((Date.now() - period) / 1000) })
}
