import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { splitHosts } from './db/addresses.ts'
import { readVendorAccounts } from './features/accounts/network-accounts/vendor-accounts.ts'
import { isTileAddress, isTileFile } from './features/operation/map/tiles.ts'
import { readSyslogTarget } from './features/people/activity/syslog-target.ts'
import { isSender, readMailServer } from './features/people/auth/mail-settings.ts'
import { readPlans } from './features/people/billing/plans.ts'
import { readGrants } from './features/people/sign-on/sign-on-settings.ts'
import { isEmail } from './features/people/users/emails.ts'
import { optionalNetworks } from './networks/index.ts'
import { isRange } from './networks/outside.ts'
import { readPairs, type SamplerName, samplers } from './traces/trace-settings.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const optionalKeys = optionalNetworks.map(({ key }) => key)
const shortestKey = 32
const samplerNames = Object.keys(samplers) as [SamplerName, ...SamplerName[]]

/** Every setting of the service (docs/settings.md). Messages follow the name of the setting. */
export const settings = z.object({
  HOST: text(isHost, 'must be an address or a host name, such as 127.0.0.1.').default('127.0.0.1'),
  PORT: wholeNumber(1, 65_535).default(8080),
  /** Where clients and networks reach the service; kept without a slash at its end. */
  PUBLIC_URL: text(isPublicUrl, 'must be like https://host or https://host/path.')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .transform((path) => resolve(path)),
  /** A folder of catalogues of devices, which all organizations may choose from (docs/catalogue.md). */
  CATALOGUE_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  /** An external PostgreSQL; without it the embedded one runs in `DATA_DIR`. */
  DATABASE_URL: text(
    isDatabaseUrl,
    'must be an address that begins with postgres:// or postgresql://; with several hosts, its' +
      ' target_session_attrs can only be read-write or primary.',
  ).optional(),
  DATABASE_CONNECTIONS: wholeNumber(8, 10_000).optional(),
  ADMIN_EMAIL: text(isEmail, 'must be an e-mail address.')
    .transform((email) => email.trim())
    .optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters.').optional(),
  /** The first seals secrets at rest, all open them. Without one the key file of `DATA_DIR` does. */
  SECRET_KEY: z
    .array(z.string())
    .refine((keys) => keys.every(isLongEnough), {
      error: ({ input }) => tellShortKey(input as string[]),
    })
    .transform((keys) => [...new Set(keys)])
    .default([]),
  /** Whether Strict-Transport-Security is for the names below PUBLIC_URL's as well. */
  HSTS_SUBDOMAINS: yesOrNo(),
  TRUSTED_PROXIES: list(isRange, (wrong) => `must be addresses or ranges (CIDR), not ${wrong}.`),
  OPTIONAL_NETWORKS: list(isOptional, () => `must be among ${optionalKeys.join(', ')}.`),
  OUTBOUND_ALLOW: list(
    isOutsideHost,
    (wrong) => `must be host names, addresses or ranges (CIDR), not ${wrong}.`,
  ),
  /** Requests a minute per user and organization; 0 turns the limit off. */
  API_RATE_LIMIT: wholeNumber(0, 1_000_000).default(1200),
  /** Failed logins a minute per account and address. */
  LOGIN_RATE_LIMIT: wholeNumber(1, 1000).default(5),
  BILLING_PLANS: z
    .string()
    .transform((json, context) => {
      const read = readPlans(json)
      return 'plans' in read ? read.plans : refuse(context, read.mistakes)
    })
    .default([]),
  /** The operator's accounts at networks, which replace those of the same network at start. */
  VENDOR_ACCOUNTS: z
    .string()
    .transform((json, context) => {
      const read = readVendorAccounts(json)
      return 'accounts' in read ? read.accounts : refuse(context, read.mistakes)
    })
    .default([]),
  SMTP_URL: z
    .string()
    .transform(
      (url, context) =>
        readMailServer(url) ??
        refuse(context, ['must be like smtp://user:password@host:587 or smtps://host.']),
    )
    .optional(),
  MAIL_FROM: text(
    isSender,
    'must be the e-mail address that mails by SMTP_URL are from.',
  ).optional(),
  /** An OpenID Connect provider by which people log in (docs/sign-on.md). */
  SIGN_ON_ISSUER: text(
    isPublicUrl,
    'must be like https://login.example.com/realms/fleet.',
  ).optional(),
  SIGN_ON_CLIENT_ID: z.string().optional(),
  SIGN_ON_CLIENT_SECRET: z.string().optional(),
  SIGN_ON_SCOPES: text(
    (scopes) => scopes.split(' ').includes('openid'),
    'must be words with blanks between, with openid among them.',
  ).default('openid email profile'),
  /** On the button of the login page. */
  SIGN_ON_NAME: z.string().max(50, 'may have up to 50 characters.').default('single sign-on'),
  SIGN_ON_GROUPS_CLAIM: z.string().default('groups'),
  SIGN_ON_ROLES: z
    .string()
    .transform((json, context) => {
      const read = readGrants(json)
      return 'grants' in read ? read.grants : refuse(context, read.mistakes)
    })
    .default([]),
  SIGN_ON_NEW_USERS: yesOrNo(),
  /** Values of `amr` and `acr` for a sign-in with two factors. */
  SIGN_ON_SECOND_FACTORS: list(
    () => true,
    () => '',
  ).prefault('mfa'),
  /** Only owners log in with a password. */
  SIGN_ON_ONLY: yesOrNo(),
  AUDIT_SYSLOG: z
    .string()
    .transform(
      (url, context) =>
        readSyslogTarget(url) ??
        refuse(context, ['must be like tls://host:6514, tcp://host:601 or udp://host:514.']),
    )
    .optional(),
  AUDIT_SYSLOG_CA: text(
    isCertificate,
    'must be a certificate (PEM); AUDIT_SYSLOG_CA_FILE names a file of it.',
  ).optional(),
  /** What Prometheus sends to read `/metrics`; a header has to carry it. */
  METRICS_TOKEN: text(
    (token) => /^[!-~]{16,}$/.test(token),
    'must have at least 16 characters: ASCII letters, digits and signs, without blanks.',
  ).optional(),
  /** Where `/metrics` is on an address of its own, with the numbers of each process. */
  METRICS_HOST: text(isHost, 'must be an address or a host name, such as 127.0.0.1.').default(
    '127.0.0.1',
  ),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  /** A collector of traces, by OTLP over HTTP; without one there are no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: text(isPublicUrl, 'must be like http://127.0.0.1:4318.')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Sent with each request to it; the values may be secrets. */
  OTEL_EXPORTER_OTLP_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/json'], { error: 'must be http/json, which collectors take beside the others.' })
    .default('http/json'),
  OTEL_SERVICE_NAME: z.string().max(200, 'may have up to 200 characters.').default('lora-console'),
  OTEL_RESOURCE_ATTRIBUTES: pairs(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `must be one of ${samplerNames.join(', ')}.` })
    .default('parentbased_traceidratio'),
  /** The part of the traces that is sent. */
  OTEL_TRACES_SAMPLER_ARG: text(isPart, 'must be a number from 0 to 1.')
    .transform(Number)
    .default(1),
  /** Tiles for the maps of the console, which otherwise have what an administrator chooses. */
  MAP_TILES: text(
    (text) => isTileAddress(text) || isTileFile(text),
    'must be an address with {z}, {x} and {y}, such as https://tiles.example.com/{z}/{x}/{y}.png,' +
      ' or a PMTiles file: its address, or a path that can be read, such as /srv/maps/hamburg.pmtiles.',
  ).optional(),
  /** Who made that map. */
  MAP_ATTRIBUTION: z.string().max(200, 'may have up to 200 characters.').default(''),
  /** Server processes that share the port. */
  WORKERS: wholeNumber(1, 64).default(1),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}.` })
    .default('info'),
})

function isLongEnough(key: string): boolean {
  return key.length >= shortestKey
}

function tellShortKey(keys: readonly string[]): string {
  if (keys.length === 1) return `must have at least ${shortestKey} characters.`
  const at = keys.findIndex((key) => !isLongEnough(key)) + 1
  return (
    `holds ${keys.length} keys, separated by commas (or by lines, in a file): each must have at` +
    ` least ${shortestKey} characters, and number ${at} has not.`
  )
}

function text(isRight: (text: string) => boolean, message: string) {
  return z.string().refine(isRight, message)
}

function wholeNumber(min: number, max: number) {
  const isInRange = (digits: string) =>
    /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max
  return text(isInRange, `must be a whole number from ${min} to ${max}.`).transform(Number)
}

function yesOrNo() {
  return z
    .enum(['true', 'false'], { error: 'must be true or false.' })
    .default('false')
    .transform((word) => word === 'true')
}

/** `key=value` by commas. */
function pairs() {
  return z
    .string()
    .transform(
      (text, context) =>
        readPairs(text) ??
        refuse(context, ['must be like key=value,other=value, percent-encoded.']),
    )
    .default({})
}

function isPart(digits: string): boolean {
  return /^(0|1|0?\.\d{1,9}|0\.0*|1\.0*)$/.test(digits)
}

/** Entries by commas; `tell` makes the message of those that are wrong. */
function list(isRight: (entry: string) => boolean, tell: (wrong: string) => string) {
  return z
    .string()
    .prefault('')
    .transform((entries) => entries.split(',').flatMap((entry) => entry.trim() || []))
    .refine((entries) => entries.every(isRight), {
      error: ({ input }) => tell((input as string[]).filter((entry) => !isRight(entry)).join(', ')),
    })
}

function refuse(context: z.RefinementCtx, mistakes: readonly string[]): never {
  for (const mistake of mistakes) context.addIssue(mistake)
  return z.NEVER
}

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return true
  const { hostname } = URL.parse(`http://${host}`) ?? {}
  return hostname === host.toLowerCase() && !hostname.startsWith('[')
}

/** Paths are put after it, so it has no query, and it is in answers, so it names no user. */
function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text)) return false
  return url.username === '' && url.password === ''
}

/** Servers of which one takes writes are tried in turn, as for `target_session_attrs=read-write`. */
function isDatabaseUrl(text: string): boolean {
  const urls = splitHosts(text).map((one) => URL.parse(one))
  return urls.every((url) => {
    const wanted = url?.searchParams.get('target_session_attrs') ?? 'read-write'
    const isWritable = urls.length === 1 || writable.test(wanted)
    return ['postgres:', 'postgresql:'].includes(url?.protocol ?? '') && isWritable
  })
}

/** What the service can ask of a server: it writes. */
const writable = /^(read-write|primary)$/

function isOptional(network: string): boolean {
  return optionalKeys.some((key) => key === network)
}

function isOutsideHost(host: string): boolean {
  return isRange(host) || /^[\w-]+(\.[\w-]+)*$/.test(host)
}

function isCertificate(text: string): boolean {
  return /^-----BEGIN CERTIFICATE-----\s/.test(text.trim())
}
