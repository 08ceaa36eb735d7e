export {
  type AnswerOf,
  createClient,
  type FleetClient,
  type InputOf,
  type ListName,
  type OperationName,
  type PageOf,
  type RecordOf,
} from './client.ts'
export * from './errors.ts'
export type { Operations, Schemas } from './operations.ts'
export type { CallOptions, ClientOptions } from './sender.ts'
