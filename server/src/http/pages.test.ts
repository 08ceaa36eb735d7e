import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { liteList, pageOf, paginatedList } from './pages.ts'

const address = 'https://console.example.test/v1/devices'

/** The envelope of a list with `total` records. Each record is its own position. */
function list(total: number, number: number, size: number, query: Record<string, unknown> = {}) {
  const start = (number - 1) * size
  const data = Array.from({ length: Math.max(0, Math.min(size, total - start)) }, (_, index) => {
    return start + index + 1
  })
  const page = { number, size, perPage: size }
  return paginatedList(data, total, page, {
    request: { address, sentQuery: query },
    payload: { page: number },
  })
}

function labels(total: number, number: number): string[] {
  return list(total * 10, number, 10).meta.links.map(({ label }) => label)
}

function words(text: string): string[] {
  return ['« Previous', ...text.split(' '), 'Next »']
}

const sliders = [
  { last: 0, current: 1, numbers: '1' },
  { last: 1, current: 1, numbers: '1' },
  { last: 13, current: 7, numbers: '1 2 3 4 5 6 7 8 9 10 11 12 13' },
  { last: 14, current: 1, numbers: '1 2 3 4 5 6 7 8 9 10 ... 13 14' },
  { last: 30, current: 7, numbers: '1 2 3 4 5 6 7 8 9 10 ... 29 30' },
  { last: 30, current: 8, numbers: '1 2 ... 5 6 7 8 9 10 11 ... 29 30' },
  { last: 30, current: 15, numbers: '1 2 ... 12 13 14 15 16 17 18 ... 29 30' },
  { last: 30, current: 23, numbers: '1 2 ... 20 21 22 23 24 25 26 ... 29 30' },
  { last: 30, current: 24, numbers: '1 2 ... 21 22 23 24 25 26 27 28 29 30' },
  { last: 30, current: 30, numbers: '1 2 ... 21 22 23 24 25 26 27 28 29 30' },
  { last: 30, current: 99, numbers: '1 2 ... 21 22 23 24 25 26 27 28 29 30' },
]

for (const { last, current, numbers } of sliders) {
  // shows 10.5.13
  test(`shows the page numbers ${numbers} on page ${current} of ${last}`, () => {
    assert.deepEqual(labels(last, current), words(numbers))
  })
}

// shows 2.1.3, 2.1.8, 2.1.11
test('gives the length-aware envelope of a page in the middle', () => {
  const { data, payload, links, meta } = list(25, 2, 10, { page: '2', search: 'a b&c' })
  const url = (page: number) => `${address}?search=a+b%26c&page=${page}`
  assert.deepEqual(data, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  assert.deepEqual(payload, { page: '2' })
  assert.deepEqual(links, { first: url(1), last: url(3), prev: url(1), next: url(3) })
  assert.deepEqual(meta, {
    current_page: 2,
    from: 11,
    last_page: 3,
    links: [
      { url: url(1), label: '« Previous', active: false },
      { url: url(1), label: '1', active: false },
      { url: url(2), label: '2', active: true },
      { url: url(3), label: '3', active: false },
      { url: url(3), label: 'Next »', active: false },
    ],
    path: address,
    per_page: 10,
    to: 20,
    total: 25,
  })
})

test('keeps a parameter that was sent more than once', () => {
  const { links } = list(25, 1, 10, { tag: ['a', 'b'], page: ['1', '2'] })
  assert.equal(links.next, `${address}?tag=a&tag=b&page=2`)
})

test('an empty list has one page, which begins and ends nowhere', () => {
  const { links, meta } = list(0, 1, 10)
  const first = `${address}?page=1`
  assert.deepEqual(links, { first, last: first, prev: null, next: null })
  assert.deepEqual([meta.from, meta.to, meta.last_page, meta.total], [null, null, 1, 0])
})

test('a page past the end is empty, and leads back to the last one', () => {
  const { data, links, meta } = list(25, 9, 10)
  assert.deepEqual(data, [])
  assert.equal(links.prev, `${address}?page=3`)
  assert.equal(links.next, null)
  assert.deepEqual([meta.current_page, meta.from, meta.to, meta.last_page], [9, null, null, 3])
})

// shows 2.1.2
test('following next from the first page shows every record once, at any size', () => {
  const cases = fc.record({
    total: fc.integer({ min: 0, max: 200 }),
    size: fc.integer({ min: 1, max: 40 }),
  })
  fc.assert(
    fc.property(cases, ({ total, size }) => {
      const seen: number[] = []
      let number: number | undefined = 1
      while (number !== undefined) {
        const { data, links, meta } = list(total, number, size)
        assert.equal(meta.to === null ? 0 : meta.to - (meta.from ?? 0) + 1, data.length)
        assert.equal(links.next === null, number >= meta.last_page)
        assert.equal(liteList(data, total, { number, size, perPage: size }).more, !!links.next)
        seen.push(...data)
        number =
          links.next === null ? undefined : Number(new URL(links.next).searchParams.get('page'))
      }
      assert.deepEqual(
        seen,
        Array.from({ length: total }, (_, index) => index + 1),
      )
    }),
  )
})

test('shows the current page with its neighbours, and the two at each end, without repeats', () => {
  const cases = fc.record({
    last: fc.integer({ min: 1, max: 100 }),
    current: fc.integer({ min: 1, max: 100 }),
  })
  fc.assert(
    fc.property(cases, ({ last, current }) => {
      fc.pre(current <= last)
      const shown = labels(last, current).slice(1, -1)
      const numbers = shown.filter((label) => label !== '...').map(Number)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, other) => one - other),
      )
      const expected = [1, 2, last - 1, last]
      for (let near = current - 3; near <= current + 3; near += 1) expected.push(near)
      for (const number of expected) {
        if (number >= 1 && number <= last)
          assert.ok(numbers.includes(number), `${number} is missing`)
      }
      const gaps = numbers.slice(1).filter((number, index) => number - (numbers[index] ?? 0) > 1)
      assert.equal(shown.length - numbers.length, gaps.length)
    }),
  )
})

// shows 10.5.11
test('per_page is as sent, or the number that is in force', () => {
  assert.deepEqual(pageOf({ page: 2, itemsPerPage: 25 }, { itemsPerPage: '25' }), {
    number: 2,
    size: 25,
    perPage: '25',
  })
  assert.equal(pageOf({ page: 1, itemsPerPage: 10 }, {}).perPage, 10)
})
