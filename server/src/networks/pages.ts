import { NetworkError } from './network-error.ts'

/** More pages than any account has: a network that does not stop giving pages is not believed. */
const mostPages = 10_000

/**
 * The items of each page, by the page's number from 1 on, until `read` calls a page the last one.
 */
export function readPages<Item>(
  name: string,
  read: (page: number) => Promise<{ items: Item[]; isLast: boolean }>,
): AsyncGenerator<Item[]> {
  async function* readAll() {
    for (let page = 1; ; page += 1) {
      const { items, isLast } = await read(page)
      yield items
      if (isLast) return
    }
  }
  return limitPages(name, readAll())
}

/** The same pages; throws `NetworkError` if they are too many. */
export async function* limitPages<Page>(
  name: string,
  pages: AsyncIterable<Page>,
  most = mostPages,
): AsyncGenerator<Page> {
  let count = 0
  for await (const page of pages) {
    count += 1
    if (count > most) throw new NetworkError('unreachable', `${name} does not stop giving pages.`)
    yield page
  }
}
