import { z } from 'zod'
import type { RequestContext } from './endpoint.ts'
import { withExamples } from './examples.ts'

/** The two list envelopes of the API (docs/contract.txt, 2.1). */

/** A page of a list: its number and its most records. */
export interface Page {
  number: number
  size: number
  /** As sent by the client, or the default as an integer. */
  perPage: string | number
}

interface LiteList<T> {
  data: T[]
  more: boolean
}

interface PageLink {
  url: string | null
  label: string
  active: boolean
}

interface PaginatedList<T> {
  data: T[]
  payload: Record<string, string>
  links: { first: string; last: string; prev: string | null; next: string | null }
  meta: {
    current_page: number
    from: number | null
    last_page: number
    links: PageLink[]
    path: string
    per_page: string | number
    to: number | null
    total: number
  }
}

type ListRequest = Pick<RequestContext, 'address' | 'sentQuery'>

/** The schema of the lite envelope. */
export function lite<T extends z.ZodType>(record: T) {
  const shape = { data: z.array(record), more: z.boolean() }
  return z.object(withExamples(shape, { more: false })).meta({ title: 'lite' })
}

const url = z.string().nullable()

export const pageLinks = z
  .object({ first: z.string(), last: z.string(), prev: url, next: url })
  .meta({ id: 'PageLinks' })

const pageMeta = z
  .object({
    current_page: z.int(),
    from: z.int().nullable(),
    last_page: z.int(),
    links: z.array(z.object({ url, label: z.string(), active: z.boolean() })),
    path: z.string(),
    per_page: z.union([z.string(), z.int()]),
    to: z.int().nullable(),
    total: z.int(),
  })
  .meta({ id: 'PageMeta' })

/** The schema of the paginated envelope. */
export function paginated<T extends z.ZodType>(record: T) {
  return z
    .object({
      data: z.array(record),
      payload: z.record(z.string(), z.string()),
      links: pageLinks,
      meta: pageMeta,
    })
    .meta({ title: 'paginated' })
}

/** The page of a checked query; `sentQuery` tells whether the size was sent. */
export function pageOf(
  query: { page: number; itemsPerPage: number },
  sentQuery: Record<string, unknown>,
): Page {
  const sent = sentQuery.itemsPerPage
  return {
    number: query.page,
    size: query.itemsPerPage,
    perPage: typeof sent === 'string' ? sent : query.itemsPerPage,
  }
}

export function liteList<T>(data: T[], total: number, page: Page): LiteList<T> {
  return { data, more: page.number * page.size < total }
}

/**
 * Links keep everything that the client sent except the page. `payload` repeats the values in force,
 * defaults included, as strings.
 */
export function paginatedList<T>(
  data: T[],
  total: number,
  page: Page,
  { request, payload }: { request: ListRequest; payload: Record<string, unknown> },
): PaginatedList<T> {
  const lastPage = Math.max(1, Math.ceil(total / page.size))
  const link = linkMaker(request)
  const first = data.length === 0 ? null : (page.number - 1) * page.size + 1
  const prev = page.number > 1 ? link(Math.min(page.number - 1, lastPage)) : null
  const next = page.number < lastPage ? link(page.number + 1) : null
  return {
    data,
    payload: mapValues(payload, String),
    links: { first: link(1), last: link(lastPage), prev, next },
    meta: {
      current_page: page.number,
      from: first,
      last_page: lastPage,
      links: [
        { url: prev, label: '« Previous', active: false },
        ...pageNumbers(page.number, lastPage).map((number) => pageLink(number, page.number, link)),
        { url: next, label: 'Next »', active: false },
      ],
      path: request.address,
      per_page: page.perPage,
      to: first === null ? null : first + data.length - 1,
      total,
    },
  }
}

function pageLink(
  number: number | undefined,
  current: number,
  link: (page: number) => string,
): PageLink {
  if (number === undefined) return { url: null, label: '...', active: false }
  return { url: link(number), label: String(number), active: number === current }
}

/**
 * The page numbers to show, `undefined` for a gap: all when there are few, otherwise the first two,
 * the last two, and three on each side of the current one (as in the length-aware paginator that
 * the API's envelope comes from).
 */
function pageNumbers(current: number, last: number): (number | undefined)[] {
  if (last < 14) return range(1, last)
  if (current <= 7) return [...range(1, 10), undefined, ...range(last - 1, last)]
  if (current > last - 7) return [1, 2, undefined, ...range(last - 9, last)]
  return [1, 2, undefined, ...range(current - 3, current + 3), undefined, ...range(last - 1, last)]
}

function linkMaker({ address, sentQuery }: ListRequest): (page: number) => string {
  const others = Object.entries(sentQuery).filter(([name]) => name !== 'page')
  const prefix = others.length > 0 ? `${address}?${toText(others)}page=` : `${address}?page=`
  return (page) => prefix + page
}

function toText(parameters: readonly [string, unknown][]): string {
  const kept = new URLSearchParams()
  for (const [name, value] of parameters) {
    for (const sent of [value].flat()) kept.append(name, String(sent))
  }
  return kept.size > 0 ? `${kept}&` : ''
}

function range(from: number, to: number): number[] {
  const numbers: number[] = []
  for (let number = from; number <= to; number += 1) numbers.push(number)
  return numbers
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
