import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { z } from 'zod'
import { ConfigError } from './db/setup-error.ts'
import { tilesOf } from './features/operation/map/tiles.ts'
import type { SignOnSettings } from './features/people/sign-on/sign-on-settings.ts'
import { isLocal } from './networks/outside.ts'
import { settings } from './settings.ts'
import { tracesPath } from './traces/otlp.ts'
import { samplers, type TraceSettings } from './traces/trace-settings.ts'

type Environment = Record<string, string | undefined>

/** The settings, as the service uses them. */
export type Config = ReturnType<typeof readConfig>

/** Reads the settings, or throws a `ConfigError` that names every mistake. */
export function readConfig(environment: Environment) {
  const { texts, mistakes } = readTexts(environment)
  const result = settings.safeParse({
    ...texts,
    SECRET_KEY: splitKeys(environment, texts.SECRET_KEY),
    // Not read without a mail server, and required with one.
    MAIL_FROM: texts.SMTP_URL && (texts.MAIL_FROM ?? ''),
  })
  if (texts.SIGN_ON_ISSUER) {
    for (const name of ['SIGN_ON_CLIENT_ID', 'SIGN_ON_CLIENT_SECRET'] as const) {
      if (!texts[name]) mistakes.push(`${name} must be set together with SIGN_ON_ISSUER.`)
    }
  }
  for (const { path, message } of result.error?.issues ?? []) {
    mistakes.push(`${String(path[0])} ${message}`)
  }
  if (!result.success || mistakes.length > 0) throw new ConfigError(mistakes)
  const { data } = result
  const publicUrl = data.PUBLIC_URL ?? defaultPublicUrl(data.HOST, data.PORT)
  return {
    host: data.HOST,
    port: data.PORT,
    publicUrl,
    dataDir: data.DATA_DIR,
    catalogueDir: data.CATALOGUE_DIR,
    databaseUrl: data.DATABASE_URL,
    databaseConnections: data.DATABASE_CONNECTIONS,
    admin: { email: data.ADMIN_EMAIL, password: data.ADMIN_PASSWORD },
    secretKeys: data.SECRET_KEY,
    trustedProxies: data.TRUSTED_PROXIES,
    isHstsForSubdomains: data.HSTS_SUBDOMAINS,
    optionalNetworks: data.OPTIONAL_NETWORKS,
    /** What network accounts may name as the address of their network. */
    outbound: { allowsLocal: isLocal(new URL(publicUrl)), listed: data.OUTBOUND_ALLOW },
    apiRateLimit: data.API_RATE_LIMIT,
    loginRateLimit: data.LOGIN_RATE_LIMIT,
    billingPlans: data.BILLING_PLANS,
    vendorAccounts: data.VENDOR_ACCOUNTS,
    mail: data.SMTP_URL && { ...data.SMTP_URL, from: data.MAIL_FROM ?? '' },
    signOn: readSignOn(data),
    auditSyslog: data.AUDIT_SYSLOG && { ...data.AUDIT_SYSLOG, ca: data.AUDIT_SYSLOG_CA },
    metricsToken: data.METRICS_TOKEN,
    metricsAddress: data.METRICS_PORT && { host: data.METRICS_HOST, port: data.METRICS_PORT },
    traces: readTraces(data),
    mapTiles: tilesOf(data.MAP_TILES, data.MAP_ATTRIBUTION),
    workers: data.WORKERS,
    logLevel: data.LOG_LEVEL,
  }
}

/** Undefined where people log in with passwords only. */
function readSignOn(data: z.infer<typeof settings>): SignOnSettings | undefined {
  if (data.SIGN_ON_ISSUER === undefined) return undefined
  return {
    issuer: data.SIGN_ON_ISSUER,
    clientId: data.SIGN_ON_CLIENT_ID ?? '',
    clientSecret: data.SIGN_ON_CLIENT_SECRET ?? '',
    scopes: data.SIGN_ON_SCOPES,
    name: data.SIGN_ON_NAME,
    groupsClaim: data.SIGN_ON_GROUPS_CLAIM,
    grants: data.SIGN_ON_ROLES,
    makesUsers: data.SIGN_ON_NEW_USERS,
    secondFactors: data.SIGN_ON_SECOND_FACTORS,
    isPasswordForOwnersOnly: data.SIGN_ON_ONLY,
  }
}

/** Undefined where no collector is named. OTEL_SERVICE_NAME goes before the other attributes. */
function readTraces(data: z.infer<typeof settings>): TraceSettings | undefined {
  const endpoint = data.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  return {
    url: endpoint + tracesPath,
    headers: data.OTEL_EXPORTER_OTLP_HEADERS,
    resource: { ...data.OTEL_RESOURCE_ATTRIBUTES, 'service.name': data.OTEL_SERVICE_NAME },
    sampling: samplers[data.OTEL_TRACES_SAMPLER](data.OTEL_TRACES_SAMPLER_ARG),
  }
}

/** The texts of all settings. A setting can come from the file that `NAME_FILE` names. */
function readTexts(environment: Environment) {
  const mistakes: string[] = []
  const texts: Environment = {}
  for (const name of Object.keys(settings.shape)) {
    const path = environment[`${name}_FILE`]
    texts[name] = environment[name] || undefined
    if (!path) continue
    if (texts[name] !== undefined) {
      mistakes.push(`${name} and ${name}_FILE are both set; set one of them.`)
      continue
    }
    try {
      texts[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined
      // An empty file is no unset SECRET_KEY: the service would make a key of its own.
      if (texts[name] === undefined) mistakes.push(`${name}_FILE names ${path}, which is empty.`)
    } catch {
      mistakes.push(`${name}_FILE names ${path}, which can't be read.`)
    }
  }
  return { texts, mistakes }
}

/** Keys by commas, or by lines of a file, where commas and blanks belong to the keys. */
function splitKeys(environment: Environment, keys: string | undefined): string[] | undefined {
  if (!environment.SECRET_KEY) return keys?.split(/\r?\n/)
  const parts = environment.SECRET_KEY.split(',')
  return parts.length > 1 ? parts.map((part) => part.trim()) : parts
}

/** Where a service is reached that listens on the host and has no `PUBLIC_URL`. */
function defaultPublicUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : isIP(host) === 6 ? `[${host.replace(/%.*/, '')}]` : host
  return `http://${name}:${port}`
}
