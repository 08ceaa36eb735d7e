import { endingContext } from '../brokers/ending-session-queries.ts'
import { callbackContext, secretsContext } from '../connections/connections.ts'
import { deviceKeyContext } from '../devices/registration.ts'
import { tokenContext } from '../gateways/gateway-token.ts'
import { contextOf } from '../idempotency/answer-store.ts'
import { withdrawalContext } from '../network-accounts/callback-withdrawal.ts'
import { secretContext } from '../two-factor/second-factor.ts'
import { pendingSecretContext } from '../two-factor/two-factor-setup.ts'

/** A column of sealed values, and under what each of them is sealed. */
export interface SealedColumn {
  table: string
  column: string
  /** The columns that the context is made of. */
  keys: readonly string[]
  contextOf(keys: SealedRow['keys']): string
}

export interface SealedRow {
  /** Numbers as they are, `bytea` as a Buffer. */
  keys: readonly (number | Buffer)[]
}

/** Every sealed column of the schema: whatever seals anew or looks for keys goes through these. */
export const sealedColumns: readonly SealedColumn[] = [
  byNumber('devices', 'sealed_key', 'id', deviceKeyContext),
  byNumber('gateways', 'sealed_token', 'id', tokenContext),
  byNumber('network_accounts', 'sealed_secrets', 'id', secretsContext),
  byNumber('network_accounts', 'sealed_callback_secret', 'id', callbackContext),
  byNumber('ending_broker_sessions', 'sealed_values', 'id', endingContext),
  byNumber('callback_withdrawals', 'sealed_callback', 'id', withdrawalContext),
  byNumber('two_factors', 'sealed_secret', 'user_id', secretContext),
  byNumber('two_factor_tokens', 'sealed_secret', 'user_id', pendingSecretContext),
  byRequest('sealed_request', 'request'),
  byRequest('sealed_answer', 'answer'),
]

function byNumber(
  table: string,
  column: string,
  key: string,
  contextOf: (key: number) => string,
): SealedColumn {
  return { table, column, keys: [key], contextOf: ([number]) => contextOf(Number(number)) }
}

function byRequest(column: string, what: 'request' | 'answer'): SealedColumn {
  return {
    table: 'idempotency_keys',
    column,
    keys: ['organization_id', 'scope'],
    contextOf: ([organizationId, scope]) =>
      contextOf(what, { organizationId: Number(organizationId), scope: scope as Buffer }),
  }
}
