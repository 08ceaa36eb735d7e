/** A column of sealed values, and the columns that tell its rows apart. */
export interface SealedColumn {
  table: string
  column: string
  keys: readonly string[]
}

/** Every sealed column of the schema. Each one is sealed again when the key changes. */
export const sealedColumns = {
  deviceKey: { table: 'devices', column: 'sealed_key', keys: ['id'] },
  networkKey: { table: 'devices', column: 'sealed_network_key', keys: ['id'] },
  deviceVariables: { table: 'devices', column: 'sealed_variables', keys: ['id'] },
  movingDeviceKey: { table: 'device_moves', column: 'sealed_key', keys: ['device_id'] },
  gatewayToken: { table: 'gateways', column: 'sealed_token', keys: ['id'] },
  accountSecrets: { table: 'network_accounts', column: 'sealed_secrets', keys: ['id'] },
  callbackSecret: { table: 'network_accounts', column: 'sealed_callback_secret', keys: ['id'] },
  endingSession: { table: 'ending_broker_sessions', column: 'sealed_values', keys: ['id'] },
  callbackWithdrawal: { table: 'callback_withdrawals', column: 'sealed_callback', keys: ['id'] },
  secondFactor: { table: 'two_factors', column: 'sealed_secret', keys: ['user_id'] },
  secondFactorSetup: { table: 'two_factor_tokens', column: 'sealed_secret', keys: ['user_id'] },
  webhookSecret: { table: 'webhooks', column: 'sealed_secret', keys: ['organization_id', 'id'] },
  formerWebhookSecret: {
    table: 'webhooks',
    column: 'sealed_former_secret',
    keys: ['organization_id', 'id'],
  },
  chainHead: {
    table: 'activity_chains',
    column: 'sealed_head',
    keys: ['organization_id'],
  },
  webhookLogin: { table: 'webhooks', column: 'sealed_login', keys: ['organization_id', 'id'] },
  jobSecret: { table: 'job_rows', column: 'sealed_secret', keys: ['job_id', 'number'] },
  idempotentRequest: {
    table: 'idempotency_keys',
    column: 'sealed_request',
    keys: ['organization_id', 'scope'],
  },
  idempotentAnswer: {
    table: 'idempotency_keys',
    column: 'sealed_answer',
    keys: ['organization_id', 'scope'],
  },
} as const satisfies Record<string, SealedColumn>

/** A value of a key column: a number, or bytes. */
export type SealedKey = number | Buffer

/**
 * The context under which the value of one row is sealed, as `Sealer` takes it: it opens in no other
 * row or column.
 */
export function sealContext(name: keyof typeof sealedColumns, ...keys: SealedKey[]): string {
  return contextIn(sealedColumns[name], keys)
}

/** The same for a column of the list. */
export function contextIn({ table, column }: SealedColumn, keys: readonly SealedKey[]): string {
  const texts = keys.map((key) => (Buffer.isBuffer(key) ? key.toString('hex') : String(key)))
  return [`${table}.${column}`, ...texts].join(':')
}
