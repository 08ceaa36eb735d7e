import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { ConfigError } from './db/setup-error.ts'
import { isSender, type MailSettings, readMailServer } from './features/auth/mail-settings.ts'
import { type Plan, readPlans } from './features/billing/plans.ts'
import {
  readVendorAccounts,
  type VendorAccount,
} from './features/network-accounts/vendor-accounts.ts'
import { isEmail } from './features/users/emails.ts'
import { optionalNetworks } from './networks/index.ts'
import { isLocal, isRange, type OutsidePolicy } from './networks/outside.ts'
import { defaultPublicUrl, isPublicUrl } from './public-url.ts'

/** Every setting of the service, read once from the environment (README, "Settings"). */
export interface Config {
  host: string
  port: number
  /** Where clients and networks reach the service; no slash at the end. */
  publicUrl: string
  dataDir: string
  /** An external PostgreSQL; without it the embedded one runs in `dataDir`. */
  databaseUrl: string | undefined
  admin: { email: string | undefined; password: string | undefined }
  /** The first seals secrets at rest, all open them; empty: the key file in `dataDir`. */
  secretKeys: readonly string[]
  /** Proxies whose X-Forwarded-For is believed: addresses or ranges (CIDR). */
  trustedProxies: readonly string[]
  /** Keys of networks beyond those of the contract. */
  optionalNetworks: readonly string[]
  /** What network accounts may name as the address of their network. */
  outbound: OutsidePolicy
  /** Requests a minute per user and organization; 0 turns the limit off. */
  apiRateLimit: number
  /** Failed logins a minute per account and address. */
  loginRateLimit: number
  /** What registering devices costs; nothing when there is none. */
  billingPlans: readonly Plan[]
  /** The operator's accounts at networks, which replace those of the same network at start. */
  vendorAccounts: readonly VendorAccount[]
  /** Where mails go out; nothing is mailed when there is none. */
  mail: MailSettings | undefined
  /** Server processes that share the port. */
  workers: number
  logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Characters of a key. */
const shortestKey = 32

type Environment = Record<string, string | undefined>

/** Reads the settings, or throws a `ConfigError` that names every mistake. */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  const read = reader(environment, mistakes)
  const host = read.host('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', { min: 1, max: 65_535, fallback: 8080 })
  const publicUrl = read.publicUrl('PUBLIC_URL') ?? defaultPublicUrl(host, port)
  const config: Config = {
    host,
    port,
    publicUrl,
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    admin: { email: read.email('ADMIN_EMAIL'), password: read.secret('ADMIN_PASSWORD', 8) },
    secretKeys: read.secretKeys('SECRET_KEY'),
    trustedProxies: read.ranges('TRUSTED_PROXIES'),
    optionalNetworks: read.optionalNetworks('OPTIONAL_NETWORKS'),
    outbound: { allowsLocal: isLocal(new URL(publicUrl)), listed: read.hosts('OUTBOUND_ALLOW') },
    apiRateLimit: read.integer('API_RATE_LIMIT', { min: 0, max: 1_000_000, fallback: 1200 }),
    loginRateLimit: read.integer('LOGIN_RATE_LIMIT', { min: 1, max: 1000, fallback: 5 }),
    billingPlans: read.plans('BILLING_PLANS'),
    vendorAccounts: read.vendorAccounts('VENDOR_ACCOUNTS'),
    mail: read.mail('SMTP_URL', 'MAIL_FROM'),
    workers: read.integer('WORKERS', { min: 1, max: 64, fallback: 1 }),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return config
}

/** Readers of one setting each; what is wrong goes to `mistakes`. An empty value is none. */
function reader(environment: Environment, mistakes: string[]) {
  const text = (name: string) =>
    fromFile(environment, name, mistakes) ?? (environment[name] || undefined)
  return {
    text,
    host(name: string) {
      const value = text(name)
      if (value === undefined || isIP(value) !== 0) return value
      const { hostname } = URL.parse(`http://${value}`) ?? {}
      if (hostname === value.toLowerCase() && !hostname.startsWith('[')) return value
      mistakes.push(`${name} must be an address or a host name alone, such as 127.0.0.1.`)
      return undefined
    },
    integer(name: string, { min, max, fallback }: { min: number; max: number; fallback: number }) {
      const value = text(name)
      if (value === undefined) return fallback
      if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
        return Number(value)
      mistakes.push(`${name} must be a whole number from ${min} to ${max}.`)
      return fallback
    },
    url(name: string, protocols: string[]) {
      const value = text(name)
      if (value === undefined) return undefined
      if (protocols.includes(URL.parse(value)?.protocol ?? '')) return value
      const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ')
      mistakes.push(`${name} must be an address that begins with ${allowed}.`)
      return undefined
    },
    publicUrl(name: string) {
      const value = text(name)
      if (value === undefined || isPublicUrl(value)) return value?.replace(/\/+$/, '')
      mistakes.push(`${name} must be like https://host or https://host/path.`)
      return undefined
    },
    email(name: string) {
      const value = text(name)
      if (value === undefined || isEmail(value)) return value?.trim()
      mistakes.push(`${name} must be an e-mail address.`)
      return undefined
    },
    ranges(name: string) {
      const ranges = (text(name) ?? '').split(',').flatMap((range) => range.trim() || [])
      const wrong = ranges.filter((range) => !isRange(range))
      if (wrong.length === 0) return ranges
      mistakes.push(`${name} must be addresses or ranges (CIDR), not ${wrong.join(', ')}.`)
      return []
    },
    hosts(name: string) {
      const hosts = (text(name) ?? '').split(',').flatMap((host) => host.trim() || [])
      const wrong = hosts.filter((host) => !isRange(host) && !/^[\w-]+(\.[\w-]+)*$/.test(host))
      if (wrong.length === 0) return hosts
      mistakes.push(
        `${name} must be host names, addresses or ranges (CIDR), not ${wrong.join(', ')}.`,
      )
      return []
    },
    optionalNetworks(name: string) {
      const keys = (text(name) ?? '').split(',').flatMap((key) => key.trim() || [])
      const known = optionalNetworks.map(({ key }) => key)
      if (keys.every((key) => known.includes(key))) return keys
      mistakes.push(`${name} must be among ${known.join(', ')}.`)
      return []
    },
    plans(name: string) {
      const value = text(name)
      const result = value === undefined ? { plans: [] } : readPlans(value)
      if ('plans' in result) return result.plans
      mistakes.push(...result.mistakes.map((mistake) => `${name} ${mistake}`))
      return []
    },
    vendorAccounts(name: string) {
      const value = text(name)
      const result = value === undefined ? { accounts: [] } : readVendorAccounts(value)
      if ('accounts' in result) return result.accounts
      mistakes.push(...result.mistakes.map((mistake) => `${name} ${mistake}`))
      return []
    },
    mail(serverName: string, fromName: string) {
      const [server, from] = [text(serverName), text(fromName)]
      if (server === undefined) return undefined
      const mailServer = readMailServer(server)
      if (!mailServer) {
        mistakes.push(`${serverName} must be like smtp://user:password@host:587 or smtps://host.`)
      }
      if (from === undefined || !isSender(from)) {
        mistakes.push(
          `${fromName} must be the e-mail address that mails by ${serverName} are from.`,
        )
        return undefined
      }
      return mailServer && { ...mailServer, from }
    },
    secret(name: string, shortest: number) {
      const value = text(name)
      if (value === undefined || value.length >= shortest) return value
      mistakes.push(`${name} must have at least ${shortest} characters.`)
      return undefined
    },
    secretKeys(name: string) {
      const value = text(name)
      if (value === undefined) return []
      // Of a file each line is one as it stands, so that a key may hold a comma and blanks.
      const parts = environment[name] ? value.split(',') : value.split(/\r?\n/)
      const isList = environment[name] && parts.length > 1
      const keys = isList ? parts.map((part) => part.trim()) : parts
      if (keys.some((key) => key.length < shortestKey)) {
        mistakes.push(tellShortKey(name, keys))
      }
      return [...new Set(keys)]
    },
    choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
      const value = text(name)
      const chosen = choices.find((choice) => choice === value)
      if (value !== undefined && chosen === undefined) {
        mistakes.push(`${name} must be one of ${choices.join(', ')}.`)
      }
      return chosen ?? fallback
    },
  }
}

function tellShortKey(name: string, keys: readonly string[]): string {
  if (keys.length === 1) return `${name} must have at least ${shortestKey} characters.`
  const at = keys.findIndex((key) => key.length < shortestKey) + 1
  return (
    `${name} holds ${keys.length} keys, separated by commas (or by lines, in a file): each must` +
    ` have at least ${shortestKey} characters, and number ${at} has not.`
  )
}

/** A setting can come from the file that `NAME_FILE` names, as container secrets do. */
function fromFile(environment: Environment, name: string, mistakes: string[]): string | undefined {
  const path = environment[`${name}_FILE`]
  if (!path) return undefined
  if (environment[name]) {
    mistakes.push(`${name} and ${name}_FILE are both set; set one of them.`)
    return undefined
  }
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (text !== '') return text
    // Taken for no setting it would make a key of our own, and find out when it is too late.
    mistakes.push(`${name}_FILE names ${path}, which is empty.`)
  } catch {
    mistakes.push(`${name}_FILE names ${path}, which can't be read.`)
  }
  return undefined
}
