import type { Page } from 'playwright-core'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'

/** Types the values of these fields of an account into its form. */
export async function fill(page: Page, account: SimulatedNetwork['account'], ...names: string[]) {
  for (const name of names) await page.locator(`input[name=${name}]`).fill(account[name] ?? '')
}

/** The name that is chosen. */
function choice(page: Page, label: string) {
  return page.getByRole('combobox', { name: label, exact: true })
}

/** Waits until a name is chosen by itself. */
export async function seeChoice(page: Page, label: string, name: string): Promise<void> {
  await choice(page, label).waitFor()
  await page.waitForFunction(
    ([label, name]) =>
      [...document.querySelectorAll<HTMLInputElement>('input[role=combobox], input')].some(
        (input) => input.labels?.[0]?.textContent?.startsWith(label ?? '') && input.value === name,
      ),
    [label, name],
  )
}

/** ChirpStack with the key of a tenant, which is typed; its application and profile are the only ones. */
export async function enterChirpStack(
  page: Page,
  account: SimulatedNetwork['account'],
): Promise<void> {
  await fill(page, account, 'server', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await fill(page, account, 'tenant_id')
  await page.keyboard.press('Tab')
  await seeChoice(page, 'Application', 'Simulated application')
  await seeChoice(page, 'Device profile', 'Simulated device profile')
}
