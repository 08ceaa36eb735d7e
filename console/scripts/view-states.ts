import type { Page, Route } from 'playwright-core'

/** A page with its data, while they load, without any, and when they cannot be read. */
export const viewStates = ['data', 'loading', 'empty', 'error'] as const
export type ViewState = (typeof viewStates)[number]

/** What every page needs, whatever its state. */
const always = /\/v1\/(auth|events|user|organization|organizations|service|permissions)\b/

/** Has the API answer a page as the state needs it. Other requests pass. */
export async function answerAs(page: Page, state: ViewState): Promise<void> {
  if (state === 'data') return
  await page.route(/\/v1\//, async (route) => {
    if (route.request().method() !== 'GET' || always.test(route.request().url())) {
      return route.fallback()
    }
    if (state === 'empty') return answerEmpty(route)
    if (state === 'error') {
      const message = 'The service is busy. Try again in a moment.'
      return route.fulfill({ status: 503, json: { message } })
    }
    // Loading: never answered.
  })
}

/** Lists have no rows, and nothing was counted. */
async function answerEmpty(route: Route): Promise<void> {
  const response = await route.fetch()
  const type = response.headers()['content-type'] ?? ''
  if (!type.includes('json')) return route.fulfill({ response })
  const body = await response.json()
  const isList = Array.isArray(body?.data)
  await route.fulfill({ response, json: isList ? { ...body, data: [], total: 0 } : body })
}
