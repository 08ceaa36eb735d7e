import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigError } from './db/setup-error.ts'
import { planSchema } from './features/people/billing/plans.ts'

const directory = mkdtempSync(join(tmpdir(), 'lora-fleet-config-'))
after(() => rmSync(directory, { recursive: true }))

function makeFile(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

function readMistakes(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert(error instanceof ConfigError)
    return error.mistakes
  }
  assert.fail('The settings were accepted.')
}

describe('the settings', () => {
  // shows 10.3.24
  test('have defaults, all of them', () => {
    const defaults = {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      databaseConnections: undefined,
      admin: { email: undefined, password: undefined },
      secretKeys: [],
      trustedProxies: [],
      isHstsForSubdomains: false,
      optionalNetworks: [],
      outbound: { allowsLocal: true, listed: [] },
      apiRateLimit: 1200,
      loginRateLimit: 5,
      billingPlans: [],
      vendorAccounts: [],
      mail: undefined,
      signOn: undefined,
      auditSyslog: undefined,
      metricsToken: undefined,
      metricsAddress: undefined,
      traces: undefined,
      mapTiles: undefined,
      catalogueDir: undefined,
      workers: 1,
      logLevel: 'info',
    }
    assert.deepEqual(readConfig({}), defaults)
    const empty = Object.fromEntries(
      ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'ADMIN_EMAIL', 'SECRET_KEY']
        .concat(['ADMIN_PASSWORD', 'API_RATE_LIMIT', 'WORKERS', 'LOG_LEVEL', 'SECRET_KEY_FILE'])
        .map((name) => [name, '']),
    )
    assert.deepEqual(readConfig(empty), defaults)
  })

  test('turn single sign-on on by the address of a provider', () => {
    const needed = {
      SIGN_ON_ISSUER: 'https://login.example.test/realms/fleet',
      SIGN_ON_CLIENT_ID: 'lora-console',
      SIGN_ON_CLIENT_SECRET: 'shared',
    }
    const usual = {
      issuer: needed.SIGN_ON_ISSUER,
      clientId: 'lora-console',
      clientSecret: 'shared',
      scopes: 'openid email profile',
      name: 'single sign-on',
      groupsClaim: 'groups',
      grants: [],
      makesUsers: false,
      secondFactors: ['mfa'],
      isPasswordForOwnersOnly: false,
    }
    assert.deepEqual(readConfig(needed).signOn, usual)
    const grants = [{ group: 'fleet', organization: 1, role: 'viewer' }]
    const more = {
      SIGN_ON_ROLES: JSON.stringify(grants),
      SIGN_ON_NEW_USERS: 'true',
      SIGN_ON_ONLY: 'true',
      SIGN_ON_SECOND_FACTORS: 'mfa, hwk',
    }
    assert.deepEqual(readConfig({ ...needed, ...more }).signOn, {
      ...usual,
      grants,
      makesUsers: true,
      isPasswordForOwnersOnly: true,
      secondFactors: ['mfa', 'hwk'],
    })
    const role = { ...grants[0], role: 'king' }
    assert.deepEqual(
      readMistakes({
        SIGN_ON_ISSUER: 'https://login.example.test',
        SIGN_ON_SCOPES: 'email',
        SIGN_ON_ROLES: JSON.stringify([role]),
      }),
      [
        'SIGN_ON_CLIENT_ID must be set together with SIGN_ON_ISSUER.',
        'SIGN_ON_CLIENT_SECRET must be set together with SIGN_ON_ISSUER.',
        'SIGN_ON_SCOPES must be words with blanks between, with openid among them.',
        'SIGN_ON_ROLES must be a list like [{ "group": "fleet", "organization": 1, "role": "viewer" }]; 0.role is wrong: must be one of viewer, installer, operator, administrator.',
      ],
    )
  })

  test('are read from the environment', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '9000',
      PUBLIC_URL: 'https://lora.example.test/console/',
      DATA_DIR: '/srv/lora',
      CATALOGUE_DIR: '/srv/catalogues',
      DATABASE_URL: 'postgres://user:secret@db.example.test/lora',
      DATABASE_CONNECTIONS: '40',
      ADMIN_EMAIL: 'owner@example.test',
      ADMIN_PASSWORD: ' an invented pass phrase ',
      SECRET_KEY: 'k'.repeat(32),
      HSTS_SUBDOMAINS: 'true',
      TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16,::1',
      OPTIONAL_NETWORKS: 'netmore',
      OUTBOUND_ALLOW: '10.1.0.0/16, chirpstack.internal',
      API_RATE_LIMIT: '0',
      LOGIN_RATE_LIMIT: '7',
      BILLING_PLANS: '[{ "plan_code": "basic", "name": "Basic", "price": 5 }]',
      SMTP_URL: 'smtps://fleet:p%40ss@mail.example.test',
      MAIL_FROM: 'Fleet <fleet@example.test>',
      AUDIT_SYSLOG: 'tls://logs.example.test',
      METRICS_TOKEN: 'a-token-to-scrape',
      METRICS_PORT: '9464',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.test/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20invented',
      OTEL_SERVICE_NAME: 'fleet',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      MAP_TILES: '/tiles/{z}/{x}/{y}',
      WORKERS: '4',
      LOG_LEVEL: 'debug',
    })
    assert.deepEqual(config, {
      host: '0.0.0.0',
      port: 9000,
      publicUrl: 'https://lora.example.test/console',
      dataDir: '/srv/lora',
      catalogueDir: '/srv/catalogues',
      databaseUrl: 'postgres://user:secret@db.example.test/lora',
      databaseConnections: 40,
      admin: { email: 'owner@example.test', password: ' an invented pass phrase ' },
      secretKeys: ['k'.repeat(32)],
      isHstsForSubdomains: true,
      trustedProxies: ['10.0.0.1', '192.168.0.0/16', '::1'],
      optionalNetworks: ['netmore'],
      outbound: { allowsLocal: true, listed: ['10.1.0.0/16', 'chirpstack.internal'] },
      apiRateLimit: 0,
      loginRateLimit: 7,
      vendorAccounts: [],
      billingPlans: [planSchema.parse({ plan_code: 'basic', name: 'Basic', price: 5 })],
      mail: {
        host: 'mail.example.test',
        port: 465,
        isSecure: true,
        login: { user: 'fleet', pass: 'p@ss' },
        from: 'Fleet <fleet@example.test>',
      },
      signOn: undefined,
      auditSyslog: { protocol: 'tls', host: 'logs.example.test', port: 6514, ca: undefined },
      metricsToken: 'a-token-to-scrape',
      metricsAddress: { host: '127.0.0.1', port: 9464 },
      traces: {
        url: 'https://traces.example.test/otlp/v1/traces',
        headers: { authorization: 'Bearer invented' },
        resource: { 'service.name': 'fleet', 'deployment.environment.name': 'test' },
        sampling: { ratio: 0.1, follows: false },
      },
      mapTiles: { url: '/tiles/{z}/{x}/{y}', attribution: '' },
      workers: 4,
      logLevel: 'debug',
    })
  })

  test('make the public URL out of host and port', () => {
    const urlOf = (HOST: string) => readConfig({ HOST, PORT: '81' }).publicUrl
    assert.equal(urlOf('lora.example.test'), 'http://lora.example.test:81')
    assert.equal(urlOf('::1'), 'http://[::1]:81')
    assert.equal(urlOf('0.0.0.0'), 'http://127.0.0.1:81')
    assert.equal(urlOf('::'), 'http://127.0.0.1:81')
  })
})

describe('DATABASE_URL', () => {
  const two = 'postgres://lora@db0.test:5432,db1.test:5433/lora'

  test('may name several servers, of which one takes writes', () => {
    for (const DATABASE_URL of [two, `${two}?target_session_attrs=read-write`]) {
      assert.equal(readConfig({ DATABASE_URL }).databaseUrl, DATABASE_URL)
    }
  })

  test('may not ask for a server that only reads', () => {
    const [mistake] = readMistakes({ DATABASE_URL: `${two}?target_session_attrs=any` })
    assert.match(
      mistake ?? '',
      /^DATABASE_URL must .* target_session_attrs can only be read-write or primary/,
    )
    assert.equal(readMistakes({ DATABASE_URL: 'postgres://db0.test,:x/lora' }).length, 1)
  })
})

describe('mistakes', () => {
  test('in HOST are told, whatever it holds beside a name', () => {
    const words = 'HOST must be an address or a host name, such as 127.0.0.1.'
    for (const HOST of ['http://127.0.0.1', 'localhost:8080', '[::1]', '256.1.1.1', 'a b', 'a/b']) {
      assert.deepEqual(readMistakes({ HOST }), [words], HOST)
    }
    assert.equal(readConfig({ HOST: 'fe80::1%eth0' }).publicUrl, 'http://[fe80::1]:8080')
  })

  test('are told all at once, one sentence each', () => {
    const environment = {
      PORT: 'http',
      PUBLIC_URL: 'lora.example.test',
      DATABASE_URL: 'mysql://user:pass-phrase@host/db',
      ADMIN_EMAIL: 'owner',
      ADMIN_PASSWORD: 'sesame',
      SECRET_KEY: 'too-short',
      TRUSTED_PROXIES: 'proxy.example.test',
      OPTIONAL_NETWORKS: 'nowhere',
      OUTBOUND_ALLOW: 'http://host',
      API_RATE_LIMIT: '-1',
      LOGIN_RATE_LIMIT: '0',
      BILLING_PLANS: '[{ "plan_code": "basic" }]',
      VENDOR_ACCOUNTS: '[]',
      SMTP_URL: 'http://user:mail-secret@mail.example.test',
      MAIL_FROM: 'nobody',
      AUDIT_SYSLOG: 'https://logs.example.test',
      AUDIT_SYSLOG_CA: 'a certificate',
      METRICS_TOKEN: 'scrape-it',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_HEADERS: 'collector-secret',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'some',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
      WORKERS: '1.5',
      LOG_LEVEL: 'loud',
    }
    const mistakes = readMistakes(environment)
    assert.deepEqual(
      mistakes.map((mistake) => mistake.split(' ')[0]),
      Object.keys(environment),
    )
    assert.equal(mistakes[0], 'PORT must be a whole number from 1 to 65535.')
    assert.equal(mistakes[4], 'ADMIN_PASSWORD must have at least 8 characters.')
    for (const secret of [
      'mail-secret',
      'collector-secret',
      'sesame',
      'too-short',
      'pass-phrase',
      'scrape-it',
    ]) {
      assert(!mistakes.some((mistake) => mistake.includes(secret)), secret)
    }
  })

  test('are found at the limits of numbers', () => {
    for (const value of ['0', '65536', '99999999999', '80 ', '0x50', '1e3', '８０']) {
      assert.equal(readMistakes({ PORT: value }).length, 1, value)
    }
    assert.equal(readConfig({ PORT: '1' }).port, 1)
    assert.equal(readConfig({ PORT: '65535' }).port, 65_535)
    for (const [name, least, most] of [
      ['WORKERS', 1, 64],
      ['DATABASE_CONNECTIONS', 8, 10_000],
      ['API_RATE_LIMIT', 0, 1_000_000],
      ['LOGIN_RATE_LIMIT', 1, 1000],
      ['METRICS_PORT', 1, 65_535],
    ] as const) {
      for (const value of [least, most]) readConfig({ [name]: `${value}` })
      for (const value of [least - 1, most + 1])
        assert.equal(readMistakes({ [name]: `${value}` }).length, 1, `${name} ${value}`)
    }
  })

  test('are found in texts that are too long', () => {
    for (const name of ['MAP_ATTRIBUTION', 'OTEL_SERVICE_NAME']) {
      readConfig({ [name]: 'a'.repeat(200) })
      assert.equal(readMistakes({ [name]: 'a'.repeat(201) }).length, 1, name)
    }
  })

  test('are found in METRICS_TOKEN, which a header has to carry', () => {
    for (const METRICS_TOKEN of ['t'.repeat(15), 'a token of words', `${'t'.repeat(16)}é`]) {
      assert.deepEqual(readMistakes({ METRICS_TOKEN }), [
        'METRICS_TOKEN must have at least 16 characters: ASCII letters, digits and signs, without blanks.',
      ])
    }
    assert.equal(readConfig({ METRICS_TOKEN: 't'.repeat(16) }).metricsToken, 't'.repeat(16))
  })

  test('are found in addresses', () => {
    for (const value of ['ftp://a.test', 'https://', 'javascript:alert(1)', '/path', 'https:']) {
      assert.equal(readMistakes({ PUBLIC_URL: value }).length, 1, value)
    }
    for (const value of [
      'https://a.test/?x=1',
      'https://a.test/#x',
      'https://u@a.test',
      'https://:p@a.test',
    ]) {
      assert.equal(readMistakes({ PUBLIC_URL: value }).length, 1, value)
    }
  })
})

describe('a setting in a file', () => {
  test('is read without the line break at its end', () => {
    const config = readConfig({
      ADMIN_PASSWORD_FILE: makeFile('password', 'an invented pass phrase\n'),
      SECRET_KEY_FILE: makeFile('key', `${'k'.repeat(40)}\r\n`),
      DATABASE_URL_FILE: makeFile('url', 'postgresql://db.example.test/lora'),
      METRICS_TOKEN_FILE: makeFile('metrics', 'a-token-to-scrape\n'),
    })
    assert.equal(config.metricsToken, 'a-token-to-scrape')
    assert.equal(config.admin.password, 'an invented pass phrase')
    assert.deepEqual(config.secretKeys, ['k'.repeat(40)])
    assert.equal(config.databaseUrl, 'postgresql://db.example.test/lora')
  })

  test('is checked like any other, and must be there', () => {
    const missing = join(directory, 'missing')
    const both = makeFile('both', 'an invented pass phrase')
    assert.deepEqual(
      readMistakes({
        ADMIN_PASSWORD_FILE: both,
        ADMIN_PASSWORD: 'another pass phrase',
        SECRET_KEY_FILE: makeFile('short', 'too-short'),
        DATABASE_URL_FILE: missing,
      }),
      [
        `DATABASE_URL_FILE names ${missing}, which can't be read.`,
        'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set; set one of them.',
        'SECRET_KEY must have at least 32 characters.',
      ],
    )
  })

  test('must not be empty, which would be taken for no setting', () => {
    const path = makeFile('empty', '\n')
    assert.deepEqual(readMistakes({ SECRET_KEY_FILE: path }), [
      `SECRET_KEY_FILE names ${path}, which is empty.`,
    ])
  })
})

describe('SECRET_KEY', () => {
  const [first, second] = ['a'.repeat(32), 'b'.repeat(40)]

  test('takes several keys by commas, or by lines of a file, where a comma belongs to its key', () => {
    assert.deepEqual(readConfig({ SECRET_KEY: `${first}, ${second}` }).secretKeys, [first, second])
    assert.deepEqual(readConfig({ SECRET_KEY: ` ${first} ` }).secretKeys, [` ${first} `])
    const SECRET_KEY_FILE = makeFile('keys', `${first}\r\n${second},c\n`)
    assert.deepEqual(readConfig({ SECRET_KEY_FILE }).secretKeys, [first, `${second},c`])
  })

  test('is checked key by key', () => {
    const mistake = (number: number) => [
      `SECRET_KEY holds 2 keys, separated by commas (or by lines, in a file): each must have at least 32 characters, and number ${number} has not.`,
    ]
    assert.deepEqual(readMistakes({ SECRET_KEY: `${first},short` }), mistake(2))
    assert.deepEqual(readMistakes({ SECRET_KEY: `,${first}` }), mistake(1))
    assert.deepEqual(readMistakes({ SECRET_KEY: `${first},` }), mistake(2))
  })
})
