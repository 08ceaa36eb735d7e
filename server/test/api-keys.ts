import assert from 'node:assert/strict'
import type { Login, TestAnswer, TestService } from './service.ts'

/** For tests: an API key, made by the owner of organization 1 unless `as` says otherwise. */
export interface TestKey {
  id: number
  /** What a program sends. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  record: any
  /** Sends a request with the key, and without the Organization header. */
  call(method: string, url: string, more?: CallMore): Promise<TestAnswer>
}

interface CallMore {
  body?: unknown
  headers?: Record<string, string>
}

export async function makeKey(
  service: TestService,
  changes: Record<string, unknown> = {},
  as: Login = service.owner,
): Promise<TestKey> {
  const body = { name: 'Building control', permissions: [], ...changes }
  const answer = await service.call('POST', '/v1/api-keys', { as, body })
  assert.equal(answer.status, 201, answer.text)
  const { key: text, ...record } = answer.body.data
  return { id: record.id, text, record, call: callWith(service, text) }
}

export function callWith(service: TestService, text: string): TestKey['call'] {
  return (method, url, { body, headers } = {}) =>
    service.call(method, url, {
      as: null,
      body,
      headers: { authorization: `Bearer ${text}`, ...headers },
    })
}
