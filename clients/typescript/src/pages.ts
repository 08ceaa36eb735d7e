import type { CallOptions, Endpoint, Input, Send } from './sender.ts'

/** What any list answers: its records, and one of three signs that more follow. */
interface Page {
  data: unknown[]
  /** Where the next page begins; null on the last one. */
  after?: string | number | null
  links?: { next: string | null }
  more?: boolean
}

/** The pages of a list, one request each, from the page or cursor of `input` on. */
export async function* readPages(
  send: Send,
  endpoint: Endpoint,
  input: Input = {},
  options?: CallOptions,
): AsyncGenerator<Page> {
  let next: Input | undefined = input
  while (next) {
    const sent: Input = next
    const page = (await send(endpoint, sent, options)) as Page
    yield page
    next = nextOf(page, sent)
  }
}

function nextOf({ after, links, more }: Page, sent: Input): Input | undefined {
  if (after !== undefined && after !== null)
    return after === sent.after ? undefined : { ...sent, after }
  const hasMore = links ? links.next !== null : more === true
  return hasMore ? { ...sent, page: Number(sent.page ?? 1) + 1 } : undefined
}
