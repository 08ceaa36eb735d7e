import { NetworkError } from './network.ts'

/** No account has more: a server that gives a fresh token for ever is not believed. */
const mostPages = 10_000

/** The pages of a paginator of the SDK; one that does not end throws `NetworkError`. */
export async function* limitPages<Page>(
  pages: AsyncIterable<Page>,
  most = mostPages,
): AsyncGenerator<Page> {
  let count = 0
  for await (const page of pages) {
    count += 1
    if (count > most) throw new NetworkError('unreachable', 'AWS does not stop giving pages.')
    yield page
  }
}
