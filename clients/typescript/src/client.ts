import { type Operations, operations } from './operations.ts'
import { readPages } from './pages.ts'
import {
  type CallOptions,
  type ClientOptions,
  createSender,
  type Endpoint,
  type Input,
} from './sender.ts'

export type OperationName = keyof Operations
/** Parameters of path and query by name, and the body as `body`. */
export type InputOf<O extends OperationName> = Operations[O]['input']
export type AnswerOf<O extends OperationName> = Operations[O]['answer']

type Arguments<O extends OperationName> =
  Record<never, never> extends InputOf<O>
    ? [input?: InputOf<O>, options?: CallOptions]
    : [input: InputOf<O>, options?: CallOptions]

/** Lists with pages. */
export type ListName = {
  [O in OperationName]: Operations[O]['isList'] extends true ? O : never
}[OperationName]

/** A page of a list. */
export type PageOf<O extends ListName> = Extract<AnswerOf<O>, { data: unknown[] }>
/** A record of a list. */
export type RecordOf<O extends ListName> = PageOf<O>['data'][number]

type Methods = {
  [O in OperationName]: (...given: Arguments<O>) => Promise<AnswerOf<O>>
}

/** All operations of the API by name, and its lists as iterators. */
export interface FleetClient extends Methods {
  /** The pages of a list, one request each. */
  pages<O extends ListName>(list: O, ...given: Arguments<O>): AsyncGenerator<PageOf<O>>
  /** The records of a list, page after page. */
  records<O extends ListName>(list: O, ...given: Arguments<O>): AsyncGenerator<RecordOf<O>>
}

/** A client of one service and one organization. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): FleetClient {
  const send = createSender(options)
  const methods = Object.entries(operations as Record<string, Endpoint>).map(([name, endpoint]) => [
    name,
    (input?: Input, call?: CallOptions) => send(endpoint, input, call),
  ])
  const pages = (list: ListName, input?: Input, call?: CallOptions) =>
    readPages(send, operations[list] as Endpoint, input, call)
  return {
    ...Object.fromEntries(methods),
    pages,
    async *records(list: ListName, input?: Input, call?: CallOptions) {
      for await (const { data } of pages(list, input, call)) yield* data
    },
  } as FleetClient
}
