import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, writePrivateFile } from './files.ts'
import { keyLength } from './seal.ts'
import { SetupError } from './setup-error.ts'

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
  alertChannel: { table: 'alert_channels', column: 'sealed_settings', keys: ['id'] },
  pushSubscription: { table: 'push_subscriptions', column: 'sealed_subscription', keys: ['id'] },
  pushKey: { table: 'push_keys', column: 'sealed_private_key', keys: ['id'] },
  webhookLogin: { table: 'webhooks', column: 'sealed_login', keys: ['organization_id', 'id'] },
  catalogueToken: {
    table: 'catalogue_sources',
    column: 'sealed_token',
    keys: ['organization_id', 'id'],
  },
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

export interface SecretKeySource {
  /** The keys of the SECRET_KEY setting: texts of 32 characters or more. */
  readonly secretKeys: readonly string[]
  /** The directory of the key file `secret.key`. */
  readonly dataDir: string
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/**
 * The 32-byte keys of this installation: those of the setting in their order, then the key file's.
 * The first seals, all open. Empty when there is none. A lost key takes every secret that it sealed
 * with it.
 */
export function readSecretKeys({ secretKeys, dataDir }: SecretKeySource): Buffer[] {
  const keys = secretKeys.map(derive)
  const filed = readBesideSetting(keyFileOf(dataDir), keys.length > 0)
  return filed ? [...keys, filed] : keys
}

function derive(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'lora-fleet-console secret key', keyLength))
}

/** Ignores an unreadable file when the setting gives a key. */
function readBesideSetting(path: string, isSet: boolean): Buffer | undefined {
  try {
    return readKeyFile(path)
  } catch (error) {
    if (isSet) return undefined
    throw error
  }
}

/** Makes the key file of a new installation. Two starts at once get the same key. */
export function makeKeyFile(dataDir: string): Buffer {
  const path = keyFileOf(dataDir)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writePrivateFile(draft, `${randomBytes(keyLength).toString('base64url')}\n`)
  try {
    // A link, unlike a rename, fails when another process was first.
    linkSync(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readKeyFile(path)
  if (!made) throw new Error(`The key file ${path} vanished while it was being made.`)
  return made
}

function readKeyFile(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    const why = error instanceof Error ? error.message : String(error)
    throw new SetupError(`The key file ${path} can't be read: ${why}.`)
  }
  const key = Buffer.from(text, 'base64url')
  if (key.length !== keyLength || key.toString('base64url') !== text) {
    throw new SetupError(
      `${path} holds no key: put the right file back, from a backup for instance.`,
    )
  }
  return key
}
